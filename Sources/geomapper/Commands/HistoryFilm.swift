import GeoChange
import GeoCore
import GeoDraw
import GeoPipeline
import GeoProjection
import GeoSystem
import GeoTree
import GeoWeb

/// `geomapper history --film`: writes a history as frames of a film, each a sheet as `draw` makes
/// it.
///
/// All frames show one world, so nothing moves. A folder that doesn't exist at a moment has no land
/// then.
struct HistoryFilm {
  private let run: Run
  private let folder: OutputFolder
  private let program: PictureProgram?

  private static let defaultRate = 10
  private static let defaultSeconds: Int64 = 30

  /// Makes the folder, or uses an empty one.
  init(into folder: [UInt8], _ run: Run) throws(Failure) {
    self.run = run
    program = try wording { try run.low.draw.frames == .png ? PictureProgram.find() : nil }
    self.folder = try OutputFolder(
      folder, refusal: "a film has one of its own")
  }

  /// Writes all frames or none, and prints how to make a film of them.
  func write() throws(Failure) {
    let (low, progress) = (run.low, run.progress)
    var frames: FilmFrames
    let rate = low.history.rate ?? Self.defaultRate
    let count = low.history.frames(rate: rate, defaultSeconds: Self.defaultSeconds)
    do throws(Failure) {
      var reading = HistoryReading(low)
      reading.keepsFolders = true
      frames = try FilmFrames(count, of: try reading.world(run), low, program) {
        progress?.showCount("frame")
      }
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
    progress?.begin("film", of: count)
    try folder.write(names, things: "frames") { (index) throws(Failure) in
      progress?.show(index, "frame")
      return try frames.next()
    }
    progress?.clear()
    try StandardOutput.print(advice(rate: rate, width: width))
  }

  /// The commands that make a film of the frames.
  private func advice(rate: Int, width: Int) -> String {
    // A leading hyphen would be read as an option, and ffmpeg reads `%` as a frame number.
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

extension HistoryWorld {
  /// The time from the first to the last moment of a film, in Unix seconds.
  func spanOfFilm(_ filter: HistoryFilter) throws(Failure) -> ClosedRange<Int64> {
    guard let span = span(filter) else {
      throw .usage("nothing happened in that time: the film would be empty")
    }
    return span
  }
}
