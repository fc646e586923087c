import GeoCore
import GeoSystem
import GeoTree

/// The bytes of a list, which is read more than once. Bytes from a pipe are kept in a scratch file.
final class ListInput: JSONInput {
  let name: String
  let path: [UInt8]
  private let file: InputFile
  /// The bytes from a pipe, or those of a list with a byte order mark, decoded.
  private var scratch: ScratchFile?
  private var isPrepared = false
  private(set) var count: Int64?
  /// Gets the fraction that is read, 0 to 1 (nil if the size is unknown), and the offset.
  var listener: FileSystemScanner.PreparationListener?
  private var readings = 0
  private var ahead: [UInt8] = []
  var isReadOnce = false

  static let block = 256 * 1024

  init(opening source: ListSource) throws(ListError) {
    path = source.file ?? Array("standard input".utf8)
    name = TerminalText.escaped(path)
    do throws(Errno) {
      if let path = source.file {
        file = try InputFile(at: path)
      } else {
        file = try InputFile.standardInput()
      }
    } catch {
      throw .unreadable(list: name, error)
    }
  }

  /// The first bytes of the list; fewer than `count` only if the list is shorter, or these are
  /// enough. That is asked when each of the first lines is whole, and each time that the bytes have
  /// doubled: so a pipe that brings single bytes is not slower.
  func beginning(
    _ count: Int, orFewerIf areEnough: ([UInt8]) -> Bool
  ) throws(ListError) -> [UInt8] {
    try prepare()
    var bytes = ahead
    var (seen, next, lines) = (0, 1, 0)
    while true {
      let endsLine = lines < Self.firstLines && bytes[seen...].contains { $0 == 0x0A || $0 == 0 }
      if endsLine { lines += 1 }
      if endsLine || bytes.count >= next {
        if areEnough(bytes) { break }
        next = 2 * bytes.count
      }
      seen = bytes.count
      if seen >= count { break }
      if try readNext(upTo: count - seen, at: Int64(seen), appendingTo: &bytes) == 0 { break }
    }
    if file.start == nil, scratch == nil { ahead = bytes }
    return bytes
  }

  /// How many lines of a slow pipe are looked at as soon as they are whole.
  private static let firstLines = 16

  /// Decodes a list with a byte order mark.
  private func prepare() throws(ListError) {
    if isPrepared { return }
    isPrepared = true
    var bytes: [UInt8] = []
    while MarkedText.needsMore(bytes) {
      let left = MarkedText.longestMark - bytes.count
      if try readNext(upTo: left, at: Int64(bytes.count), appendingTo: &bytes) == 0 { break }
    }
    guard var decoder = MarkedText(bytes) else {
      if file.start == nil { ahead = bytes }
      return
    }
    var offset = Int64(bytes.count)
    bytes.removeFirst(decoder.mark)
    var text: [UInt8] = []
    while true {
      decoder.decode(bytes[...], to: &text)
      bytes.removeAll(keepingCapacity: true)
      let found = try readNext(upTo: Self.block, at: offset, appendingTo: &bytes)
      if found == 0 { decoder.finish(to: &text) }
      try keep(text.span)
      text.removeAll(keepingCapacity: true)
      offset += Int64(found)
      if found == 0 { break }
    }
    count = scratch?.count
  }

  /// From a pipe the next bytes, else those at the offset. Returns how many; 0 at the end.
  private func readNext(
    upTo length: Int, at offset: Int64, appendingTo bytes: inout [UInt8]
  ) throws(ListError) -> Int {
    do throws(Errno) {
      if count != nil, let scratch {
        return try scratch.read(upTo: length, at: offset, appendingTo: &bytes)
      }
      if let start = file.start {
        return try file.read(upTo: length, at: start + offset, appendingTo: &bytes)
      }
      return try file.read(upTo: length, appendingTo: &bytes)
    } catch {
      throw .unreadable(list: name, error)
    }
  }

  /// The file is read from its beginning.
  func replaceBytes(by file: ScratchFile) {
    scratch = file
    count = file.count
    readings = 0
    listener = nil
  }

  private(set) var failure: ListError?

