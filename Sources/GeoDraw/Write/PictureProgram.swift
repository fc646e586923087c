import GeoCore
import GeoSystem
import Synchronization

/// Why a drawing can't be converted to PNG.
package enum PictureError: GroupedError, Equatable {
  /// None of the programs is installed.
  case noProgram
  /// Temporary files can't be written.
  case noScratch(Errno)
  /// A system call failed.
  case system(PictureProgram, Errno)
  /// The program made no picture; with the reason in words.
  case noPicture(PictureProgram, String)

  package var group: ErrorGroup { self == .noProgram ? .usage : .output }

  package var description: String {
    switch self {
    case .noProgram:
      "PNG needs rsvg-convert or Chromium, and neither is in PATH; install one (on Debian "
        + "'apt-get install librsvg2-bin'), or write SVG"
    case .noScratch(let reason):
      "can't write temporary files: \(reason); set TMPDIR to a folder with free space"
    case .system(let program, let reason):
      "can't make a PNG with \(program.rawValue): \(reason)"
    case .noPicture(let program, let reason):
      "\(program.rawValue) made no PNG of the sheet: \(reason)"
    }
  }
}

/// A program that converts SVG to PNG.
package enum PictureProgram: String, CaseIterable, Sendable {
  case rsvg = "rsvg-convert"
  case chromium
  case chromiumBrowser = "chromium-browser"
  case chrome = "google-chrome"

  /// The first bytes of a PNG.
  private static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47]
  /// The largest PNG that is read, in bytes.
  private static let most = 1 << 30
  /// The time limit of one conversion; the largest sheets take some seconds.
  private static let milliseconds: Int64 = 120_000

  /// The programs that show pages.
  package static let browsers: [PictureProgram] = [.chromium, .chromiumBrowser, .chrome]

  /// The first of the programs that is installed.
  package static func find() throws(PictureError) -> PictureProgram {
    if let found = try first(of: allCases) { return found }
    throw .noProgram
  }

  /// The first of some programs that is installed; nil if none is.
  package static func first(of programs: [PictureProgram]) throws(PictureError) -> PictureProgram? {
    let messages: ScratchFile
    do throws(Errno) {
      messages = try ScratchFile()
    } catch {
      throw .noScratch(error)
    }
    for program in programs {
      var asked = BoundedProgram(
        [program.rawValue, "--version"].map { Array($0.utf8) }, for: milliseconds)
      asked.messages = messages
      asked.endsWithThis = true
      if let end = try? asked.run(), end == .ended(0) { return program }
    }
    return nil
  }

  /// Converts a drawing.
  ///
  /// - Parameters:
  ///   - scale: Pixels for each unit of the drawing.
  ///   - progress: Called now and then during the conversion.
  package func png(
    of svg: [UInt8], width: Int, height: Int, scale: Int = 2,
    progress: @escaping @Sendable () -> Void
  ) throws(PictureError) -> [UInt8] {
    let series = try PictureSeries(by: self, atATime: 1, progress: progress)
    try series.begin(svg, width: width, height: height, scale: scale)
    return try series.next()
  }

  /// Converts a drawing in a file.
  ///
  /// - Parameters:
  ///   - drawing: The path of an SVG.
  ///   - picture: The path of the PNG, which must not exist.
  ///   - isWanted: Asked now and then; the conversion ends if it returns false.
  /// - Returns: The bytes of the PNG.
  func run(
    _ drawing: [UInt8], into picture: [UInt8], width: Int, height: Int, scale: Int,
    while isWanted: () -> Bool
  ) throws(PictureError) -> [UInt8] {
    let reason: String
    do throws(Errno) {
      let messages = try ScratchFile()
      var program = BoundedProgram(
        [Array(rawValue.utf8)]
          + arguments(from: drawing, to: picture, width: width, height: height, scale: scale),
        for: Self.milliseconds)
      program.removed = [Array("DBUS_*".utf8)]
      program.messages = messages
      program.endsWithThis = true
      let end = try program.run(while: isWanted)
      let png = (try? FileSystem.readInput(picture, limit: Self.most)) ?? []
      if end == .ended(0), png.starts(with: Self.signature) { return png }
      switch end {
      case .late: reason = "it took more than \(Self.milliseconds / 1000) seconds, and was ended"
      case .killed: reason = "a signal ended it"
      case .ended:
        let line = Array(messages.beginning(4096).prefix { $0 != UInt8(ascii: "\n") })
        reason = line.isEmpty ? "it doesn't say why" : TerminalText.escaped(line)
      }
    } catch {
      throw .system(self, error)
    }
    throw .noPicture(self, reason)
  }

  private func arguments(
    from: [UInt8], to: [UInt8], width: Int, height: Int, scale: Int
  ) -> [[UInt8]] {
    switch self {
    case .rsvg:
      let options = [
        "--format", "png", "--dpi-x", "96", "--dpi-y", "96", "--zoom", "\(scale)", "-o",
      ]
      return options.map { Array($0.utf8) } + [to, from]
    case .chromium, .chromiumBrowser, .chrome:
      return Self.headless(width: width, height: height, scale: scale).map { Array($0.utf8) }
        + [Array("--screenshot=".utf8) + to, Array("file://".utf8) + from]
    }
  }

  /// The options of a browser without a window.
  ///
  /// - Parameter scale: Pixels of the picture for each one of the page.
  package static func headless(width: Int, height: Int, scale: Int) -> [String] {
    let options = [
      "--headless", "--disable-gpu", "--hide-scrollbars", "--no-first-run",
      "--force-device-scale-factor=\(scale)", "--window-size=\(width),\(height)",
    ]
    // Chromium refuses to use its sandbox as root.
    return options + (ThisProcess.isRoot ? ["--no-sandbox"] : [])
  }
}

