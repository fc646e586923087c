import GeoCore
import GeoTree

/// The lines found and hit in a file, by the records of an lcov report.
struct CoverageCount {
  private var sums = (hit: Int64(0), found: Int64(0))
  /// The lines of all records, twice the number, plus one for a hit.
  private var lines: [UInt32] = []
  private var records = 0
  private var hasLinesAlways = true

  /// A record, from `SF:` to `end_of_record`.
  struct Record {
    var lines: [UInt32] = []
    var hit: Int64?
    var found: Int64?
  }

  mutating func add(_ record: Record) {
    records += 1
    let (hit, found) = Self.union(record.lines)
    sums.hit = sums.hit.adding(saturating: record.hit ?? hit)
    sums.found = sums.found.adding(saturating: record.found ?? found)
    lines += record.lines
    if record.lines.isEmpty, record.found != 0 { hasLinesAlways = false }
  }

  /// The number of lines hit and found: of several records the union of their lines, or the sums if
  /// one doesn't list its lines.
  var result: (hit: Int64, found: Int64) {
    records > 1 && hasLinesAlways ? Self.union(lines) : sums
  }

  private static func union(_ lines: [UInt32]) -> (hit: Int64, found: Int64) {
    var (hit, found): (Int64, Int64) = (0, 0)
    // The hit of a line comes first.
    var last: UInt32?
    for line in lines.sorted(by: >) where line >> 1 != last {
      last = line >> 1
      found += 1
      if line & 1 == 1 { hit += 1 }
    }
    return (hit, found)
  }
}

extension LayerLoader {
  /// Memory is needed for each file and for each line that the report lists.
  mutating func readCoverage(_ input: ListInput, _ request: MapLayer) throws(Failure) {
    let draft = try request.draft("coverage", .ratio)
    var reader = RecordReader(
      input, separator: UInt8(ascii: "\n"), longest: TableReader.longestRecord)
    var files = PathTally<CoverageCount>()
    var file: [UInt8]?
    var record = CoverageCount.Record()
    func refuse(_ what: String) -> Failure {
      .usage("\(input.name), line \(reader.count): \(what)")
    }
    func finish(_ path: [UInt8]) throws(Failure) {
      if let hit = record.hit, let found = record.found, hit > found {
        throw refuse("LH:\(hit) lines hit of LF:\(found) found")
      }
      if path.isEmpty { throw refuse("no path follows SF:") }
      let place = place(of: path, PathTally<CoverageCount>.self)
      files[try files.index(of: place, input.name, adding: CoverageCount())].add(record)
    }
    reading: while true {
      switch try rethrowing(reader.advance(), as: Failure.unreadableLayer) {
      case .end: break reading
      case .tooLong: throw refuse("the line is longer than \(TableReader.longestRecord >> 20) MiB")
      case .record: break
      }
      var line = reader.buffer[reader.record]
      if line.last == 0x0D { line = line.dropLast() }
      if line.starts(with: "DA:".utf8) {
        guard file != nil else { throw refuse("DA: without SF: before it") }
        guard let (number, isHit) = Self.line(line.dropFirst(3)) else {
          throw refuse("not DA: with the number of a line and how often it ran")
        }
        record.lines.append(number << 1 | (isHit ? 1 : 0))
      } else if line.starts(with: "LF:".utf8) || line.starts(with: "LH:".utf8) {
        guard file != nil else { throw refuse("LF: or LH: without SF: before it") }
        guard let number = Int64(wholeNumber: line.dropFirst(3)), number < 1 << 53 else {
          throw refuse("not a number of lines after LF: or LH:")
        }
        if line.starts(with: "LF:".utf8) { record.found = number } else { record.hit = number }
      } else if line.starts(with: "SF:".utf8) {
        if let file { try finish(file) }
        (file, record) = (Array(line.dropFirst(3)), CoverageCount.Record())
      } else if line.elementsEqual("end_of_record".utf8), let path = file {
        try finish(path)
        file = nil
      }
    }
    if let file { try finish(file) }
    try addTally(files, [draft], input.name) { count in
      let (hit, found) = count.result
      return ["\(hit)/\(found)"]
    }
  }

  private static func line(_ text: ArraySlice<UInt8>) -> (number: UInt32, isHit: Bool)? {
    let fields = text.split(
      separator: UInt8(ascii: ","), maxSplits: 2, omittingEmptySubsequences: false)
    guard fields.count > 1, let number = Int64(wholeNumber: fields[0]), number < 1 << 31,
      let first = fields[1].first
    else { return nil }
    // Some programs write negative counts after an overflow.
    let digits = first == UInt8(ascii: "-") ? fields[1].dropFirst() : fields[1]
    guard !digits.isEmpty, digits.allSatisfy({ 0x30...0x39 ~= $0 }) else { return nil }
    let isHit = digits.count == fields[1].count && digits.contains { $0 != 0x30 }
    return (UInt32(number), isHit)
  }
}
