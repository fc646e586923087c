import GeoCore
import GeoDraw
import GeoFormats
import GeoSystem
import GeoWeb

/// A video that ffmpeg makes of frames as they come.
struct VideoProgram {
  /// The name of the program.
  static let name = "ffmpeg"

  private let format: FileFormat
  private let folder: ScratchFolder
  private let program: RunningProgram
  private let messages: ScratchFile

  /// Seconds after which a program that takes no frame, or writes nothing, is given up.
  private static let patience = 120
  /// Milliseconds for all colours of a gif to be replaced.
  private static let longest: Int64 = 3_600_000

  // Names of files in the folder.
  private static let video = Array("video".utf8)
  private static let frames = Array("frames.mkv".utf8)
  private static let palette = Array("palette.png".utf8)

  /// Begins a video.
  ///
  /// - Parameter folder: The folder for the video and other files.
  init(_ format: FileFormat, of plan: FilmPlan, in folder: ScratchFolder) throws(Failure) {
    (self.format, self.folder) = (format, folder)
    let input = [
      "-f", "rawvideo", "-pix_fmt", "rgba", "-s", "\(plan.size.width)x\(plan.size.height)", "-r",
      "\(plan.rate)", "-i", "-",
    ]
    (program, messages) = try explaining("can't start \(Self.name)", as: .output) {
      let messages = try ScratchFile()
      let program = try RunningProgram(
        group: Self.line(input) + Self.output(of: format), in: folder.path, input: .questions,
        messages: messages, patience: Self.patience, removing: Self.removed)
      return (program, messages)
    }
  }

  /// Whether the program has ended.
  var hasEnded: Bool { program.hasEnded }

  /// Adds a frame; waits until the program takes it.
  func add(_ frame: [UInt8]) throws(Failure) {
    do throws(Errno) {
      try program.ask(frame.span)
    } catch .wouldBlock {
      throw silence("took no frame")
    } catch {
      throw failure
    }
  }

  /// Waits until the video is complete.
  ///
  /// - Parameter progress: Called now and then.
  /// - Returns: The video.
  func finish(progress: () -> Void) throws(Failure) -> InputFile {
    var watch = SilenceWatch()
    let first = program.finish { watch.isAlive(writing: written) }
    if first == .late { throw silence("wrote nothing") }
    if first != .ended(0) { throw failure(first) }
    if format == .gif { try replaceColours(progress) }
    do throws(Errno) {
      return try folder.open(Self.video)
    } catch {
      throw failure(first)
    }
  }

  /// Makes the gif of the frames, once all its colours are known.
  private func replaceColours(_ progress: () -> Void) throws(Failure) {
    let input = [Self.frames, Self.palette].flatMap { [Array("-i".utf8), $0] }
    let colours = [
      "-lavfi", "paletteuse=dither=bayer:bayer_scale=4:diff_mode=rectangle", "-f", "gif",
    ]
    var second = BoundedProgram(
      Self.line([]) + input + colours.map { Array($0.utf8) } + [Self.video], for: Self.longest)
    second.folder = folder.path
    second.removed = Self.removed
    second.messages = messages
    second.endsWithThis = true
    var watch = SilenceWatch()
    let end: BoundedProgram.End
    do throws(Errno) {
      end = try second.run {
        progress()
        return watch.isAlive(writing: written)
      }
    } catch {
      throw .output("can't start \(Self.name): \(error)")
    }
    if end == .late { throw silence("wrote nothing") }
    if end != .ended(0) { throw failure(end) }
  }

  /// The number of bytes in all files that the program writes.
  private var written: Int64 {
    messages.size
      + [Self.video, Self.frames, Self.palette].reduce(0) { $0 + folder.size(of: $1) }
  }

  /// Finds whether a program has written nothing for too long.
  private struct SilenceWatch {
    private var written: Int64 = -1
    private var since = ThisProcess.nanoseconds

    mutating func isAlive(writing bytes: Int64) -> Bool {
      let now = ThisProcess.nanoseconds
      if bytes != written { (written, since) = (bytes, now) }
      return now - since < Int64(VideoProgram.patience) * 1_000_000_000
    }
  }

  private func silence(_ what: String) -> Failure {
    .output(
      "\(Self.name) \(what) for \(Self.patience) seconds, and was ended"
        + messages.lastWords)
  }

  /// Why there is no video, after the program has ended or closed its input.
  var failure: Failure {
    var turns = 0
    let end = program.finish {
      turns += 1
      return turns < 50
    }
    return failure(end)
  }

  private func failure(_ end: BoundedProgram.End) -> Failure {
    .output("\(Self.name) made no video: \(end.reason(in: messages, after: 1000))")
  }

  /// Variables that change what the program writes.
  private static let removed = ["FFREPORT", "AV_LOG_FORCE_COLOR"].map { Array($0.utf8) }

