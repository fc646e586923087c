import GeoCore
import GeoSystem
import Synchronization

/// Layers with all their values, ready to be joined with trees.
package final class LayerSet: Sendable {
  package let schema: LayerSchema
  let derived: [(any DerivedLayer)?]
  let table: LayerTable
  /// Rows whose paths are not below a root.
  private let foreign: Unmatched
  /// A bit for each row that has a node.
  private let matched: Mutex<[UInt64]>
  private let failure = Mutex<Errno?>(nil)

  init(
    schema: LayerSchema, derived: [(any DerivedLayer)?], table: LayerTable, foreign: Unmatched
  ) {
    self.schema = schema
    self.derived = derived
    self.table = table
    self.foreign = foreign
    matched = Mutex([UInt64](repeating: 0, count: (table.rows + 63) / 64))
  }

  package var needsStorage: Bool { derived.contains { $0?.needsStorage ?? false } }

  /// Whether folders need the sizes of files, to know the word of most bytes.
  package var needsSizes: Bool { schema.layers.contains { $0.kind == .word } }

  func match(_ rows: [Int]) {
    matched.withLock { bits in for row in rows { bits[row / 64] |= 1 << UInt64(row % 64) } }
  }

  func fail(_ reason: Errno) { failure.withLock { $0 = $0 ?? reason } }

  /// Values without a node.
  package struct Unmatched: Sendable, Hashable {
    /// For each layer, the number of its values.
    package var counts: [Int]
    package var rows = 0
    /// The first of their paths, in byte order.
    package var paths: [[UInt8]] = []

    package static let maximum = 10
  }

  /// The rows that were not found while all was read.
  /// Throws the reason why values could not be read back from a scratch file, now or before.
  package func unmatched() throws(Errno) -> Unmatched {
    if let reason = failure.withLock({ $0 }) { throw reason }
    let bits = matched.withLock { $0 }
    if bits.reduce(0, { $0 + $1.nonzeroBitCount }) == table.rows { return foreign }
    var unmatched = foreign
    var buffer: [UInt8] = []
    for block in 0..<table.count {
      try table.read(block, into: &buffer)
      let bytes = buffer.span
      LayerGroup.each(in: bytes) { group in
        group.eachEntry(bytes) { entry in
          if bits[entry.number / 64] >> UInt64(entry.number % 64) & 1 == 1 { return }
          unmatched.rows += 1
          entry.eachValue(bytes) { index, _ in
            unmatched.counts[table.sources[entry.source].lowerBound + index] += 1
          }
          let name = buffer[entry.name]
          unmatched.add(group.folder.isEmpty ? name : buffer[group.folder] + [.slash] + name)
        }
      }
    }
    return unmatched
  }

  package func makeReader() -> LayerReader { LayerReader(self) }
}

extension LayerSet.Unmatched {
  mutating func add(_ path: ArraySlice<UInt8>) {
    if paths.count == Self.maximum, let last = paths.last,
      !path.lexicographicallyPrecedes(last)
    {
      return
    }
    let place = paths.firstIndex { path.lexicographicallyPrecedes($0) } ?? paths.count
    paths.insert(Array(path), at: place)
    if paths.count > Self.maximum { paths.removeLast() }
  }
}

/// The entries of one folder in a block of a ``LayerTable``.
struct LayerGroup {
  let folder: Range<Int>
  let end: Int

  init(_ block: Span<UInt8>, at offset: Int) {
    end = offset + 4 + Int(block.loadHalfWord(at: offset))
    folder = (offset + 8)..<(offset + 8 + Int(block.loadHalfWord(at: offset + 4)))
  }

  static func each(in block: Span<UInt8>, _ body: (LayerGroup) -> Void) {
    var offset = 0
    while offset < block.count {
      let group = LayerGroup(block, at: offset)
      body(group)
      offset = group.end
    }
  }

  func eachEntry(_ block: Span<UInt8>, _ body: (LayerEntry) -> Void) {
    var offset = folder.upperBound
    while offset < end {
      let entry = LayerEntry(block, at: offset)
      body(entry)
      offset = entry.end
    }
  }
}
