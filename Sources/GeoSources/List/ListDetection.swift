import GeoCore

extension ListFormat {
  /// The number of first bytes that are enough to recognise a format.
  package static let beginning = 1 << 16

  /// The formats that the first bytes of a list fit, apart from ``lines``, which fits anything.
  package static func fitting(_ bytes: [UInt8]) -> [ListFormat] {
    allCases.filter { $0.fits(bytes) }
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
    // Exports are told from lists elsewhere; they fit both ncdu and gdu.
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
