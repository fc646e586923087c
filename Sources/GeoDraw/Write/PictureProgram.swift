import GeoCore
import GeoFormats
import GeoSystem

extension ScratchFile {
  /// The last words of a program as the end of a message; empty without any.
  package var lastWords: String {
    lastLine.map { "; its last words: \(TerminalText.escaped($0))" } ?? ""
  }
}

extension BoundedProgram.End {
  /// Why a program that ended this way has failed, with its own words.
  package func reason(in messages: ScratchFile, after milliseconds: Int64) -> String {
    switch self {
    case .late:
      return "it took more than \(milliseconds / 1000) seconds, and was ended\(messages.lastWords)"
    case .killed(let number): return "signal \(number) ended it\(messages.lastWords)"
    case .ended:
      let line = Array(messages.beginning(4096).prefix { $0 != UInt8(ascii: "\n") })
      return line.isEmpty ? "it doesn't say why" : TerminalText.escaped(line)
    }
  }
}

/// A program that converts SVG to PNG.
package enum PictureProgram: String, CaseIterable, Sendable {
  case rsvg = "rsvg-convert"
  case chromium
  case chromiumBrowser = "chromium-browser"
  case chrome = "google-chrome"

  private static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47]
  private static let (drawing, picture) = ("sheet.svg", "sheet.png")
  private static let maximum = 1 << 30
  /// The time limit of one conversion; the largest sheets take some seconds.
  private static let milliseconds: Int64 = 120_000
  private static let askingMilliseconds: Int64 = 20_000

  package static let browsers: [PictureProgram] = [.chromium, .chromiumBrowser, .chrome]

  package static func find() throws(Failure) -> PictureProgram {
    if let found = try first(of: allCases) { return found }
    throw .usage(
      "PNG needs rsvg-convert or Chromium, and neither is in PATH; install one (on Debian "
        + "'apt-get install librsvg2-bin'), or write SVG")
  }

  /// Nil if none is installed; throws why the first one doesn't work, if none does.
  package static func first(of programs: [PictureProgram]) throws(Failure) -> PictureProgram? {
    var failure: Failure?
    for program in programs
    where ThisProcess.path(ofProgram: Array(program.rawValue.utf8)) != nil {
      do throws(Failure) {
        let folder = try rethrowing(ScratchFolder(), as: Failure.noScratch)
        let messages = try rethrowing(ScratchFile(), as: Failure.noScratch)
        var asked = BoundedProgram(
          [program.rawValue, "--version"].map { Array($0.utf8) }, for: askingMilliseconds)
        (asked.variables, asked.removed) = (variables(in: folder), removedVariables)
        asked.messages = messages
        asked.endsWithThis = true
        let end = try rethrowing(asked.run(), as: program.failure)
        if end == .ended(0) { return program }
        let reason = end.reason(in: messages, after: askingMilliseconds)
        throw .output("'\(program.rawValue) --version' fails: \(reason)")
      } catch {
        failure = failure ?? error
      }
    }
    if let failure { throw failure }
    return nil
  }

  func failure(_ reason: Errno) -> Failure {
    .output("can't make a PNG with \(rawValue): \(reason)")
  }

  /// The variables that keep all that a program writes in a folder.
  package static func variables(in folder: ScratchFolder) -> [[UInt8]] {
    ["HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME"].map {
      Array("\($0)=".utf8) + folder.path
    }
  }

  /// The variables that lead a program to others.
  package static let removedVariables = ["DBUS_*", "CHROMIUM_FLAGS"].map { Array($0.utf8) }

  package static func profile(_ name: String, in folder: ScratchFolder) -> [UInt8] {
    Array("--user-data-dir=".utf8) + folder.path(of: Array(name.utf8))
  }

  /// - Parameter scale: Pixels for each unit of the drawing.
  package func png(
    of svg: [UInt8], width: Int, height: Int, scale: Int = 2,
    progress: () -> Void
  ) throws(Failure) -> [UInt8] {
    let folder = try rethrowing(ScratchFolder(), as: failure)
    try rethrowing(folder.write(svg.span, as: Array(Self.drawing.utf8)), as: failure)
    return try run(in: folder, width: width, height: height, scale: scale, progress)
  }

  private func run(
    in folder: ScratchFolder, width: Int, height: Int, scale: Int, _ progress: () -> Void
  ) throws(Failure) -> [UInt8] {
    let reason: String
    do throws(Errno) {
      let messages = try ScratchFile()
      var program = BoundedProgram(
        [Array(rawValue.utf8)] + arguments(in: folder, width: width, height: height, scale: scale),
        for: Self.milliseconds)
      (program.variables, program.removed) = (Self.variables(in: folder), Self.removedVariables)
      // A short path, as a browser makes it a part of that of a socket.
      program.variables.append(Array("TMPDIR=.".utf8))
      program.folder = folder.path
      program.messages = messages
      program.endsWithThis = true
      let end = try program.run {
        progress()
        return true
      }
      let file = folder.path(of: Array(Self.picture.utf8))
      let png = (try? FileSystem.readInput(file, limit: Self.maximum)) ?? []
      if end == .ended(0), png.starts(with: Self.signature) { return png }
      reason = end.reason(in: messages, after: Self.milliseconds)
    } catch {
      throw failure(error)
    }
    throw .output("\(rawValue) made no PNG of the sheet: \(reason)")
  }

  private func arguments(
    in folder: ScratchFolder, width: Int, height: Int, scale: Int
  ) -> [[UInt8]] {
    let (from, to) = (Self.drawing, Self.picture)
    switch self {
    case .rsvg:
      return [
        "--format", "png", "--dpi-x", "96", "--dpi-y", "96", "--zoom", "\(scale)", "-o", to, from,
      ].map { Array($0.utf8) }
    case .chromium, .chromiumBrowser, .chrome:
      var address = Array("file://".utf8)
      PercentText.append(folder.path(of: Array(from.utf8)).span, to: &address)
      return Self.headless(width: width, height: height, scale: scale).map { Array($0.utf8) }
        + [Self.profile("\(to).profile", in: folder), Array("--screenshot=\(to)".utf8), address]
    }
  }

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
