import GeoChange
import GeoDraw
import GeoPipeline
import GeoProjection
import GeoSystem
import GeoTree

/// `geomapper history --film`: writes a history as frames of a film, each a sheet as `draw` makes
/// it.
///
/// All frames show one world, so nothing moves. A folder that doesn't exist at a moment has no land
/// then.
struct HistoryFilm {
  private let run: Run
  private let folder: OutputFolder
  private let program: PictureProgram?

  private static let usualRate = 10
  private static let usualSeconds: Int64 = 30

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
    let rate = low.history.rate ?? Self.usualRate
    let count = low.history.frames(rate: rate, usualSeconds: Self.usualSeconds)
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

/// The frames of a film, drawn in order; PNG conversions run in parallel, one for each processor.
struct FilmFrames {
  private let world: HistoryWorld
  private let low: LowArguments
  private let engine: GeoProjectionEngine
  private let span: ClosedRange<Int64>
  private let count: Int
  /// The running PNG conversions; nil for SVG frames.
  private let series: PictureSeries?

  /// The number of the next frame to begin.
  private var frame = 0
  /// Pictures under way: the number of frames that show each, and its drawing.
  private var underWay: [(frames: Int, svg: [UInt8])] = []
  /// The key of the last picture under way.
  private var key: Key?
  /// The error that stopped drawing.
  private var failure: Failure?
  /// The current picture, and the number of frames that still show it.
  private var shown: (frames: Int, bytes: [UInt8]) = (0, [])

  /// The inputs of a picture: frames of the same state and day share one.
  private struct Key: Equatable {
    let state: Int
    let day: Int64
  }

  /// - Parameters:
  ///   - count: The number of frames, at least 2.
  ///   - program: The program that converts SVG to PNG; nil for SVG frames.
  ///   - progress: Called now and then during conversions.
  init(
    _ count: Int, of world: HistoryWorld, _ low: LowArguments, _ program: PictureProgram?,
    progress: @escaping @Sendable () -> Void
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
    series = try wording {
      try program.map {
        try PictureSeries(by: $0, atATime: FileSystem.processors, progress: progress)
      }
    }
  }

  /// The next frame.
  mutating func next() throws(Failure) -> [UInt8] {
    if shown.frames == 0 {
      beginMore()
      if underWay.isEmpty, let failure { throw failure }
      let (frames, svg) = underWay.removeFirst()
      shown = (frames, try wording { try series?.next() } ?? svg)
    }
    shown.frames -= 1
    return shown.bytes
  }

  /// Begins as many pictures as fit.
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
          try wording {
            try series?.begin(sheet.svg, width: sheet.width, height: sheet.height, scale: 2)
          }
          underWay.append((1, series == nil ? sheet.svg : []))
          self.key = key
        }
        frame += 1
      }
    } catch {
      // Return the frames begun before the error first.
      failure = error
    }
  }

  private func sheet(at time: Int64) throws(Failure) -> Poster {
    var filter = low.history.filter
    (filter.since, filter.until) = (time, time)
    let roots = HistorySource(world, filter: filter).roots
    let totals = try onMainThread {
      try await TreeTotals.all(of: roots, options: FileSystemScanner.Options())
    }
    var options = PosterOptions()
    if let size = low.draw.size { options.size = size }
    options.title = low.draw.title
    options.isDark = low.draw.isDark
    options.date = time
    // Folders that don't exist at this moment are unlisted in the totals.
    options.showsUnlisted = false
    options.keepsView = true
    options.rootFiles = roots.map(\.listing.files)
    return try wording("a frame can't be drawn") { [options] in
      try Poster(of: totals, by: engine, showing: .world, options)
    }
  }
}
