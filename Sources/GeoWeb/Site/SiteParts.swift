import GeoAtlas
import GeoCore
import GeoFormats
import GeoProjection
import GeoSystem
import GeoTree

/// The files from which a page learns about folders and names. Each has a range of folders in map
/// order, one line each, compressed with gzip.
///
/// The hashes of folders determine where a part ends, so that a local change leaves most parts as
/// they were. Parts are named by their hash, so that hosts recognize unchanged ones.
struct SiteParts {
  /// The list of the parts: the first folder of each, and its file.
  private var parts = JSONBuilder()
  private(set) var list = ""
  /// The list of the files with names of folders and of their contents, each with the bounds of
  /// what it has.
  private var nameParts = JSONBuilder()
  private(set) var nameList = ""
  /// The file that lists the parts of the search index.
  private(set) var search = ""
  private(set) var nameBytes: Int64 = 0
  /// The files to write, and their ranges in the scratch file.
  private(set) var files: [(name: String, range: Range<Int64>)] = []
  let measure: SizeMeasure
  private let scratch: ScratchFile
  private var packer = GzipPacker(effort: .wordy)

  private var first: [UInt8]?
  private var folders: [UInt8] = []
  private var names: [UInt8] = []
  private var bounds = Bounds()

  /// What the files of a range of folders have at most, so that the page skips ranges in which no
  /// file can match.
  private struct Bounds {
    var count: Int64 = 0
    var largest: Int64?
    var oldest: Int64?
    var newest: Int64?

    mutating func add(_ facts: EntryFacts) {
      count += 1
      if facts.status.hasSize { largest = max(largest ?? facts.size, facts.size) }
      if facts.status == .known {
        oldest = min(oldest ?? facts.modified, facts.modified)
        newest = max(newest ?? facts.modified, facts.modified)
      }
    }
  }

  /// From this size on, a part ends before a folder whose seed says so.
  private static let minimum = 1 << 16
  /// From this size on, a part ends before any folder.
  private static let maximum = 1 << 19
  /// The same sizes for files of names, all of which the page reads in order.
  private static let (minimumNames, maximumNames) = (1 << 18, 1 << 20)

  init(of world: World, totals: TreeTotals?) throws(Errno) {
    scratch = try ScratchFile()
    var writer = NodeWriter(world, totals: totals)
    let summary = SummaryWriter(world, totals: totals)
    summary.keepFiles()
    measure = summary.measure
    var index = SearchIndex()
    try world.forEachFolder { (found) throws(Errno) in
      let folder = found.folder
      let size = folders.count
      let mayEnd = folder.place.seed & 3 == 0
      if size >= Self.maximum || size >= Self.minimum && mayEnd { try end() }
      if names.count >= Self.maximumNames || names.count >= Self.minimumNames && mayEnd {
        try endNames()
      }
      if first == nil { first = folder.path }
      guard let answer = writer.answer(about: found, children: .max, summary: summary) else {
        return
      }
      folders += answer
      folders.append(10)
      add(filesIn: found)
      try index.add(Array(folder.path.lastComponent), in: Array(folder.path.parentPath ?? []))
      for file in 0..<folder.files.count {
        try index.add(folder.files.name(at: file), in: folder.path)
      }
    }
    try end()
    try endNames()
    list = try keep(parts.bytes.inBrackets, in: "folders")
    nameList = try keep(nameParts.bytes.inBrackets, in: "names")
    try keep(index)
  }

  private mutating func keep(_ index: consuming SearchIndex) throws(Errno) {
    var json = JSONBuilder()
    var lines = SearchLines()
    func end() throws(Errno) {
      guard let part = lines.end() else { return }
      let file = try keep(part.bytes, in: "search")
      json.array { json in
        json.value(text: Array(Base16.encode(part.first).utf8))
        json.value(text: Array(file.utf8))
      }
    }
    try index.finish { (entry) throws(Errno) in
      if lines.ends(before: entry) { try end() }
      lines.add(entry)
    }
    try end()
    search = try keep(json.bytes.inBrackets, in: "search")
  }

  /// Adds the names of a folder's files with what they are searched by: sizes, times, and the
  /// kinds of special files by their place in the list.
  private mutating func add(filesIn found: World.Found) {
    let folder = found.folder
    let facts = found.reader.facts(in: folder)
    let files = facts.indices.filter { facts[$0].status != .vanished }
    for index in files { bounds.add(facts[index]) }
    let line = JSONBuilder.object { json in
      json.member("path", path: folder.path)
      json.member("files", each: files) { index, json in
        let name = folder.files.name(at: index)
        if name.span.isValidUTF8 {
          json.value(text: name)
        } else {
          json.object { $0.member(name: name) }
        }
      }
      json.member("sizes", each: files) { index, json in
        json.value(known: facts[index].status.hasSize ? facts[index].size : nil)
      }
      json.member("times", each: files) { index, json in
        json.value(known: facts[index].status == .known ? facts[index].modified : nil)
      }
      let special = files.enumerated().filter { facts[$0.element].kind.special != nil }
      if special.isEmpty { return }
      json.member("special") { json in
        for (place, index) in special {
          json.member(String(place), text: facts[index].kind.special?.bytes ?? [])
        }
      }
    }
    names += line + [10]
  }

  private mutating func end() throws(Errno) {
    guard let first else { return }
    let folders = try keep(self.folders, in: "folders")
    parts.object { json in
      json.member("path", path: first)
      json.member("folders", text: Array(folders.utf8))
    }
    self.first = nil
    self.folders.removeAll(keepingCapacity: true)
  }

