import GeoChange
import GeoCore
import GeoFormats

/// The rows of what grew and shrank most: the lands of the map with the numbers of their circles, in
/// the same order, and the files in no land as one row.
///
/// The page follows the same rules (`rowsOfLevel` in `changelabels.js`).
struct ChangeRows: Sendable {
  struct Row: Sendable {
    let name: String
    let kind: SizeChange.Kind
    let bytes: Int64
    /// The rank of a land's circle, from 1 on; nil after the first ones.
    let rank: Int?
    /// What of it moved, or where most of it is; empty if neither is known.
    var note = ""
    /// The change of a land; nil for several files.
    var change: ChangeSigns.Sign?

    var title: String { rank.map { "\($0). \(name)" } ?? name }
  }

  private(set) var rows: [Row] = []
  /// How many changes have no row, and the sum of their bytes.
  private(set) var rest: (count: Int, bytes: Int64) = (0, 0)

  static let ranked = 3

  init(_ signs: ChangeSigns, _ tree: ChangeTree, roots: [[UInt8]], maximum: Int) {
    let hasLands = signs.changes.contains { !$0.isSquare }
    var all: [Row] = []
    for change in signs.changes where !change.isSquare || !hasLands {
      all.append(
        Row(
          name: NameText(change.path.lastComponent).text, kind: change.change.kind,
          bytes: change.change.growth, rank: all.count < Self.ranked ? all.count + 1 : nil,
          note: Self.note(on: change, signs.moves, tree), change: change))
    }
    var whole = signs.whole
    if hasLands {
      let own = signs.ownGrowth
      whole.count += (own.bytes == 0 ? 0 : 1) - own.files
      if own.bytes != 0 {
        let place = roots.count == 1 ? NameText(roots[0].lastComponent).text : "the roots"
        all.append(
          Row(
            name: "files in \(place)", kind: own.bytes > 0 ? .grew : .shrank, bytes: own.bytes,
            rank: nil, note: SheetText.files(Int64(own.files))))
      }
    }
    rows = Array(all.sorted { $0.bytes.magnitude > $1.bytes.magnitude }.prefix(maximum))
    rest = (
      whole.count - rows.count, rows.reduce(whole.bytes) { $0.subtracting(saturating: $1.bytes) }
    )
  }

  private static func note(
    on change: ChangeSigns.Sign, _ moves: [LandMove], _ tree: ChangeTree
  ) -> String {
    let moved = LandMove.words(change.path, change.change.growth, among: moves)
    if !moved.isEmpty { return moved }
    guard let inner = tree.mostlyChanged(inFolder: change.path) else { return "" }
    let names = inner[(change.path.count + 1)...].split(separator: UInt8.slash)
    return "mostly " + names.map { NameText($0).text }.joined(separator: "/")
  }
}

extension LandMove {
  /// What moved into a land that grew, or out of one that shrank, in words; empty if nothing did.
  static func words(_ path: [UInt8], _ growth: Int64, among moves: [LandMove]) -> String {
    let isGrowth = growth > 0
    let own = moves.filter { (isGrowth ? $0.to : $0.from) == path }
    guard let first = own.first else { return "" }
    let sum = own.reduce(0) { $0 + $1.bytes }
    let other =
      own.count == 1
      ? NameText((isGrowth ? first.from : first.to).lastComponent).text : "\(own.count) folders"
    let part = sum.magnitude <= growth.magnitude ? " of it" : ""
    return SheetText.bytes(Double(sum)) + part + " moved "
      + (isGrowth ? "here from " : "away to ") + other
  }
}
