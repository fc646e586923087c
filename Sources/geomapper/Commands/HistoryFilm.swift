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
    span = try world.spanOfFilm(low.history.filter)
    engine = try wording {
      try WorldRoots(HistorySource(world).roots, low.chosenLayout).engine
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
        let fraction = Double(frame) / Double(count - 1)
        // Times of states can be at both ends of what a number can be.
        let length = Double(Int128(span.upperBound) - Int128(span.lowerBound))
        let time = Int64(clamping: Int128(span.lowerBound) + Int128(length * fraction))
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
    var options = PosterOptions(low.draw)
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

/// `geomapper history --film FILE.mp4`: makes a video of a history.
///
/// The page of the history draws the frames in a browser without a window and sends them to a server
/// of this process, which gives them to ffmpeg.
struct HistoryVideo {
  private let run: Run
  private let format: FileFormat
  private let plan: FilmPlan
  private let place: OutputPlace
  private let browser: PictureProgram

  private static let defaultRate = 30
  private static let defaultSeconds: Int64 = 60
  /// Frames of a gif last a whole number of hundredths of a second, and browsers slow down the
  /// shortest ones.
  private static let (defaultRateOfGIF, maximumRateOfGIF) = (20, 50)
  /// Nanoseconds to wait for the next frame; before the first, the page reads the whole history.
  private static let patience: Int64 = 120_000_000_000

  /// Refuses a rate that a gif can't have.
  static let rateOfGIF = CommandRule { given in
    let history = given.low.history
    guard history.video == .gif, let rate = history.rate, rate > maximumRateOfGIF else {
      return nil
    }
    return "--fps \(rate): a gif has at most \(maximumRateOfGIF) frames a second"
  }

  /// Finds the programs and the place of the video.
  init(_ file: [UInt8], as format: FileFormat, _ run: Run) throws(Failure) {
    (self.run, self.format) = (run, format)
    let history = run.low.history
    let rate = history.rate ?? (format == .gif ? Self.defaultRateOfGIF : Self.defaultRate)
    var plan = FilmPlan(
      history.frameSize ?? (format == .gif ? .small : .wide), rate: rate,
      frames: history.frames(rate: rate, defaultSeconds: Self.defaultSeconds))
    plan.title = run.low.draw.title
    plan.isDark = !history.isLight
    self.plan = plan
    browser = try Self.programs()
    place = try OutputPlace(file)
  }

  /// The browser, if ffmpeg is there as well.
  private static func programs() throws(Failure) -> PictureProgram {
    let browser = try wording { try PictureProgram.first(of: PictureProgram.browsers) }
    let hasEncoder = ThisProcess.path(ofProgram: Array(VideoProgram.name.utf8)) != nil
    if let browser, hasEncoder { return browser }
    let missing = (browser == nil ? ["Chromium"] : []) + (hasEncoder ? [] : [VideoProgram.name])
    throw .usage(
      "a video needs \(missing.listed(by: "and")), not found in PATH; install first (on Debian "
        + "'apt-get install \(missing.map { $0.lowercased() }.joined(separator: " "))'), or write "
        + "frames into a folder")
  }

  /// Makes the video.
  func write() throws(Failure) {
    let (low, progress) = (run.low, run.progress)
    var reading = HistoryReading(low)
    reading.keepsFolders = true
    reading.readsSubjects = true
    let world = try reading.world(run)
    _ = try world.spanOfFilm(low.history.filter)
    let source = HistorySource(world, filter: low.history.filter)
    let configuration = ServedHistory.configuration(of: source, low.history.filter, low) { nil }
    let folder = try rethrowing(ScratchFolder(), as: Failure.noScratch)
    let video = try film(configuration, in: folder)
    Progress.wipe()
    try OutputFile.write(to: place) { (output) throws(Failure) in
      try copy(video, to: output)
    }
    progress?.clear()
  }

  /// Films the page; server and programs end with this function.
  private func film(
    _ configuration: ServerConfiguration, in folder: ScratchFolder
  ) throws(Failure) -> InputFile {
    let progress = run.progress
    progress?.begin("film", of: plan.frames)
    let server = try wording { try FilmServer(configuration, plan) }
    let video = try VideoProgram(format, of: plan, in: folder)
    try record(from: server, to: video, in: folder)
    progress?.begin("\(format.rawValue)")
    return try video.finish { progress?.showTime() }
  }

  /// Gives all frames of the page to the video.
  private func record(
    from server: FilmServer, to video: VideoProgram, in folder: ScratchFolder
  ) throws(Failure) {
    var start = ThisProcess.nanoseconds
    let browser = try FilmBrowser(self.browser, showing: server, plan.size, in: folder)
    for number in 0..<plan.frames {
      run.progress?.show(number, "frame")
      try video.add(try frame(number, since: start, from: server, of: browser, for: video))
      start = ThisProcess.nanoseconds
    }
  }

  /// Waits for a frame.
  private func frame(
    _ number: Int, since start: Int64, from server: FilmServer, of browser: FilmBrowser,
    for video: VideoProgram
  ) throws(Failure) -> [UInt8] {
    while true {
      switch server.next(within: 100_000_000) {
      case .frame(let bytes): return bytes
      case .failure(let reason):
        throw .output("the page can't draw the film: \(TerminalText.escaped(reason))")
      case nil: break
      }
      if browser.hasEnded {
        throw .output(
          "\(browser.name) ended before frame \(number + 1) of \(plan.frames)"
            + browser.lastWords)
      }
      if video.hasEnded { throw video.failure }
      if ThisProcess.nanoseconds - start > Self.patience {
        throw .output(
          "no frame came from \(browser.name) in \(Self.patience / 1_000_000_000) seconds"
            + browser.lastWords)
      }
      run.progress?.showCount("frame")
    }
  }

  private func copy(_ video: InputFile, to output: OutputFile) throws(Failure) {
    var bytes: [UInt8] = []
    while true {
      bytes.removeAll(keepingCapacity: true)
      let count = try rethrowing(video.read(upTo: 1 << 20, appendingTo: &bytes)) {
        Failure.output("can't read the video: \($0)")
      }
      if count == 0 { return }
      try output.write(bytes.span)
    }
  }
}

extension HistoryWorld {
  /// The time from the first to the last moment of a film, in Unix seconds.
  fileprivate func spanOfFilm(_ filter: HistoryFilter) throws(Failure) -> ClosedRange<Int64> {
    guard let span = span(filter) else {
      throw .usage("nothing happened in that time: the film would be empty")
    }
    return span
  }
}
