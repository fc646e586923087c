import GeoCore
import GeoTree

/// Which names aren't told, and what is told in their place.
///
/// What a glob matches, and all that is in it, gets a name that is made of its path and a key, so that nobody
/// without the key can tell a name, or try names until one fits. All that follows from names is of the new
/// ones: places on the map, identifiers, order. A new name is `~` and sixteen letters or digits, whatever
/// was there before; nothing else has such a name, for one that looks like it gets another, too.
public struct Redaction: Sendable {
  /// Excludes what gets another name: the globs are those of a selection, and mean the same.
  let globs: Selection
  private let hmac: HMAC
  /// How many letters a new name has.
  private let letters: Int

  /// Letters that are told apart in any case and in any font (RFC 4648, section 6, in small letters).
  private static let alphabet = Array("abcdefghijklmnopqrstuvwxyz234567".utf8)
  private static let mark = UInt8(ascii: "~")

  /// Hides what globs match.
  ///
  /// - Parameters:
  ///   - globs: As for `--exclude`.
  ///   - key: The same key gives the same names.
  /// - Throws: Why one is no glob.
  public init(_ globs: [[UInt8]], key: RedactionKey) throws(GlobError) {
    try self.init(globs, key: key, letters: 16)
  }

  /// - Parameter letters: Fewer than usual, so that names meet.
  init(_ globs: [[UInt8]], key: RedactionKey, letters: Int) throws(GlobError) {
    var selection = Selection()
    for glob in globs { try selection.exclude(glob) }
    self.globs = selection
    hmac = HMAC(key: key.bytes)
    self.letters = letters
  }

  /// Roots that tell other names. Their own labels stay: whoever gives a root can give it another label.
  public func roots(_ roots: [ScanRoot]) -> [ScanRoot] {
    roots.map { root in
      var told = root
      // Where it is on disk is nobody's business either.
      told.directory = told.label
      told.source = RedactingSource(root, self)
      return told
    }
  }

  /// Whether a name looks like one that is told in the place of another.
  func isNew(_ name: [UInt8]) -> Bool {
    name.count == letters + 1 && name[0] == Self.mark
      && name.dropFirst().allSatisfy(Self.alphabet.contains)
  }

  /// The name that is told for what has a path.
  ///
  /// - Parameters:
  ///   - path: The path of its folder as it is told, and its own name.
  ///   - attempt: 0, or how many names before were somebody else's already.
  func name(for path: [UInt8], try attempt: UInt8) -> [UInt8] {
    // No path holds a zero.
    let digest = hmac.digest(attempt == 0 ? path : path + [0, attempt])
    var name = [Self.mark]
    var (bits, count) = (UInt32(0), UInt32(0))
    var next = digest.makeIterator()
    while name.count <= letters {
      if count < 5 {
        bits = bits << 8 | UInt32(next.next() ?? 0)
        count += 8
      }
      count -= 5
      name.append(Self.alphabet[Int(bits >> count & 31)])
    }
    return name
  }
}
