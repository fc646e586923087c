import GeoCore
import GeoSystem
import GeoTree

/// Which names aren't told, and what is told in their place.
///
/// What a glob matches, and all that is in it, gets a name that is made of its path and a key, so that nobody
/// without the key can tell a name, or try names until one fits. All that follows from names is of the new
/// ones: places on the map, identifiers, order. A new name is `~` and sixteen letters or digits, whatever
/// was there before; nothing else has such a name, for one that looks like it gets another, too.
package struct Redaction: Sendable {
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
  package init(_ globs: [[UInt8]], key: RedactionKey) throws(GlobError) {
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
  package func roots(_ roots: [ScanRoot]) -> [ScanRoot] {
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

/// What names are made of in the place of others: who has it can tell which name stands for a path.
package struct RedactionKey: Sendable, Hashable {
  /// Bytes of a key: as many as the digest has, so that it is no weaker.
  static let length = 32

  let bytes: [UInt8]

  /// A key that nobody can foretell.
  ///
  /// - Throws: Why the system has no such bytes.
  package static func random() throws(Errno) -> RedactionKey {
    RedactionKey(bytes: try ThisProcess.randomBytes(length))
  }

  private init(bytes: [UInt8]) { self.bytes = bytes }

  /// The key that a file's text tells: 64 hexadecimal digits, and nothing else but the end of a line.
  ///
  /// - Parameter text: The file's bytes; nil comes of any others.
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

  /// The text of a file that tells the key.
  package var text: [UInt8] {
    let digits = Array("0123456789abcdef".utf8)
    return bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] } + [UInt8(ascii: "\n")]
  }
}

/// The names of a folder as they are told, in the order of a listing, and which of the source's names each
/// stands for.
struct RedactedNames: Sendable {
  /// As the source has them.
  private(set) var own = NameTable()
  /// As they are told, sorted.
  private(set) var told = NameTable()
  /// By the order of ``told``: which of ``own`` it is. Empty if both are the same.
  private var numbers: [Int] = []

  /// No names.
  init() {}

  /// Names all of which are told.
  init(_ own: NameTable) {
    self.own = own
    told = own
  }

  /// Names, with what is told for each.
  fileprivate init(_ own: NameTable, told names: [[UInt8]]) {
    self.own = own
    numbers = names.indices.sorted { names[$0].lexicographicallyPrecedes(names[$1]) }
    for number in numbers {
      let name = names[number]
      told.append(name.span, kind: own.records[number].kind)
    }
  }

  /// Which of the source's names is told at an index.
  func number(at index: Int) -> Int { numbers.isEmpty ? index : numbers[index] }

  /// What belongs to the source's names, in the order in which these are told.
  func arranged<Value>(_ values: [Value]) -> [Value] {
    numbers.isEmpty || values.isEmpty ? values : numbers.map { values[$0] }
  }

  /// By the order of ``own``: which of ``told`` it is.
  var positions: [Int] {
    var positions = Array(own.records.indices)
    for (index, number) in numbers.enumerated() { positions[number] = index }
    return positions
  }
}

/// Finds what is told for the names of listings; each reader has its own.
final class NameRedactor {
  private let redaction: Redaction
  private let selector: Selector
  private var verdicts: [Selector.FolderVerdict] = []
  private var facts: [EntryFacts] = []

  init(_ redaction: Redaction) {
    self.redaction = redaction
    selector = Selector(redaction.globs)
  }

  /// A folder, and what is told of its path.
  struct Folder {
    /// As the source has it.
    var path: [UInt8]
    /// As it is told.
    var told: [UInt8]
    /// Whether nothing in it is told by its name.
    var isHidden: Bool { path != told }
  }

  /// What is told for the names of a folder.
  func redact(
    files: NameTable, folders: NameTable, of folder: Folder
  ) -> (files: RedactedNames, folders: RedactedNames) {
    let (hiddenFiles, hiddenFolders) = hidden(files, folders, of: folder)
    if !hiddenFiles.contains(true), !hiddenFolders.contains(true) {
      return (RedactedNames(files), RedactedNames(folders))
    }
    var taken: Set<[UInt8]> = []
    let toldFiles = names(files, hiddenFiles, of: folder, &taken)
    let toldFolders = names(folders, hiddenFolders, of: folder, &taken)
    return (RedactedNames(files, told: toldFiles), RedactedNames(folders, told: toldFolders))
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
    var counts = ExclusionCounts()
    selector.selectFiles(
      files, 0..<files.count, in: folder.path, scope: nil, facts: &facts, counts: &counts)
    return (
      facts.indices.map { facts[$0].status == .hidden || redaction.isNew(files.name(at: $0)) },
      verdicts.indices.map {
        verdicts[$0].reason != nil || redaction.isNew(folders.name(at: $0))
      }
    )
  }

  /// - Parameter taken: New names of the folder so far. That two paths come to one name won't happen, but
  ///   two entries of one name must not.
  private func names(
    _ own: NameTable, _ hidden: [Bool], of folder: Folder, _ taken: inout Set<[UInt8]>
  ) -> [[UInt8]] {
    hidden.indices.map { index in
      let name = own.name(at: index)
      if !hidden[index] { return name }
      let path = folder.told.appending(component: name)
      var attempt: UInt8 = 0
      var told = redaction.name(for: path, try: attempt)
      while !taken.insert(told).inserted, attempt < .max {
        attempt += 1
        told = redaction.name(for: path, try: attempt)
      }
      return told
    }
  }
}
