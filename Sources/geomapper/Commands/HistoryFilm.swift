import GeoChange
import GeoDraw
import GeoPipeline
import GeoProjection
import GeoSystem
import GeoTree

/// `geomapper history --film`: a history as the frames of a film, each of them a sheet as `draw` has it.
///
/// All frames are of one world, so nothing moves. A folder that is not there at a moment has no land then.
struct HistoryFilm {
  private let run: Run
  private let folder: OutputFolder
  private let program: PictureProgram?

  private static let usualRate = 10
  private static let usualSeconds = 30

  /// Makes the folder, or takes an empty one.
  init(into folder: [UInt8], _ run: Run) throws(Failure) {
    self.run = run
    program = try run.low.draw.frames == .png ? PictureProgram.find() : nil
    self.folder = try OutputFolder(
      folder, refusal: "a film has one of its own")
  }

  /// Writes all frames, or none, and says how to make a film of them.
  func write() throws(Failure) {
    let (low, progress) = (run.low, run.progress)
    var frames: FilmFrames
    let rate = low.history.rate ?? Self.usualRate
    let count = max(2, rate * (low.history.seconds ?? Self.usualSeconds))
    do throws(Failure) {
      var reading = HistoryReading(low)
      reading.keepsFolders = true
      let (world, faults) = try reading.world()
      run.add(faults: faults)
      frames = try FilmFrames(count, of: world, low, program) { progress?.showCount("frame") }
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

/// The moments of a history as pictures, one after the other; a program that makes pictures of drawings makes
/// as many at a time as there are processors.
struct FilmFrames {
  private let world: HistoryWorld
  private let low: LowArguments
  private let engine: GeoProjectionEngine
  private let span: ClosedRange<Int64>
  private let count: Int
  /// nil if the drawings are the pictures.
  private let series: PictureSeries?

  /// The next frame to be begun.
  private var frame = 0
  /// What is under way: how many frames show it, and its drawing.
  private var underWay: [(frames: Int, svg: [UInt8])] = []
  /// What the last of it depends on.
  private var key: Key?
  /// Why nothing more can be begun.
  private var failure: Failure?
  /// The picture of the frame taken last, and how many frames still show it.
  private var shown: (frames: Int, bytes: [UInt8]) = (0, [])

  /// What a picture depends on: while nothing happens a day has one.
  private struct Key: Equatable {
    let state: Int
    let day: Int64
  }

  /// - Parameters:
  ///   - count: How many frames there are, two at least.
  ///   - program: What makes pictures of drawings; nil if nobody is to.
  ///   - tell: Called now and then while it does.
  init(
    _ count: Int, of world: HistoryWorld, _ low: LowArguments, _ program: PictureProgram?,
    telling tell: @escaping @Sendable () -> Void
  ) throws(Failure) {
    self.count = count
    self.world = world
    self.low = low
    guard let span = world.span(low.history.filter) else {
      throw .usage("nothing happened in that time: the film would be empty")
    }
    self.span = span
    engine = try wording {
      try WorldRoots(HistorySource(world).roots, low.layout ?? .settled).engine
    }
    series = try program.map { (program) throws(Failure) in
      try PictureSeries(by: program, atATime: FileSystem.processors, telling: tell)
    }
  }

  /// The next frame.
  mutating func next() throws(Failure) -> [UInt8] {
    if shown.frames == 0 {
      beginMore()
      if underWay.isEmpty, let failure { throw failure }
      let (frames, svg) = underWay.removeFirst()
      shown = (frames, try series?.next() ?? svg)
    }
    shown.frames -= 1
    return shown.bytes
  }

  /// Begins as many pictures as there is room for.
  private mutating func beginMore() {
    do throws(Failure) {
      while failure == nil, frame < count {
        let part = Double(frame) / Double(count - 1)
        let time = span.lowerBound + Int64(Double(span.upperBound - span.lowerBound) * part)
        let key = Key(state: world.state(at: time), day: time / 86_400)
        if key == self.key, !underWay.isEmpty {
          underWay[underWay.count - 1].frames += 1
        } else {
          if series?.isFull ?? !underWay.isEmpty { return }
          let sheet = try sheet(at: time)
          try series?.begin(sheet.svg, width: sheet.width, height: sheet.height, scale: 2)
          underWay.append((1, series == nil ? sheet.svg : []))
          self.key = key
        }
        frame += 1
      }
    } catch {
      // What was begun before comes first.
      failure = error
    }
  }

  private func sheet(at time: Int64) throws(Failure) -> Poster {
    var filter = low.history.filter
    (filter.since, filter.until) = (time, time)
    let roots = HistorySource(world, filter: filter).roots
    let totals = try onMainThread {
      var pass = try await FileSystemScanner(options: FileSystemScanner.Options())
        .totals(of: roots, classes: FileType.classes).makeAsyncIterator()
      while try await pass.next(isolation: nil) != nil {}
      return pass.finish()
    }
    var options = PosterOptions()
    if let size = low.draw.size { options.size = size }
    options.title = low.draw.title
    options.isDark = low.draw.isDark
    options.date = time
    // Folders that are not there yet, or no more, are those of which nobody knows what is below them.
    options.showsUnlisted = false
    return try wording("a frame can't be drawn") { [options] in
      try Poster(of: totals, by: engine, showing: .world, options)
    }
  }
}
