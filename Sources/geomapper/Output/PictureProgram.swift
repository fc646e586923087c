import GeoPath
import GeoSystem

/// A program that makes a PNG of a drawing.
enum PictureProgram: String, CaseIterable, Sendable {
  case rsvg = "rsvg-convert"
  case chromium
  case chromiumBrowser = "chromium-browser"
  case chrome = "google-chrome"

  private static let drawing = Array("sheet.svg".utf8)
  private static let picture = Array("sheet.png".utf8)
  /// What a PNG begins with.
  private static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47]
  /// The largest picture that is read.
  private static let most = 1 << 30

  /// The first of them that is installed.
  static func find() throws(Failure) -> PictureProgram {
    for program in allCases {
      guard let running = try? RunningProgram(program.rawValue, [Array("--version".utf8)]) else {
        continue
      }
      var text: [UInt8] = []
      while let count = try? running.read(upTo: 4096, appendingTo: &text), count > 0 {}
      if running.finish() == 0 { return program }
    }
    throw .usage(
      "a PNG is made by rsvg-convert or Chromium, and none of them is in PATH: install one (on "
        + "Debian 'apt-get install librsvg2-bin'), or write SVG")
  }

  /// The picture of a drawing.
  ///
  /// - Parameter scale: Pixels for each of its units.
  func png(
    of svg: [UInt8], width: Int, height: Int, scale: Int = 2
  ) throws(Failure) -> [UInt8] {
    var text: [UInt8] = []
    let status: Int32?
    do throws(Errno) {
      let folder = try ScratchFolder(for: [Self.drawing, Self.picture])
      try folder.write(svg.span, as: Self.drawing)
      let running = try RunningProgram(
        rawValue, arguments(folder, width: width, height: height, scale: scale),
        removing: ["DBUS_*"])
      while try running.read(upTo: 1 << 16, appendingTo: &text) > 0 {}
      status = running.finish()
      let file = folder.path(of: Self.picture)
      let png = (try? FileSystem.readInput(file, limit: Self.most)) ?? []
      if status == 0, png.starts(with: Self.signature) { return png }
      text = running.errorText
    } catch {
      throw .output("can't make a PNG with \(rawValue): \(error)")
    }
    let line = Array(text.prefix { $0 != UInt8(ascii: "\n") })
    let reason =
      status == nil
      ? "a signal ended it" : line.isEmpty ? "it doesn't say why" : TerminalText.escaped(line)
    throw .output("\(rawValue) made no PNG of the sheet: \(reason)")
  }

  private func arguments(
    _ folder: ScratchFolder, width: Int, height: Int, scale: Int
  ) -> [[UInt8]] {
    let (from, to) = (folder.path(of: Self.drawing), folder.path(of: Self.picture))
    switch self {
    case .rsvg:
      let options = [
        "--format", "png", "--dpi-x", "96", "--dpi-y", "96", "--zoom", "\(scale)", "-o",
      ]
      return options.map { Array($0.utf8) } + [to, from]
    case .chromium, .chromiumBrowser, .chrome:
      var options = [
        "--headless", "--disable-gpu", "--hide-scrollbars", "--no-first-run",
        "--force-device-scale-factor=\(scale)", "--window-size=\(width),\(height)",
      ]
      // It refuses to be its own jailer for root.
      if ThisProcess.isRoot { options.append("--no-sandbox") }
      return options.map { Array($0.utf8) }
        + [Array("--screenshot=".utf8) + to, Array("file://".utf8) + from]
    }
  }
}
