/// The two codes of a block, and their encoding in its header (RFC 1951, 3.2.7).
struct DeflateCodes {
  let literals: HuffmanCode
  let distances: HuffmanCode

  /// The code lengths of both codes as symbols: a length, or a run of one.
  private let runs: [Run]
  private let runCode: HuffmanCode
  private let literalCount: Int
  private let distanceCount: Int

  private struct Run {
    var symbol: Int
    var extra: UInt32 = 0
    var extraBits: UInt8 = 0
  }

  /// The order in which the lengths of the run code are written.
  static let order = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15]

  /// The fixed code, which isn't written (RFC 1951, 3.2.6).
  static let fixed = DeflateCodes(
    literals: HuffmanCode(
      lengths: (0..<288).map { $0 < 144 ? 8 : $0 < 256 ? 9 : $0 < 280 ? 7 : 8 }),
    distances: HuffmanCode(lengths: [UInt8](repeating: 5, count: 30)))

  init(literals: [UInt32], distances: [UInt32]) {
    self.init(
      literals: HuffmanCode(frequencies: literals, limit: 15),
      distances: HuffmanCode(frequencies: distances, limit: 15))
  }

  private init(literals: HuffmanCode, distances: HuffmanCode) {
    self.literals = literals
    self.distances = distances
    literalCount = max(257, 1 + (literals.lengths.lastIndex { $0 > 0 } ?? 0))
    distanceCount = 1 + (distances.lengths.lastIndex { $0 > 0 } ?? 0)
    runs = Self.runs(
      of: literals.lengths.prefix(literalCount) + distances.lengths.prefix(distanceCount))
    var frequencies = [UInt32](repeating: 0, count: 19)
    for run in runs { frequencies[run.symbol] += 1 }
    runCode = HuffmanCode(frequencies: frequencies, limit: 7)
  }

  private static func runs(of lengths: ArraySlice<UInt8>) -> [Run] {
    var runs: [Run] = []
    var index = lengths.startIndex
    while index < lengths.endIndex {
      let length = lengths[index]
      let start = index
      while index < lengths.endIndex, lengths[index] == length { index += 1 }
      var count = index - start
      if length == 0 {
        while count >= 3 {
          let repeats = min(count, 138)
          runs.append(
            repeats < 11
              ? Run(symbol: 17, extra: UInt32(repeats - 3), extraBits: 3)
              : Run(symbol: 18, extra: UInt32(repeats - 11), extraBits: 7))
          count -= repeats
        }
      } else {
        runs.append(Run(symbol: Int(length)))
        count -= 1
        while count >= 3 {
          let repeats = min(count, 6)
          runs.append(Run(symbol: 16, extra: UInt32(repeats - 3), extraBits: 2))
          count -= repeats
        }
      }
      for _ in 0..<count { runs.append(Run(symbol: Int(length))) }
    }
    return runs
  }

  private var runLengthCount: Int {
    max(4, 1 + (Self.order.lastIndex { runCode.lengths[$0] > 0 } ?? 0))
  }

  /// The bits that the codes take in the header.
  var headerCost: Int {
    runs.reduce(14 + 3 * runLengthCount) {
      $0 + Int(runCode.lengths[$1.symbol]) + Int($1.extraBits)
    }
  }

  /// The bits that symbols of the given frequencies take, without extra bits.
  func cost(_ literals: [UInt32], _ distances: [UInt32]) -> Int {
    self.literals.cost(of: literals) + self.distances.cost(of: distances)
  }

  func writeHeader(to writer: inout BitWriter) {
    writer.put(UInt32(literalCount - 257), 5)
    writer.put(UInt32(distanceCount - 1), 5)
    writer.put(UInt32(runLengthCount - 4), 4)
    for symbol in Self.order.prefix(runLengthCount) {
      writer.put(UInt32(runCode.lengths[symbol]), 3)
    }
    for run in runs {
      writer.put(UInt32(runCode.bits[run.symbol]), runCode.lengths[run.symbol])
      writer.put(run.extra, run.extraBits)
    }
  }
}
