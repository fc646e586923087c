import GeoChange
import GeoCore
import GeoDraw
import GeoSystem
import GeoWeb

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
  private static let defaultMilliseconds: Int64 = 60_000
  /// Frames of a gif last a whole number of hundredths of a second, and browsers slow down the
  /// shortest ones.
  private static let (defaultRateOfGIF, maximumRateOfGIF) = (20, 50)
  /// Nanoseconds to wait for the next frame; before the first, the page reads the whole history.
  private static let patience: Int64 = 120_000_000_000

  static let rateOfGIF = CommandRule { given in
    let history = given.low.history
    guard history.film?.format == .gif, let rate = history.rate, rate > maximumRateOfGIF else {
      return nil
    }
    return "--fps \(rate): a gif has at most \(maximumRateOfGIF) frames a second"
  }

  init(_ file: [UInt8], as format: FileFormat, _ run: Run) throws(Failure) {
    (self.run, self.format) = (run, format)
    let history = run.low.history
    let rate = history.rate ?? (format == .gif ? Self.defaultRateOfGIF : Self.defaultRate)
    var plan = FilmPlan(
      history.frameSize ?? (format == .gif ? .small : .wide), rate: rate,
      // A film has a beginning and an end.
      frames: max(
        2, Int((Int64(rate) * (history.duration ?? Self.defaultMilliseconds) + 500) / 1000)))
    plan.title = run.low.draw.poster.title
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
        + "'apt-get install \(missing.map { $0.lowercased() }.joined(separator: " "))'), or save "
        + "the film from the page that 'geomapper serve --history' shows")
  }

  func write() throws(Failure) {
    let (low, progress) = (run.low, run.progress)
    var reading = HistoryReading(low)
    reading.keepsFolders = true
    reading.readsSubjects = true
    let world = try reading.world(run)
    if world.span(low.history.filter) == nil {
      throw .usage("nothing happened in that time: the film would be empty")
    }
    let source = HistorySource(world, filter: low.history.filter)
    let configuration = ServedHistory.configuration(of: source, low.history.filter, low) { nil }
    let folder = try rethrowing(ScratchFolder(), as: Failure.noScratch)
    let video = try film(configuration, in: folder)
    Progress.wipe()
    try OutputFile.write(to: place) { (output) throws(Failure) in try copy(video, to: output) }
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

  private func frame(
    _ number: Int, since start: Int64, from server: FilmServer, of browser: FilmBrowser,
    for video: VideoProgram
  ) throws(Failure) -> [UInt8] {
    while true {
      switch server.next(within: 100_000_000) {
      case .frame(let bytes): return bytes
      case .failure(let reason):
        throw .output("the page can't draw the film: \(reason.shown)")
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
