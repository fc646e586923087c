import GeoCore

extension ListFormat {
  /// The number of first bytes that are enough to recognise a format.
  package static let beginning = 1 << 16

  /// The formats that the first bytes of a list fit, apart from ``lines``, which fits anything.
  package static func fitting(_ bytes: [UInt8]) -> [ListFormat] {
    allCases.filter { $0.fits(bytes) }
  }

  /// Whether more bytes can't change which formats fit: one fits already, or the first line is whole
  /// and begins none that needs more. So a slow pipe is read as soon as its first line has come.
  static func areDecided(by bytes: [UInt8]) -> Bool {
    if !fitting(bytes).isEmpty { return true }
    guard let end = bytes.firstIndex(of: UInt8(ascii: "\n")), end > 0 else { return false }
    let line = bytes[..<end]
    switch line[0] {
    case UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: "#"): return false
    case UInt8(ascii: "0")...UInt8(ascii: "9"):
      // A name in a list of find can have a line end.
      return line.split(separator: UInt8(ascii: " "), maxSplits: 3).count < 4
    default:
      return !["/set", "Archive: ", "V---------"].contains { line.starts(with: $0.utf8) }
    }
  }

  private func fits(_ bytes: [UInt8]) -> Bool {
    switch self {
    case .find:
      var entry = ListedEntry()
      guard let end = bytes.firstIndex(of: 0) else { return false }
      return FindSyntax.parse(bytes[..<end], isTerminated: true, into: &entry) == nil
    case .restic: return Self.fits(ResticSyntax.self, bytes, in: "{")
    case .borg: return Self.fits(BorgSyntax.self, bytes, in: "{")
    case .rclone: return Self.fits(RcloneSyntax.self, bytes, in: "[")
    case .mtree: return MtreeParser.begins(Self.lines(of: bytes))
    case .tar: return TarParser.begins(Self.lines(of: bytes))
    case .unzip: return UnzipParser.begins(Self.lines(of: bytes))
    // Exports are recognised elsewhere; ncdu and gdu write the same.
    default: return false
    }
  }

  /// The lines that are whole.
  private static func lines(of bytes: [UInt8]) -> [ArraySlice<UInt8>] {
    bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).dropLast()
  }

  /// Whether JSON begins with an object that is typical of a program.
  ///
  /// - Parameter opening: The character before the members: `{`, or `[` for an array of objects.
  private static func fits<Syntax: ListedObjectSyntax>(
    _ syntax: Syntax.Type, _ bytes: [UInt8], in opening: Unicode.Scalar
  ) -> Bool {
    guard let first = bytes.first, first == UInt8(ascii: opening) else { return false }
    var json = JSONReader(JSONBytes(bytes))
    var object = ListedObject(Syntax.keys)
    do throws(JSONReader.Failure) {
      if opening == "[" {
        try json.take("[")
        // Nothing is listed.
        if try json.takeIf("]") { return try json.peekToken() == nil }
      }
      try object.take(from: &json)
      return Syntax.fits(object)
    } catch {
      return false
    }
  }
}
