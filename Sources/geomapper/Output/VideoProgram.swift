import GeoCore
import GeoSystem
import GeoWeb

/// A video that ffmpeg makes of frames as they come.
struct VideoProgram {
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

  var hasEnded: Bool { program.hasEnded }

  func add(_ frame: [UInt8]) throws(Failure) {
    do throws(Errno) {
      try program.ask(frame.span)
    } catch .wouldBlock {
      throw silence("took no frame")
    } catch {
      throw failure
    }
  }

  func finish(progress: () -> Void) throws(Failure) -> InputFile {
    var watch = SilenceWatch()
    let first = program.finish { watch.isAlive(writing: written) }
    if first == .late { throw silence("wrote nothing") }
    if first != .ended(0) { throw failure(first) }
    if format == .gif { try replaceColours(progress) }
    return try rethrowing(folder.open(Self.video)) { _ in failure(first) }
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

  private var written: Int64 {
    messages.size + [Self.video, Self.frames, Self.palette].reduce(0) { $0 + folder.size(of: $1) }
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
    .output("\(Self.name) \(what) for \(Self.patience) seconds, and was ended" + messages.lastWords)
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
