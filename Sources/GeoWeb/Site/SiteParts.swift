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
  /// The file with that list.
  private(set) var list = ""
  /// The list of the files with names of folders and of their contents, each with the bounds of
  /// what it has.
  private var nameParts = JSONBuilder()
  /// The file with that list.
  private(set) var nameList = ""
  /// The file that lists the parts of the search index.
  private(set) var search = ""
  /// The size of all files of names in bytes.
  private(set) var nameBytes: Int64 = 0
  /// The files to write, and their ranges in the scratch file.
  private(set) var files: [(name: String, range: Range<Int64>)] = []
  /// The measure of summaries.
  let measure: SizeMeasure
  private let scratch: ScratchFile
  private var packer = GzipPacker(effort: .steady)

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
  private static let least = 1 << 16
  /// From this size on, a part ends before any folder.
  private static let most = 1 << 19
  /// The same sizes for files of names, all of which the page reads in order.
  private static let (leastNames, mostNames) = (1 << 18, 1 << 20)

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
      if size >= Self.most || size >= Self.least && mayEnd { try end() }
      if names.count >= Self.mostNames || names.count >= Self.leastNames && mayEnd {
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
    list = try keep([UInt8(ascii: "[")] + parts.bytes + [UInt8(ascii: "]")], in: "folders")
    nameList = try keep([UInt8(ascii: "[")] + nameParts.bytes + [UInt8(ascii: "]")], in: "names")
    try keep(index)
  }

  /// Stores the search index, and the list of its parts.
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
    search = try keep([UInt8(ascii: "[")] + json.bytes + [UInt8(ascii: "]")], in: "search")
  }

  /// Adds the names of a folder's files with what they are searched by: sizes, times, and the
  /// kinds of special files by their place in the list.
  private mutating func add(filesIn found: World.Found) {
    let folder = found.folder
    let facts = found.reader.facts(in: folder)
    let files = facts.indices.filter { facts[$0].status != .vanished }
    for index in files { bounds.add(facts[index]) }
    var json = JSONBuilder()
    json.object { json in
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
      json.key("special")
      json.object { json in
        for (place, index) in special {
          json.member(String(place), text: facts[index].kind.special?.bytes ?? [])
        }
      }
    }
    names += json.bytes
    names.append(10)
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

  /// The name of a file with a hash.
  static func text(ofHash hash: UInt64) -> String {
    let digits = String(hash, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }

  /// Compresses and stores a file; returns its name.
  private mutating func keep(_ bytes: [UInt8], in folder: String) throws(Errno) -> String {
    let packed = packer.pack(bytes)
    let name = "\(folder)/\(Self.text(ofHash: XXH64.hash(packed.span, seed: 0))).gz"
    let start = scratch.count
    try scratch.append(packed.span)
    files.append((name, start..<scratch.count))
    if folder == "names" { nameBytes += scratch.count - start }
    return name
  }

  /// Reads the bytes of a file.
  func bytes(of file: Range<Int64>) throws(Errno) -> [UInt8] {
    var bytes: [UInt8] = []
    while bytes.count < file.count {
      let got = try scratch.read(
        upTo: file.count - bytes.count, at: file.lowerBound + Int64(bytes.count),
        appendingTo: &bytes)
      if got == 0 { throw .inputOutput }
    }
    return bytes
  }
}

extension JSONBuilder {
  /// Adds a number, or null if it is unknown.
  fileprivate mutating func value(known number: Int64?) {
    if let number { value(number) } else { value(raw: Array("null".utf8)) }
  }
}

/// The manifest of a site: the files of a folder that belong to it.
///
/// It is written before the first change, and names all files that may exist during the update. So
/// the next run knows its files even after a crash.
struct SiteManifest {
  /// The file name of the manifest.
  static let name = ".geomapper-site"
  /// The sub-folders of a site.
  static let places = ["assets", "folders", "names", "search"]

  private static let title = "geomapper site 1"
  /// The prefix of lines that name files of the previous run.
  private static let oldMark = "old "

  /// The files of the site.
  var names: Set<String> = []
  /// Files of the previous run that new visitors don't need.
  var old: Set<String> = []

  init(names: Set<String> = [], old: Set<String> = []) { (self.names, self.old) = (names, old) }

  /// Parses a manifest; nil if the text is not one.
  ///
  /// The file is not trusted: only names that a site can have are accepted.
  init?(_ text: String) {
    let lines = text.split(separator: "\n")
    guard lines.first == Self.title[...] else { return nil }
    for line in lines.dropFirst() {
      if line.hasPrefix(Self.oldMark) {
        let name = String(line.dropFirst(Self.oldMark.count))
        if Self.isName(name) { old.insert(name) }
      } else if Self.isName(String(line)) {
        names.insert(String(line))
      }
    }
  }

  /// The manifest as text.
  var text: String {
    let lines = [Self.title] + names.sorted() + old.sorted().map { Self.oldMark + $0 }
    return lines.joined(separator: "\n") + "\n"
  }

  /// Whether a name can be that of a site's file, directly in the folder or in a sub-folder.
  static func isName(_ name: String) -> Bool {
    let parts = name.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 1 || parts.count == 2 && places.contains(String(parts[0])) else {
      return false
    }
    guard let last = parts.last, let first = last.utf8.first, first != UInt8(ascii: ".") else {
      return false
    }
    return last.utf8.allSatisfy(isUsual)
  }

  /// A unique name for a temporary file.
  static func temporaryName(process: Int, random: UInt64) -> String {
    "\(name)-\(process)-\(String(random, radix: 36)).tmp"
  }

  /// Whether a name is that of a temporary file.
  static func isTemporary(_ name: [UInt8]) -> Bool {
    name.starts(with: "\(Self.name)-".utf8) && name.suffix(4).elementsEqual(".tmp".utf8)
  }

  private static func isUsual(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
      UInt8(ascii: "_"):
      true
    default: false
    }
  }
}