  /// Keeps the error in ``failure``. False at the end.
  package func read(
    at offset: Int64, appendingTo bytes: inout [UInt8]
  ) throws(JSONReader.Failure) -> Bool {
    do throws(ListError) {
      return try readBlock(at: offset, appendingTo: &bytes)
    } catch {
      failure = error
      throw .unreadable(reason: error.description)
    }
  }

  /// Until ``count`` is known, offsets must be consecutive. False at the end.
  func readBlock(
    at offset: Int64, appendingTo bytes: inout [UInt8]
  ) throws(ListError) -> Bool {
    report(offset)
    try prepare()
    if let count { return try readAgain(at: offset, of: count, appendingTo: &bytes) }
    let start = bytes.count
    let found: Int
    if offset < Int64(ahead.count) {
      bytes.append(contentsOf: ahead[Int(offset)...])
      found = ahead.count - Int(offset)
    } else {
      found = try readNext(upTo: Self.block, at: offset, appendingTo: &bytes)
    }
    if found == 0 { count = offset }
    if file.start == nil, !isReadOnce { try keep(bytes.span.extracting(start..<bytes.count)) }
    return found > 0
  }

  private func report(_ offset: Int64) {
    guard let listener else { return }
    if offset == 0 { readings += 1 }
    guard let all = count ?? file.size else { return listener(nil, offset) }
    let share = all > 0 ? min(1, Double(offset) / Double(all)) : 1
    listener((Double(min(readings, 2) - 1) + share) / 2, offset)
  }

  private func keep(_ bytes: Span<UInt8>) throws(ListError) {
    do throws(Errno) {
      if scratch == nil { scratch = try ScratchFile() }
      try scratch?.append(bytes)
    } catch {
      throw .noScratch(error)
    }
  }

  private func readAgain(
    at offset: Int64, of count: Int64, appendingTo bytes: inout [UInt8]
  ) throws(ListError) -> Bool {
    let length = Int(min(Int64(Self.block), count - offset))
    if length <= 0 { return false }
    let found = try readNext(upTo: length, at: offset, appendingTo: &bytes)
    if found == 0 { throw .changed(list: name) }
    return true
  }
}

extension ListFormat {
  package static func text(of bytes: [UInt8]) -> [UInt8] { MarkedText.decoded(bytes) }

  /// How many first bytes are enough to recognise a format.
  package static let beginning = 1 << 16

  /// The formats that the first bytes fit, with which the list may end if they are all. ``lines``
  /// fits anything and is not among them.
  package static func fitting(_ bytes: [UInt8], areAll: Bool = true) -> [ListFormat] {
    allCases.filter { $0.fits(bytes, areAll: areAll) }
  }

  /// Whether more bytes can't change which formats fit: one fits already, or the first line is whole
  /// and begins none that needs more. So a slow pipe is read as soon as its first line has come.
  static func areDecided(by bytes: [UInt8]) -> Bool {
    if !fitting(bytes, areAll: false).isEmpty { return true }
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

  private func fits(_ bytes: [UInt8], areAll: Bool) -> Bool {
    switch self {
    case .find:
      var (find, entry) = (FindSyntax(), ListedEntry())
      guard let end = bytes.firstIndex(of: 0) else { return false }
      return find.parse(bytes[..<end], isTerminated: true, into: &entry) == .entry
    case .restic:
      return Self.fits(ResticSyntax.self, bytes, in: "{")
        || JSONArrayParser<ResticSyntax>.beginsWithHead(bytes)
    case .borg: return Self.fits(BorgSyntax.self, bytes, in: "{")
    case .rclone: return Self.fits(RcloneSyntax.self, bytes, in: "[")
    case .mtree: return MtreeParser.begins(Self.lines(of: bytes))
    case .tar: return TarSyntax.begins(Self.lines(of: bytes))
    case .unzip: return UnzipSyntax.begins(Self.lines(of: bytes), areAll: areAll)
    // Exports are recognised elsewhere; ncdu and gdu write the same.
    default: return false
    }
  }

  private static func lines(of bytes: [UInt8]) -> [ArraySlice<UInt8>] {
    bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).dropLast()
  }

  /// Whether JSON begins with an object that is typical of a program, or with an array of such.
  private static func fits<Syntax: ListedSyntax>(
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