  private mutating func endNames() throws(Errno) {
    if names.isEmpty { return }
    let file = try keep(names, in: "names")
    let bounds = bounds
    nameParts.array { json in
      json.value(text: Array(file.utf8))
      json.value(bounds.count)
      for bound in [bounds.largest, bounds.oldest, bounds.newest] { json.value(known: bound) }
    }
    self.bounds = Bounds()
    names.removeAll(keepingCapacity: true)
  }

  static func text(ofHash hash: UInt64) -> String {
    let digits = String(hash, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }

  private mutating func keep(_ bytes: [UInt8], in folder: String) throws(Errno) -> String {
    let packed = packer.pack(bytes)
    let name = "\(folder)/\(Self.text(ofHash: XXH64.hash(packed.span, seed: 0))).gz"
    let start = scratch.count
    try scratch.append(packed.span)
    files.append((name, start..<scratch.count))
    if folder == "names" { nameBytes += scratch.count - start }
    return name
  }

  func bytes(of file: Range<Int64>) throws(Errno) -> [UInt8] {
    var bytes: [UInt8] = []
    try scratch.read(file, appendingTo: &bytes)
    return bytes
  }
}

extension JSONBuilder {
  /// Adds a number, or null if it is unknown.
  fileprivate mutating func value(known number: Int64?) {
    if let number { value(number) } else { value(raw: Array("null".utf8)) }
  }
}

extension [UInt8] {
  fileprivate var inBrackets: [UInt8] { [UInt8(ascii: "[")] + self + [UInt8(ascii: "]")] }
}

/// All names of a world, sorted regardless of case, for searches that read only a part of them.
///
/// The order considers the first sixteen bytes. That allows an external radix sort: twice by eight
/// bytes, the first eight last.
private struct SearchIndex {
  /// A name, and the path of its folder, which is empty for a root.
  struct Entry {
    var name: [UInt8]
    var folder: [UInt8]

    var key: [UInt8] { SearchIndex.key(of: name) }

    init(_ content: [UInt8]) {
      let end = content.firstIndex(of: 0) ?? content.endIndex
      name = Array(content[..<end])
      folder = Array(content[end...].dropFirst())
    }
  }

  static let depth = 16
  /// Bytes of memory for each of the two sorts.
  private static let memory = 1 << 20

  private var sorter = RecordSorter(memory: memory)
  private var record: [UInt8] = []

  mutating func add(_ name: [UInt8], in folder: [UInt8]) throws(Errno) {
    record.removeAll(keepingCapacity: true)
    record += name
    record.append(0)
    record += folder
    try sorter.add(content: record, key: Self.key(of: name).span.word(from: 8))
  }

  /// The key of a name: the name in lower case.
  static func key(of name: [UInt8]) -> [UInt8] {
    if name.span.isValidUTF8, name.contains(where: { $0 >= 0x80 }) {
      return Array(String(decoding: name, as: UTF8.self).lowercased().utf8)
    }
    return name.lowercased
  }

  consuming func finish(_ take: (Entry) throws(Errno) -> Void) throws(Errno) {
    let halves = try sorter.finish()
    var sorter = RecordSorter(memory: Self.memory)
    var cursor = halves.cursor()
    while try cursor.advance() {
      let content = cursor.withContent { Array(copying: $0) }
      try sorter.add(content: content, key: Entry(content).key.span.word(from: 0))
    }
    let wholes = try sorter.finish()
    cursor = wholes.cursor()
    while try cursor.advance() { try take(cursor.withContent { Entry(Array(copying: $0)) }) }
  }
}

extension Span<UInt8> {
  /// Eight bytes as a number that sorts like them; missing ones are zero.
  fileprivate func word(from start: Int) -> UInt64 {
    extracting(Swift.min(start, count)..<Swift.min(start + 8, count)).bigEndianPrefix
  }
}

/// The lines of a part of the index: a name, and all folders with an entry of that name.
private struct SearchLines {
  private(set) var first: [UInt8]?
  private(set) var bytes: [UInt8] = []
  private var line = JSONBuilder()
  private var name: [UInt8]?

  /// From this size on, a part ends before an entry whose hash says so.
  private static let minimum = 1 << 16
  /// From this size on, a part ends before any entry.
  private static let maximum = 1 << 18

  /// Whether a part should end before an entry.
  func ends(before entry: SearchIndex.Entry) -> Bool {
    bytes.count >= Self.maximum
      || bytes.count >= Self.minimum && XXH64.hash(entry.key.span, seed: 0) & 63 == 0
  }

  mutating func add(_ entry: SearchIndex.Entry) {
    if first == nil { first = Array(entry.key.prefix(SearchIndex.depth)) }
    if name != entry.name || line.bytes.count > Self.minimum {
      endLine()
      name = entry.name
      line.value(text: entry.name)
    }
    if entry.name.span.isValidUTF8, entry.folder.span.isValidUTF8 {
      line.value(text: entry.folder)
    } else {
      let path = entry.folder.isEmpty ? entry.name : entry.folder.appending(component: entry.name)
      line.object { $0.member("path", path: path) }
    }
  }

  private mutating func endLine() {
    if name == nil { return }
    bytes += line.bytes.inBrackets + [10]
    line = JSONBuilder()
    name = nil
  }

  mutating func end() -> (first: [UInt8], bytes: [UInt8])? {
    endLine()
    guard let first else { return nil }
    defer {
      self.first = nil
      bytes.removeAll(keepingCapacity: true)
    }
    return (first, bytes)
  }
}
