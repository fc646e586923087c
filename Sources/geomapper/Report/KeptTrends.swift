import GeoCore
import GeoFormats
import GeoTree

struct KeptTrends: Sendable {
  struct Row: Sendable {
    let path: [UInt8]
    /// Bytes in each of the states; nil where the folder doesn't exist or sizes are unknown.
    var bytes: [Int64?]

    var growth: Int64 {
      let (first, last) = (bytes.first.flatMap { $0 } ?? 0, bytes.last.flatMap { $0 } ?? 0)
      return Int64(clamping: Int128(last) - Int128(first))
    }
  }

  static let maximum = 24

  /// The times of the states that were read, in Unix seconds.
  let times: [Int64]
  /// The number of all states.
  let count: Int
  /// The measure of sizes, each file counted once.
  let measure: SizeMeasure
  /// The folders, those that grew most first.
  let rows: [Row]

  /// Reads sizes from some of the states, evenly spread; by room on disk if all states know it and
  /// no measure is wanted. `read` also gets words for the progress.
  init(
    of states: KeptStates, label: [UInt8], depth: Int, _ wanted: SizeMeasure? = nil,
    by read: (StatsScan, ScanRoot, String) throws(Failure) -> TreeStats
  ) throws(Failure) {
    let chosen = states.states.spread(Self.maximum)
    var scan = StatsScan(now: 0)
    (scan.top, scan.depth) = (0, depth)
    var found: [(number: Int, stats: TreeStats)] = []
    var times: [Int64] = []
    try states.forEach(of: chosen, label: label) { (state, root) throws(Failure) in
      let number = times.count
      times.append(state.seconds)
      guard let root else { return }
      let stats = try read(scan, root, "state \(number + 1) of \(chosen.count)")
      found.append((number, stats))
    }
    // Some file systems report no room for any file.
    let knowsRoom = found.allSatisfy { state in
      let sums = state.stats.total
      return sums.allocated.map { $0 > 0 || sums.bytes == 0 } ?? false
    }
    let measure = wanted ?? (knowsRoom ? .allocated : .bytes)
    self.measure = measure
    var rows: [[UInt8]: Row] = [:]
    for (number, stats) in found {
      for region in stats.regions {
        rows[region.rawPath, default: Row(path: region.rawPath, bytes: chosen.map { _ in nil })]
          .bytes[number] = measure.amount(
            bytes: region.sums.bytes, allocated: region.sums.allocated)
      }
    }
    let removed = chosen.count - times.count
    for path in rows.keys { rows[path]?.bytes.removeLast(removed) }
    self.times = times
    count = states.states.count - removed
    self.rows = rows.values.sorted { a, b in
      a.growth == b.growth ? a.path.lexicographicallyPrecedes(b.path) : a.growth > b.growth
    }
  }

  // MARK: Text

  func text(rows maximum: Int) -> String {
    let shown = rows.prefix(maximum)
    let cells = shown.map { row in
      [
        Quantity.signed(row.growth),
        row.bytes.last.flatMap { $0 }.map { Quantity.bytes(Int(clamping: $0)) } ?? "gone",
        Self.spark(row.bytes), row.path.shown,
      ]
    }
    var text = Quantity.count(times.count, "state")
    if times.count < count { text = "\(times.count.grouped) of \(Quantity.count(count, "state"))" }
    if let first = times.first, let last = times.last {
      text += " from " + CivilTime.text(unixSeconds: first)
      text += " to " + CivilTime.text(unixSeconds: last)
    }
    text += ", \(measure.words)\n"
    text += TextTable.text(["growth", "size", "trend", ""], cells, leftAligned: [2])
    if rows.count > maximum { text += "(\((rows.count - shown.count).grouped) more)\n" }
    return text
  }

  /// A line of characters whose heights show values between the least and the greatest; blanks for
  /// unknown values.
  static func spark(_ values: [Int64?]) -> String {
    let steps: [Character] = Style.hasBlocks ? Array("▁▂▃▄▅▆▇█") : Array("_.-~=+*#")
    let known = values.compactMap { $0 }
    guard let minimum = known.min(), let greatest = known.max() else { return "" }
    let span = Double(greatest) - Double(minimum)
    return String(
      values.map { value -> Character in
        guard let value else { return " " }
        if span <= 0 { return steps[0] }
        let height = (Double(value) - Double(minimum)) / span * Double(steps.count - 1)
        return steps[min(steps.count - 1, max(0, Int(height.rounded())))]
      })
  }

  // MARK: JSON

  var json: [UInt8] {
    return JSONBuilder.line { json in
      json.member("states", Int64(count))
      put(rows[...], below: [], to: &json)
    }
  }

  /// Adds the members `times` and `trends`; `beginning` is put before all paths.
  func put(
    _ rows: ArraySlice<Row>, below beginning: ArraySlice<UInt8>, to json: inout JSONBuilder
  ) {
    json.member("times", each: times) { $1.value($0) }
    json.member("measure", word: measure.name)
    json.member("trends", objects: rows) { row, json in
      json.member("path", text: beginning + row.path, raw: "rawPath")
      json.member("growth", row.growth)
      json.member("bytes", each: row.bytes) { value, json in
        if let value { json.value(value) } else { json.value(raw: Array("null".utf8)) }
      }
    }
  }
}
