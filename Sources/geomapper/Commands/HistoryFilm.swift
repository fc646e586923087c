import GeoChange

/// `geomapper history --film`: a history as the frames of a film, each of them a sheet as `draw` has it.
///
/// All frames are of one world, so nothing moves. A folder that is not there at a moment has no land then.
struct HistoryFilm {
  private let low: LowArguments
  private let folder: OutputFolder
  private let program: PictureProgram?

  private static let usualRate = 10
  private static let usualSeconds = 30

  /// Makes the folder, or takes an empty one.
  init(into folder: [UInt8], _ low: LowArguments) throws(Failure) {
    self.low = low
    program = try low.draw.frames == .png ? PictureProgram.find() : nil
    self.folder = try OutputFolder(
      folder, option: "--film", refusal: "a film has one of its own")
  }

  /// Writes all frames, or none, and says how to make a film of them.
  func write() throws(Failure) -> ExitStatus {
    var frames: FilmFrames
    let faults: Int
    let rate = low.history.rate ?? Self.usualRate
    let count = max(2, rate * (low.history.seconds ?? Self.usualSeconds))
    do throws(Failure) {
      let world: HistoryWorld
      (world, faults) = try HistoryReading(low).world()
      frames = try FilmFrames(count, of: world, low, program)
    } catch {
      folder.discard()
      throw error
    }
    let ending = program == nil ? "svg" : "png"
    let width = max(5, "\(count)".utf8.count)
    let names = (1...count).map { number in
      let digits = "\(number)"
      let zeros = String(repeating: "0", count: width - digits.utf8.count)
      return Array("frame-\(zeros)\(digits).\(ending)".utf8)
    }
    let report = Report(mode: low.progress ?? .auto, isQuiet: low.isQuiet, outputIsTerminal: false)
    defer { report.clearLine() }
    try folder.write(names, things: "frames") { (index) throws(Failure) in
      report.show(thousandths: 1000 * index / count, of: "frames")
      return try frames.next()
    }
    try StandardOutput.print(advice(rate: rate, width: width))
    return faults > 0 ? .incomplete : .success
  }

  /// What one does with the frames.
  private func advice(rate: Int, width: Int) -> String {
    // What begins with a hyphen is no option, and ffmpeg counts where there is a %.
    let shown = folder.shown.hasPrefix("-") ? "./\(folder.shown)" : folder.shown
    let pattern = shown.split(separator: "%", omittingEmptySubsequences: false).joined(
      separator: "%%")
    let film =
      "ffmpeg -framerate \(rate) -i \(Shell.quoted("\(pattern)/frame-%0\(width)d.png")) "
      + "-vf 'scale=trunc(iw/2)*2:trunc(ih/2)*2' -pix_fmt yuv420p film.mp4\n"
    if program != nil { return film }
    return
      "for frame in \(Shell.quoted(shown))/*.svg; do "
      + "rsvg-convert -o \"${frame%.svg}.png\" \"$frame\"; done; " + film
  }
}
