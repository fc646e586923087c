import Foundation
import GeoAtlas
import GeoChange
import GeoCore
import GeoDraw
import GeoFormats
import GeoPipeline
import GeoProjection
import GeoSystem
import GeoTree

/// How a sheet to print is drawn.
public struct GeoDrawing: Sendable {
  /// What the colours of lands mean, unless the sheet shows what changed.
  public enum Colours: Hashable, Sendable, CaseIterable {
    /// Nothing: they only make neighbours different.
    case tints
    /// The total size.
    case size
    /// How long ago the newest file in the land was changed, in classes that fit what is drawn.
    case age
    /// The type of file with the most bytes.
    case type

    fileprivate var shading: Shading {
      switch self {
      case .tints: .tints
      case .size: .size
      case .age: .age
      case .type: .type
      }
    }
  }

  /// The part of the map that is drawn.
  public enum Part: Hashable, Sendable {
    /// All roots.
    case world
    /// The lands in a box.
    case box(BoundingBox)
    /// A folder, by its path on the map.
    case folder(path: String)
  }

  /// The part of the map that is drawn.
  public var part = Part.world
  /// What the colours of lands mean. A sheet since an earlier state has those of changes, and
  /// ``GeoWorld/layers`` have none.
  public var colours = Colours.tints
  /// The width of the sheet in millimetres, 80 to 2,000.
  public var width = 420
  /// The height of the sheet in millimetres, 80 to 2,000. One side is at most three times the other.
  public var height = 297
  /// The title; nil for the names of what is drawn.
  public var title: String?
  /// Whether the ground is dark.
  public var isDark = false
  /// The time of the scan, which is printed, and from which ages are counted; nil to print none, and
  /// count from the newest file.
  public var date: Date?

  /// Makes a drawing of the whole world on A3.
  public init() {}

  fileprivate var options: PosterOptions {
    get throws(GeoDrawingError) {
      guard let size = SheetSize(parsing: Array("\(width)x\(height)".utf8)) else {
        throw .badSize(width: width, height: height)
      }
      var options = PosterOptions()
      options.size = size
      options.title = title.map { Array($0.utf8) }
      options.isDark = isDark
      options.shading = colours.shading
      options.date = date.map { UnixTime.seconds(of: $0) }
      return options
    }
  }

  fileprivate var target: PosterTarget {
    switch part {
    case .world: .world
    case .box(let box): .box(box)
    case .folder(let path): .folder(Array(path.utf8).components.map { Array($0) })
    }
  }
}

/// A drawn sheet: an SVG without scripts, fonts or other files.
public struct GeoSheet: Hashable, Sendable {
  /// The SVG as UTF-8.
  public let svg: [UInt8]
  /// The width in units of the SVG, 96 to an inch.
  public let width: Int
  /// The height in units of the SVG.
  public let height: Int
  /// Pixels of a PNG for each unit.
  let scale: Int

  /// Converts the sheet to PNG, by the program `rsvg-convert` or Chromium.
  ///
  /// - Throws: `GeoError` if neither is installed, or the conversion fails.
  public func png() async throws -> [UInt8] {
    do {
      return try await onOwnThread { [self] in
        try PictureProgram.find().png(of: svg, width: width, height: height, scale: scale) {}
      }
    } catch let failure as Failure {
      throw GeoDrawingError.noPNG(reason: failure.message)
    }
  }

  /// Writes the sheet into a file, which is replaced only on success.
  ///
  /// - Parameter url: The file. Its name ends in `.svg`, or in `.png` for ``png()``.
  /// - Throws: `GeoError`, and as ``png()``.
  public func write(to url: URL) async throws {
    let path = try url.pathToWrite
    let made = FileFormat.holding(.pictures)
    let format = FileFormat.ending(of: path).flatMap { FileFormat.named(by: $0, among: made) }
    guard let format else { throw Failure.noFormat(path, of: "pictures (.svg, .png)") }
    let bytes = format == .png ? try await png() : svg
    let file = try GeoFile(url)
    try file.write(bytes.span)
    try file.complete()
  }
}

