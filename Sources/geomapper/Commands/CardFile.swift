import GeoChange
import GeoDraw
import GeoFormats
import GeoPipeline
import GeoTree

/// The card of two states: a picture that is written next to the output of a comparison.
struct CardFile {
  /// The place of the picture.
  let place: OutputPlace
  /// The program that converts SVG to PNG; nil for SVG output.
  private let program: PictureProgram?

  /// Resolves the place and the program, before anything is read; nil if no card is wanted.
  init?(_ low: LowArguments) throws(Failure) {
    guard let card = low.diff.card else { return nil }
    place = try OutputPlace(card.file)
    program = try wording { try card.format == .png ? PictureProgram.find() : nil }
  }

  /// Draws the picture.
  ///
  /// - Parameter tree: The differences, with the totals of both states.
  func draw(
    _ tree: ChangeTree, _ comparison: Comparison, _ states: [MapState], _ run: Run
  ) throws(Failure) -> [UInt8] {
    try tree.checkScratch()
    let roots = try wording { try WorldRoots(comparison.union, comparison.layout) }
    let totals = try run.read("land", of: roots.roots.entryCount) {
      [roots = roots.roots, scan = comparison.scan] faults in
      var scan = scan
      scan.listener = faults.listener
      // The comparison has reported all faults.
      return try await TreeTotals.all(of: roots, options: scan)
    }
    var options = CardOptions()
    (options.title, options.isDark) = (run.low.draw.title, run.low.draw.isDark)
    options.rootFiles = roots.roots.map(\.listing.files)
    let card: ChangeCard
    do throws(PosterError) {
      card = try ChangeCard(
        of: totals, by: roots.engine, comparing: ComparedStates(tree, states), options)
    } catch {
      throw Failure(error, folder: nil)
    }
    run.progress?.begin("picture")
    return try wording {
      try program?.png(
        of: card.svg, width: ChangeCard.width, height: ChangeCard.height, scale: 1
      ) { [progress = run.progress] in progress?.showTime() }
    } ?? card.svg
  }
}
