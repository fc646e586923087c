import GeoCore
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

  /// Seconds after which a program that takes no frame is given up.
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
    do throws(Errno) {
      messages = try ScratchFile()
      program = try RunningProgram(
        group: Self.line(input) + Self.output(of: format, in: folder), input: .questions,
        messages: messages, patience: Self.patience, removing: Self.removed)
    } catch {
      throw .output("can't start \(Self.name): \(error)")
    }
  }

  /// Whether the program has ended.
  var hasEnded: Bool { program.hasEnded }

  /// Adds a frame; waits until the program takes it.
  func add(_ frame: [UInt8]) throws(Failure) {
    do throws(Errno) {
      try program.ask(frame.span)
    } catch {
      throw failure
    }
  }

  /// Waits until the video is complete.
  ///
  /// - Parameter progress: Called now and then.
  /// - Returns: The video.
  func finish(progress: () -> Void) throws(Failure) -> InputFile {
    if program.finish() != 0 { throw failure }
    do throws(Errno) {
      if format == .gif {
        let input = [Self.frames, Self.palette].flatMap {
          [Array("-i".utf8), folder.path(of: $0)]
        }
        let colours = [
          "-lavfi", "paletteuse=dither=bayer:bayer_scale=4:diff_mode=rectangle", "-f", "gif",
        ]
        var second = BoundedProgram(
          Self.line([]) + input + colours.map { Array($0.utf8) } + [folder.path(of: Self.video)],
          for: Self.longest)
        second.removed = Self.removed
        second.messages = messages
        second.endsWithThis = true
        let end = try second.run {
          progress()
          return true
        }
        if end != .ended(0) { throw Errno.inputOutput }
      }
      return try folder.open(Self.video)
    } catch {
      throw failure
    }
  }

  /// Why there is no video.
  var failure: Failure {
    let line = Array(messages.beginning(4096).prefix { $0 != UInt8(ascii: "\n") })
    let reason = line.isEmpty ? "it doesn't say why" : TerminalText.escaped(line)
    return .output("\(Self.name) made no video: \(reason)")
  }

  /// Variables that change what the program writes.
  private static let removed = ["FFREPORT", "AV_LOG_FORCE_COLOR"].map { Array($0.utf8) }

  private static func line(_ options: [String]) -> [[UInt8]] {
    ([name, "-hide_banner", "-loglevel", "error", "-nostats"] + options).map { Array($0.utf8) }
  }

  /// The options of a format, and the file.
  private static func output(of format: FileFormat, in folder: ScratchFolder) -> [[UInt8]] {
    // The colours of screens.
    let colours = [
      "-vf", "scale=out_color_matrix=bt709:out_range=tv,format=yuv420p", "-colorspace", "bt709",
      "-color_primaries", "bt709", "-color_trc", "bt709", "-color_range", "tv",
    ]
    func words(_ options: [String], _ file: [UInt8]) -> [[UInt8]] {
      options.map { Array($0.utf8) } + [folder.path(of: file)]
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