extension GeoWorld {
  /// Draws a sheet to print, as `geomapper draw` does.
  ///
  /// The whole tree is read once. ``selection`` and ``layout`` count; ``filter`` has no effect.
  ///
  /// - Parameters:
  ///   - drawing: What is drawn, and how.
  ///   - old: An earlier state, if the sheet is to show what changed since.
  ///   - report: Called with entries that could not be read, as they are found.
  /// - Throws: `GeoError`;
  ///   `CancellationError` if the task was cancelled.
  /// - Complexity: O(entries), and the size of the sheet.
  public func sheet(
    _ drawing: GeoDrawing = GeoDrawing(), since old: GeoWorld? = nil,
    report: @escaping @Sendable ([ScanFault]) -> Void = { _ in }
  ) async throws -> GeoSheet {
    var options = try drawing.options
    let roots: WorldRoots
    var reading = scan
    var compared: ComparedStates?
    if let old {
      (roots, compared) = try await union(with: old, report)
    } else {
      let selected = try await selected(report: report)
      roots = try WorldRoots(selected.roots, layout)
      reading = selected.scan
    }
    // Entries that can't be read were reported by the comparison.
    let totals = try await TreeTotals.all(
      of: roots.roots, options: reading, report: old == nil ? report : { _ in })
    try Task.checkCancellation()
    options.rootFiles = roots.roots.map(\.listing.files)
    return try await onOwnThread { [options, compared, selection = reading.selection] in
      var options = options
      if compared == nil {
        options.files = Self.files(of: drawing.target, in: roots, layout, selection)
      }
      let poster = try Poster(
        of: totals, by: roots.engine, showing: drawing.target, options, comparing: compared)
      return GeoSheet(svg: poster.svg, width: poster.width, height: poster.height, scale: 2)
    }
  }

  /// Draws a card of what changed, as `geomapper diff --card` does: a picture of 1200 by 630 pixels
  /// with the map of both states, the sums and the three largest changes.
  ///
  /// The selection, the layout and the way of reading of this world count.
  ///
  /// - Parameters:
  ///   - old: The earlier state.
  ///   - title: The title; nil for the names of the roots.
  ///   - isDark: Whether the ground is dark.
  ///   - report: Called with entries that could not be read, as they are found.
  /// - Throws: As ``sheet(_:since:report:)``.
  public func card(
    since old: GeoWorld, title: String? = nil, isDark: Bool = false,
    report: @escaping @Sendable ([ScanFault]) -> Void = { _ in }
  ) async throws -> GeoSheet {
    let (roots, compared) = try await union(with: old, report)
    let totals = try await TreeTotals.all(of: roots.roots, options: scan)
    try Task.checkCancellation()
    var options = CardOptions()
    (options.title, options.isDark) = (title.map { Array($0.utf8) }, isDark)
    options.rootFiles = roots.roots.map(\.listing.files)
    return try await onOwnThread { [options] in
      let card = try ChangeCard(of: totals, by: roots.engine, comparing: compared, options)
      return GeoSheet(
        svg: card.svg, width: ChangeCard.width, height: ChangeCard.height, scale: 1)
    }
  }

  private static func files(
    of target: PosterTarget, in roots: WorldRoots, _ layout: Layout, _ selection: Selection
  ) -> [PosterFile] {
    guard case .folder(let names) = target,
      let world = try? World(
        roots: roots.roots, layout: layout, selection: selection, cacheLimit: 4 << 20),
      let found = world.find(Array(names.joined(separator: [.slash]))), found.file == nil
    else { return [] }
    return world.reader().sizedFiles(in: found.folder).map {
      PosterFile(name: $0.name, bytes: $0.bytes, allocated: $0.allocated, place: $0.place)
    }
  }

  private func union(
    with old: GeoWorld, _ report: @Sendable ([ScanFault]) -> Void
  ) async throws -> (WorldRoots, ComparedStates) {
    var comparison = try comparison(with: old)
    comparison.keepsSums = true
    comparison.asksForFolders = false
    var batches = try await comparison.start().makeAsyncIterator()
    while let step = try await batches.next(isolation: nil) {
      if !step.faults.isEmpty { report(step.faults) }
    }
    let tree = try batches.finish()
    if let failure = tree.failure { throw MapError.noScratch(failure) }
    return (
      try WorldRoots(comparison.union, comparison.layout),
      ComparedStates(tree, [old, self].map(\.state))
    )
  }

  /// Leaves out what ``selection`` leaves out. A list, or a tree whose links are followed, is kept
  /// in a scratch file, so that it can be read more than once.
  private func selected(
    report: @Sendable ([ScanFault]) -> Void
  ) async throws -> (roots: [ScanRoot], scan: FileSystemScanner.Options) {
    var snapshot = SnapshotRequest(roots: try request().request.roots)
    snapshot.selection = selection
    snapshot.scan = scan
    var reading = scan
    if list == nil, !scan.followsLinks {
      if let conflict = snapshot.conflict { throw MapError.conflict(conflict) }
      reading.selection = selection
      return (snapshot.roots, reading)
    }
    if let list { try snapshot.read(list) }
    reading.followsLinks = false
    return (try await MapPipeline.index(snapshot, report: report), reading)
  }
}