/// Conversions of drawings that run in parallel; results come in the order in which they were
/// begun.
///
/// Conversions whose results are not taken end with this object.
package final class PictureSeries {
  private let program: PictureProgram
  private let folder: ScratchFolder
  /// The files of each parallel conversion.
  private let places: [(drawing: [UInt8], picture: [UInt8])]
  private var underWay: [BackgroundTask<Result<[UInt8], PictureError>>] = []
  private var begun = 0
  private let isWanted = Wanted()
  private let progress: @Sendable () -> Void

  /// Whether the results are still needed.
  private final class Wanted: Sendable {
    let isSo = Atomic(true)
  }

  /// - Parameters:
  ///   - count: The number of parallel conversions.
  ///   - progress: Called now and then during conversions.
  package init(
    by program: PictureProgram, atATime count: Int, progress: @escaping @Sendable () -> Void
  ) throws(PictureError) {
    self.program = program
    self.progress = progress
    places = (0..<count).map {
      (Array("sheet-\($0).svg".utf8), Array("sheet-\($0).png".utf8))
    }
    do throws(Errno) {
      folder = try ScratchFolder()
    } catch {
      throw .system(program, error)
    }
  }

  deinit {
    isWanted.isSo.store(false, ordering: .relaxed)
    // Wait before the folder is removed: conversions may still write into it.
    for work in underWay { _ = try? work.finish() }
  }

  /// Whether a result has to be taken before another conversion can begin.
  package var isFull: Bool { underWay.count == places.count }

  /// Begins a conversion; the series must not be full.
  ///
  /// - Parameter scale: Pixels for each unit of the drawing.
  package func begin(_ svg: [UInt8], width: Int, height: Int, scale: Int) throws(PictureError) {
    let (drawing, picture) = places[begun % places.count]
    begun += 1
    do throws(Errno) {
      for file in [drawing, picture] { folder.remove(file) }
      try folder.write(svg.span, as: drawing)
    } catch {
      throw .system(program, error)
    }
    let (from, to) = (folder.path(of: drawing), folder.path(of: picture))
    let work = BackgroundTask { [program, isWanted, progress] () throws(Errno) in
      Result { () throws(PictureError) in
        try program.run(from, into: to, width: width, height: height, scale: scale) {
          progress()
          return isWanted.isSo.load(ordering: .relaxed)
        }
      }
    }
    work.begin()
    underWay.append(work)
  }

  /// The result of the oldest conversion.
  package func next() throws(PictureError) -> [UInt8] {
    let result: Result<[UInt8], PictureError>
    do throws(Errno) {
      result = try underWay.removeFirst().finish()
    } catch {
      throw .system(program, error)
    }
    return try result.get()
  }
}
