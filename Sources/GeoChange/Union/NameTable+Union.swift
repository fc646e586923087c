import GeoCore

extension NameTable {
  /// The names of two sorted tables, each once; of those in both, the kind of the later one.
  ///
  /// - Complexity: O(names).
  static func union(_ a: NameTable, _ b: NameTable) -> NameTable {
    if a.isEmpty { return b }
    if b.isEmpty || a.isSame(as: b) { return b.isEmpty ? a : b }
    var result = NameTable()
    var (i, j) = (0, 0)
    while i < a.count, j < b.count {
      switch a.order(of: i, against: j, of: b) {
      case 0:
        result.append(from: b, at: j)
        i += 1
        j += 1
      case ..<0:
        result.append(from: a, at: i)
        i += 1
      default:
        result.append(from: b, at: j)
        j += 1
      }
    }
    while i < a.count {
      result.append(from: a, at: i)
      i += 1
    }
    while j < b.count {
      result.append(from: b, at: j)
      j += 1
    }
    return result
  }

  /// Less than 0 if a name stands before one of another table, 0 if they are the same.
  @inline(__always)
  func order(of index: Int, against other: Int, of table: NameTable) -> Int {
    let (a, b) = (records[index], table.records[other])
    if a.prefix != b.prefix { return a.prefix < b.prefix ? -1 : 1 }
    let x = bytes.span.extracting(a.range)
    let y = table.bytes.span.extracting(b.range)
    if x.equals(y) { return 0 }
    return x.orders(before: y) ? -1 : 1
  }

  /// Where the first name stands that doesn't stand before one of another table.
  ///
  /// - Complexity: O(log n).
  func lowerBound(of index: Int, of table: NameTable) -> Int {
    var low = 0
    var high = count
    while low < high {
      let middle = (low + high) / 2
      if order(of: middle, against: index, of: table) < 0 {
        low = middle + 1
      } else {
        high = middle
      }
    }
    return low
  }
}