  private static func line(_ options: [String]) -> [[UInt8]] {
    ([name, "-hide_banner", "-loglevel", "error", "-nostats"] + options).map { Array($0.utf8) }
  }

  /// The options of a format, and the file in the current folder, as a `%` in its path would be read
  /// as the number of a frame.
  private static func output(of format: FileFormat) -> [[UInt8]] {
    // The colours of screens.
    let colours = [
      "-vf", "scale=out_color_matrix=bt709:out_range=tv,format=yuv420p", "-colorspace", "bt709",
      "-color_primaries", "bt709", "-color_trc", "bt709", "-color_range", "tv",
    ]
    func words(_ options: [String], _ file: [UInt8]) -> [[UInt8]] {
      options.map { Array($0.utf8) } + [file]
    }
    switch format {
    case .gif:
      // The colours are known after the last frame only: keep all frames until then.
      return words(
        ["-filter_complex", "split[a][b];[b]palettegen[c]", "-map", "[a]", "-c:v", "ffv1"], frames)
        + words(["-map", "[c]"], palette)
    case .webm:
      return words(
        colours + ["-c:v", "libvpx-vp9", "-deadline", "realtime", "-cpu-used", "8", "-row-mt", "1"]
          + ["-crf", "32", "-b:v", "0", "-f", "webm"], video)
    default:
      return words(
        colours + ["-c:v", "libx264", "-preset", "veryfast", "-crf", "20"]
          + ["-movflags", "+faststart", "-f", "mp4"], video)
    }
  }
}

/// A headless browser that draws the frames of a film, for as long as the value exists.
///
/// It has a fresh profile, and reaches nothing but the server of the film.
struct FilmBrowser {
  /// Its name.
  let name: String
  private let program: RunningProgram
  private let messages: ScratchFile

  /// Seconds for the browser to take the address.
  private static let patience = 30

  /// Opens the page of a server.
  ///
  /// - Parameter folder: The folder for its profile and all other files that it makes.
  init(
    _ browser: PictureProgram, showing server: FilmServer, _ size: FrameSize,
    in folder: ScratchFolder
  ) throws(Failure) {
    name = browser.rawValue
    let options =
      PictureProgram.headless(width: size.width, height: size.height, scale: 1)
      + Self.options + Self.noNetwork(but: server.port)
    // A short path, as it becomes a part of that of a socket.
    let temporary = Array("TMPDIR=.".utf8)
    let profile = PictureProgram.profile("profile", in: folder)
    (program, messages) = try explaining("can't start \(name)", as: .output) { [name] in
      let messages = try ScratchFile()
      let path = Array(name.utf8)
      let program = try RunningProgram(
        group: [ThisProcess.path(ofProgram: path) ?? path] + options.map { Array($0.utf8) }
          + [profile, Array("about:blank".utf8)],
        in: folder.path, input: .questionsApart, messages: messages, patience: Self.patience,
        setting: PictureProgram.variables(in: folder) + [temporary],
        removing: PictureProgram.removedVariables)
      try program.ask(Self.opening(server.address).span)
      return (program, messages)
    }
  }

  /// Whether it has ended.
  var hasEnded: Bool { program.hasEnded }

  /// Its last words, to end a sentence.
  var lastWords: String { messages.lastWords }

  /// The command of the browser's protocol that opens an address. Other users of the machine can't
  /// see it, as they see the command line.
  private static func opening(_ address: String) -> [UInt8] {
    var json = JSONBuilder()
    json.object { json in
      json.member("id", 1)
      json.member("method", text: Array("Target.createTarget".utf8))
      json.key("params")
      json.object { $0.member("url", text: Array(address.utf8)) }
    }
    return json.bytes + [0]
  }

  /// The browser takes its commands from this process, and ends when this process does.
  private static let options = [
    "--remote-debugging-pipe", "--mute-audio", "--force-color-profile=srgb",
    "--disable-dev-shm-usage", "--disable-extensions", "--no-default-browser-check",
    "--password-store=basic", "--use-mock-keychain", "--disable-breakpad",
    // A page without a window would be slowed down.
    "--disable-background-timer-throttling", "--disable-renderer-backgrounding",
    "--disable-backgrounding-occluded-windows",
  ]

  /// Options without which the browser would reach other machines.
  private static func noNetwork(but port: UInt16) -> [String] {
    [
      "--disable-background-networking", "--disable-component-update", "--disable-default-apps",
      "--disable-sync", "--disable-domain-reliability", "--disable-client-side-phishing-detection",
      "--no-pings", "--disable-quic",
      "--disable-features=OptimizationHints,MediaRouter,Translate,AutofillServerCommunication,"
        + "CertificateTransparencyComponentUpdater",
      "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
      // No name is looked up, and the server refuses to be a proxy.
      "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1",
      "--proxy-server=http://127.0.0.1:\(port)",
    ]
  }
}
