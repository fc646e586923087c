import GeoCore
import GeoSystem
import GeoTree

/// Which names are replaced, and by what.
///
/// An entry that matches a glob, and everything in it, gets a name made from its path and a key.
/// Without the key a name can't be found, not even by trying candidates. Places on the map,
/// identifiers and order follow from the new names. A new name is `~` and sixteen letters or
/// digits; other names of that form are replaced, too.
package struct Redaction: Sendable {
  /// Excludes the entries to rename: its globs mean the same as in a selection.
  let globs: Selection
  private let hmac: HMAC
  /// The number of letters of a new name.
  private let letters: Int

  /// The alphabet of base 32 in lower case (RFC 4648, section 6), without similar letters.
  private static let alphabet = Array("abcdefghijklmnopqrstuvwxyz234567".utf8)
  private static let sign = UInt8(ascii: "~")

  /// - Parameter letters: Fewer than usual, to test collisions.
  package init(
    _ globs: [[UInt8]], key: RedactionKey, letters: Int = 16
  ) throws(Selection.GlobError) {
    var selection = Selection()
    for glob in globs { try selection.exclude(glob) }
    self.globs = selection
    hmac = HMAC(key: key.bytes)
    self.letters = letters
  }

  /// Roots with replaced names. Labels stay, as the user chooses them.
  ///
  /// - Parameters:
  ///   - keepsObjects: Whether contents can be compared by their object ids, which must not be
  ///     written.
  ///   - keepsIdentity: Whether entries with new names keep their device, inode, owner, group and
  ///     number of names, to count each file once. They must not be written: on the same disk an
  ///     inode leads to the old name.
  package func roots(
    _ roots: [ScanRoot], keepsObjects: Bool = false, keepsIdentity: Bool = true
  ) -> [ScanRoot] {
    roots.map { root in
      var shown = root
      // The folder's path on disk must stay hidden, too.
      shown.directory = shown.label
      shown.source = RedactingSource(
        root, self, keepsObjects: keepsObjects, keepsIdentity: keepsIdentity)
      return shown
    }
  }

  /// The replacement for a word that is not the name of a file, such as an author or a revision.
  package func word(for word: [UInt8]) -> [UInt8] {
    // No path begins with a zero byte.
    name(for: [0] + word, try: 0)
  }

  /// Whether a name has the form of a replacement.
  func isNew(_ name: [UInt8]) -> Bool {
    name.count == letters + 1 && name[0] == Self.sign
      && name.dropFirst().allSatisfy(Self.alphabet.contains)
  }

  /// The replacement for the name at a path.
  ///
  /// - Parameters:
  ///   - path: The replaced path of its folder, and its own name.
  ///   - attempt: 0, or how many replacements before were taken already.
  func name(for path: [UInt8], try attempt: UInt8) -> [UInt8] {
    // A path has no zero byte.
    let digest = hmac.digest(attempt == 0 ? path : path + [0, attempt])
    var name = [Self.sign]
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

/// The secret key from which replacements are made: with it, a name can be matched to a path.
package struct RedactionKey: Sendable, Hashable {
  static let length = 32

  let bytes: [UInt8]

  package static func random() throws(Errno) -> RedactionKey {
    RedactionKey(bytes: try ThisProcess.randomBytes(length))
  }

  private init(bytes: [UInt8]) { self.bytes = bytes }

  /// Reads a key file: 64 hexadecimal digits and an optional line end.
  package init?(parsing text: [UInt8]) {
    var digits = text[...]
    if digits.last == UInt8(ascii: "\n") { digits.removeLast() }
    if digits.last == UInt8(ascii: "\r") { digits.removeLast() }
    guard digits.count == 2 * Self.length else { return nil }
    let values = digits.compactMap { Character(UnicodeScalar($0)).hexDigitValue }
    guard values.count == digits.count else { return nil }
    bytes = stride(from: 0, to: values.count, by: 2).map {
      UInt8(values[$0] << 4 | values[$0 + 1])
    }
  }

  package var text: [UInt8] {
    Array(Base16.encode(bytes).utf8) + [UInt8(ascii: "\n")]
  }
}

/// The replaced names of a folder in the order of a listing, with the source's name of each.
package struct RedactedNames: Sendable {
  private(set) var own = NameTable()
  package private(set) var shown = NameTable()
  /// By index in ``shown``: the index in ``own``. Empty if both are equal.
  private var numbers: [Int] = []

  init(_ own: NameTable) {
    self.own = own
    shown = own
  }

  fileprivate init(_ own: NameTable, shown names: [[UInt8]]) {
    self.own = own
    numbers = names.indices.sorted { names[$0].lexicographicallyPrecedes(names[$1]) }
    for number in numbers {
      let name = names[number]
      shown.append(name.span, kind: own.records[number].kind)
    }
  }

  /// The index of the source's name for a replaced one.
  func number(at index: Int) -> Int { numbers.isEmpty ? index : numbers[index] }

  /// Sorts values of the source's names by the replaced names.
  func arranged<Value>(_ values: [Value]) -> [Value] {
    numbers.isEmpty || values.isEmpty ? values : numbers.map { values[$0] }
  }

  /// By index in ``own``: the index in ``shown``.
  package var positions: [Int] {
    var positions = Array(own.records.indices)
    for (index, number) in numbers.enumerated() { positions[number] = index }
    return positions
  }
}

/// Replaces the names of listings; each reader has one.
package final class NameRedactor {
  private let redaction: Redaction
  private let selector: Selector
  private var verdicts: [Selector.FolderVerdict] = []
  private var facts: [EntryFacts] = []

  package init(_ redaction: Redaction) {
    self.redaction = redaction
    selector = Selector(redaction.globs)
  }

  /// A folder's original and replaced path.
  package struct Folder {
    private(set) var path: [UInt8]
    private(set) var shown: [UInt8]
    /// Whether all names in it are replaced.
    private(set) var isHidden = false

    /// A root. Both labels may differ.
    package init(root label: [UInt8], shown: [UInt8]) { (path, self.shown) = (label, shown) }

    package func folder(own name: [UInt8], shown: [UInt8]) -> Folder {
      var folder = self
      folder.path.append(component: name)
      folder.shown.append(component: shown)
      folder.isHidden = isHidden || name != shown
      return folder
    }
  }

  package func redact(
    files: NameTable, folders: NameTable, of folder: Folder
  ) -> (files: RedactedNames, folders: RedactedNames) {
    let (hiddenFiles, hiddenFolders) = hidden(files, folders, of: folder)
    if !hiddenFiles.contains(true), !hiddenFolders.contains(true) {
      return (RedactedNames(files), RedactedNames(folders))
    }
    var taken: Set<[UInt8]> = []
    let shownFiles = names(files, hiddenFiles, of: folder, &taken)
    let shownFolders = names(folders, hiddenFolders, of: folder, &taken)
    return (RedactedNames(files, shown: shownFiles), RedactedNames(folders, shown: shownFolders))
  }

  private func hidden(
    _ files: NameTable, _ folders: NameTable, of folder: Folder
  ) -> (files: [Bool], folders: [Bool]) {
    if folder.isHidden {
      return (
        Array(repeating: true, count: files.count), Array(repeating: true, count: folders.count)
      )
    }
    selector.judgeFolders(folders, in: folder.path, scope: nil, into: &verdicts)
    facts.removeAll(keepingCapacity: true)
    facts.append(contentsOf: files.records.lazy.map { EntryFacts(kind: $0.kind) })
    selector.selectFiles(files, 0..<files.count, in: folder.path, scope: nil, facts: &facts)
    return (
      facts.indices.map { facts[$0].status == .hidden || redaction.isNew(files.name(at: $0)) },
      verdicts.indices.map {
        verdicts[$0].reason != nil || redaction.isNew(folders.name(at: $0))
      }
    )
  }

  /// - Parameter taken: Replacements used in the folder so far. A collision is very unlikely, but
  ///   two entries must never get one name.
  private func names(
    _ own: NameTable, _ hidden: [Bool], of folder: Folder, _ taken: inout Set<[UInt8]>
  ) -> [[UInt8]] {
    hidden.indices.map { index in
      let name = own.name(at: index)
      if !hidden[index] { return name }
      let path = folder.shown.appending(component: name)
      var attempt: UInt8 = 0
      var shown = redaction.name(for: path, try: attempt)
      while !taken.insert(shown).inserted, attempt < .max {
        attempt += 1
        shown = redaction.name(for: path, try: attempt)
      }
      return shown
    }
  }
}
