import GeoCore
import GeoFormats
import GeoSystem

/// How the bytes of a land or file differ between two states.
///
/// The page follows the same rules (`changelabels.js`). Test cases that both run keep them equal.
package struct SizeChange: Sendable, Hashable {
  package enum Kind: String, Sendable, CaseIterable {
    case added, removed, grew, shrank, moved, left, same
  }

  package let kind: Kind
  package let before, after: Int64

  package init(_ kind: Kind, from before: Int64, to after: Int64) {
    (self.kind, self.before, self.after) = (kind, before, after)
  }

  var growth: Int64 { after - before }
  var larger: Int64 { max(before, after) }

  /// The change of a folder; nil if it is unchanged, or its sizes are unknown.
  init?(ofFolder change: NodeChange, from before: Int64?, to after: Int64?, isTouched: Bool) {
    guard let before, let after else { return nil }
    switch change {
    case .added: self.init(.added, from: before, to: after)
    case .removed: self.init(.removed, from: before, to: after)
    default:
      if after == before, !isTouched { return nil }
      self.init(after > before ? .grew : after < before ? .shrank : .same, from: before, to: after)
    }
  }

  /// The change of a file; nil if it is unchanged, or its sizes are unknown.
  init?(ofFile change: NodeChange, size: Int64?, was: Int64?) {
    guard let size else { return nil }
    switch change {
    case .none: return nil
    case .added: self.init(.added, from: 0, to: size)
    case .moved: self.init(.moved, from: 0, to: size)
    case .removed: self.init(.removed, from: size, to: 0)
    case .left: self.init(.left, from: size, to: 0)
    case .changed:
      guard let was, was != size else { return nil }
      self.init(size > was ? .grew : .shrank, from: was, to: size)
    }
  }

  /// Changes of less than this part of the largest have no sign.
  private static let little = 1.0 / 1000

  /// The things that have a sign: those whose bytes differ, the largest difference first.
  static func shown<Thing>(
    _ all: [(thing: Thing, change: SizeChange?)]
  ) -> [(thing: Thing, change: SizeChange)] {
    let found = all.compactMap { thing, change in change.map { (thing: thing, change: $0) } }
      .filter { $0.change.growth != 0 }
      .sorted { $0.change.growth.magnitude > $1.change.growth.magnitude }
    let maximum = found.first.map { Double($0.change.growth.magnitude) } ?? 0
    return found.filter { Double($0.change.growth.magnitude) >= maximum * Self.little }
  }

  static func sample(_ kind: Kind) -> SizeChange {
    switch kind {
    case .grew: SizeChange(.grew, from: 3, to: 8)
    case .shrank: SizeChange(.shrank, from: 8, to: 3)
    default: SizeChange(kind, from: 0, to: 1)
    }
  }

  // MARK: Words

  static func text(ofGrowth bytes: Int64) -> String {
    if bytes == 0 { return "±0" }
    return (bytes > 0 ? "+" : "−") + SheetText.bytes(Double(bytes.magnitude))
  }

  static func text(ofFiles growth: Int64) -> String {
    let sign = growth == 0 ? "±" : growth > 0 ? "+" : "−"
    return sign + SheetText.files(abs(growth))
  }

  /// The factor between both sizes, such as `×4`; empty without a factor.
  var factor: String {
    guard before > 0, after > 0 else { return "" }
    let factor = Double(after) / Double(before)
    if factor < 0.01 { return "×<0.01" }
    if factor >= 9.95 { return "×" + Int64(saturating: factor).grouped }
    let decimals = abs(factor - 1) < 0.095 ? 3 : factor < 0.995 ? 2 : 1
    return "×" + SVGText.number(factor, decimals: decimals)
  }

  var ending: String {
    switch kind {
    case .added: "new"
    case .removed: "gone"
    case .moved: "moved here"
    case .left: "moved away"
    case .grew, .shrank, .same: factor
    }
  }

  /// The lines of a label below the name: the difference, then both sizes or the number of files.
  func lines(files: Int64?) -> [String] {
    let growth = [Self.text(ofGrowth: growth), ending].filter { !$0.isEmpty }
    var lines = [growth.joined(separator: " · ")]
    if kind == .grew || kind == .shrank {
      lines.append(SheetText.bytes(Double(before)) + " → " + SheetText.bytes(Double(after)))
    } else if let files {
      lines.append(SheetText.files(files))
    }
    return lines
  }
}

extension SheetText {
  static func files(_ count: Int64) -> String { count.grouped + (count == 1 ? " file" : " files") }
}

/// What moved between two lands: their paths with sums.
package struct LandMove: Sendable, Hashable {
  package let from, to: [UInt8]
  package var files, bytes: Int64

  private static let maximum = 6

  /// Adds up moves between lands, the largest sum first; `land` is nil outside of those in view.
  static func sums(_ moves: [LandMove], land: ([UInt8]) -> [UInt8]?) -> [LandMove] {
    struct Ends: Hashable { let from, to: [UInt8] }
    var numbers: [Ends: Int] = [:]
    var sums: [LandMove] = []
    for move in moves {
      guard let from = land(move.from), let to = land(move.to), from != to else { continue }
      let ends = Ends(from: from, to: to)
      let number = numbers[ends] ?? sums.count
      numbers[ends] = number
      if number == sums.count { sums.append(LandMove(from: from, to: to, files: 0, bytes: 0)) }
      sums[number].files += move.files
      sums[number].bytes += move.bytes
    }
    let sorted = sums.sorted { ($0.bytes, $0.files) > ($1.bytes, $1.files) }
    return Array(sorted.prefix(maximum))
  }

  var text: String {
    "moved: " + SheetText.files(files) + ", " + SheetText.bytes(Double(bytes))
  }
}
