import GeoDiff
import GeoDraw
import GeoPath
import GeoPipeline
import GeoProjection
import GeoScan
import GeoStats
import GeoSystem

/// `geomapper history --film`: a history as the frames of a film, each of them a sheet as `draw` has it.
///
/// All frames are of one world, so nothing moves. A folder that is not there at a moment has no land then.
struct HistoryFilm {
  private let low: LowArguments
  private let shown: String
  private let draft: FolderDraft
  private let temporary: [UInt8]
  private let program: PictureProgram?

  private static let usualRate = 10
  private static let usualSeconds = 30

  /// Makes the folder, or takes an empty one.
  init(into folder: [UInt8], _ low: LowArguments) throws(Failure) {
    self.low = low
    shown = TerminalText.escaped(folder)
    if folder.isEmpty { throw .usage("--film needs the name of a folder; it is empty") }
    program = try low.draw.format == .png ? PictureProgram.find() : nil
    var isForeign = false
    do throws(Errno) {
      let target = try OutputPlace.folder(folder, shown)
      isForeign = OutputPlace.leadsThroughForeignLink(target)
      if isForeign { throw Errno.accessDenied }
      temporary = try OutputPlace.temporary(for: target).name
      draft = try FolderDraft(target.name, in: target.folder)
    } catch .exists {
      throw .usage("the folder '\(shown)' is not empty; a film has one of its own")
    } catch {
      if isForeign { throw OutputPlace.foreignLink(shown) }
      throw .output("can't make the folder '\(shown)': \(error)")
    }
  }

  /// Writes all frames, or none, and says how to make a film of them.
  func write() throws(Failure) -> ExitStatus {
    let frames: Frames
    let faults: Int
    do throws(Failure) {
      let (world, count) = try HistoryReading(low).world()
      faults = count
      frames = try Frames(of: world, low, program)
    } catch {
      draft.discard()
      throw error
    }
    let rate = low.history.rate ?? Self.usualRate
    let count = max(2, rate * (low.history.seconds ?? Self.usualSeconds))
    let ending = program == nil ? "svg" : "png"
    let width = max(5, "\(count)".utf8.count)
    let names = (1...count).map { number in
      let digits = "\(number)"
      let zeros = String(repeating: "0", count: width - digits.utf8.count)
      return Array("frame-\(zeros)\(digits).\(ending)".utf8)
    }
    let report = Report(mode: .auto, isQuiet: low.isQuiet, outputIsTerminal: false)
    defer { report.clearLine() }
    var failure: Failure?
    var last: (key: Frames.Key, bytes: [UInt8])?
    do throws(Errno) {
      try draft.write(names, temporary: temporary) { (index) throws(Errno) in
        report.show(thousandths: 1000 * index / count, of: "frames")
        let time = frames.time(Double(index) / Double(count - 1))
        let key = frames.key(at: time)
        // While nothing happens a day has one picture.
        if let last, last.key == key { return last.bytes }
        do throws(Failure) {
          let bytes = try frames.picture(at: time)
          last = (key, bytes)
          return bytes
        } catch {
          failure = error
          throw Errno.inputOutput
        }
      }
    } catch {
      throw failure ?? .output("can't write the frames into '\(shown)': \(error)")
    }
    try StandardOutput.print(advice(rate: rate, width: width))
    return faults > 0 ? .incomplete : .success
  }

  /// What one does with the frames.
  private func advice(rate: Int, width: Int) -> String {
    // What begins with a hyphen is no option, and ffmpeg counts where there is a %.
    let folder = shown.hasPrefix("-") ? "./\(shown)" : shown
    let pattern = folder.split(separator: "%", omittingEmptySubsequences: false).joined(
      separator: "%%")
    let film =
      "ffmpeg -framerate \(rate) -i \(Shell.quoted("\(pattern)/frame-%0\(width)d.png")) "
      + "-vf 'scale=trunc(iw/2)*2:trunc(ih/2)*2' -pix_fmt yuv420p film.mp4\n"
    if program != nil { return film }
    return
      "for frame in \(Shell.quoted(folder))/*.svg; do "
      + "rsvg-convert -o \"${frame%.svg}.png\" \"$frame\"; done; " + film
  }
}

/// The moments of a history as pictures.
private struct Frames {
  private let world: HistoryWorld
  private let low: LowArguments
  private let program: PictureProgram?
  private let engine: GeoProjectionEngine
  private let span: ClosedRange<Int64>

  /// What a picture depends on.
  struct Key: Equatable {
    let state: Int
    let day: Int64
  }

  init(
    of world: HistoryWorld, _ low: LowArguments, _ program: PictureProgram?
  ) throws(Failure) {
    self.world = world
    self.low = low
    self.program = program
    guard let span = world.span(low.history.filter) else {
      throw .usage("nothing happened in that time: there is no film of it")
    }
    self.span = span
    do throws(MapError) {
      engine = try WorldRoots(HistorySource(world).roots, low.layout ?? .settled).engine
    } catch {
      throw Failure(error)
    }
  }

  /// The moment at some part of the whole.
  func time(_ part: Double) -> Int64 {
    span.lowerBound + Int64(Double(span.upperBound - span.lowerBound) * part)
  }

  func key(at time: Int64) -> Key { Key(state: world.state(at: time), day: time / 86_400) }

  func picture(at time: Int64) throws(Failure) -> [UInt8] {
    var filter = low.history.filter
    (filter.since, filter.until) = (time, time)
    let roots = HistorySource(world, filter: filter).roots
    let outcome: Result<TreeTotals, Failure> = MainThreadExecutor().run {
      await Self.totals(of: roots)
    }
    let totals = try outcome.get()
    var options = PosterOptions()
    if let size = low.draw.size { options.size = size }
    options.title = low.draw.title
    options.isDark = low.draw.isDark
    options.date = time
    // Folders that are not there yet, or no more, are those of which nobody knows what is below them.
    options.showsUnlisted = false
    let poster: Poster
    do throws(PosterError) {
      poster = try Poster(of: totals, by: engine, showing: .world, options)
    } catch {
      throw .output("a frame can't be drawn: \(error)")
    }
    return try program?.png(of: poster.svg, width: poster.width, height: poster.height)
      ?? poster.svg
  }

  private static func totals(of roots: [ScanRoot]) async -> Result<TreeTotals, Failure> {
    do {
      var pass = try await FileSystemScanner(options: FileSystemScanner.Options())
        .totals(of: roots, classes: FileType.classes).makeAsyncIterator()
      while try await pass.next(isolation: nil) != nil {}
      return .success(pass.finish())
    } catch {
      return .failure(.output("it was broken off: \(error)"))
    }
  }
}
