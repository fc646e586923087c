import GeoCore
import GeoFormats

/// A row of the lists of what grew and shrank most.
///
/// No row is part of another, and all rows together are the whole change.
package struct GrowthRow: Sendable, Hashable {
  package enum Part: String, Sendable {
    case folder
    case files
    /// The correction for files with names in several parts of the folder: each counts once.
    case names
  }

  package let path: [UInt8]
  package let part: Part
  /// The bytes in the new state less those in the old one.
  package let bytes: Int64
  /// The bytes of files that moved here from other places, of a row that grew, or away.
  package fileprivate(set) var moved: Int64 = 0
  /// The folder of all these places; nil if it contains the row.
  package fileprivate(set) var otherPath: [UInt8]?
  /// The deepest folder in it with more than half of its change; nil without one.
  package fileprivate(set) var mostly: [UInt8]?

  package func text(of folder: String) -> String {
    switch part {
    case .folder: folder
    case .files: "files in \(folder)"
    case .names: "\(folder), files with several names counted once"
    }
  }
}

package struct GrowthRows: Sendable {
  package private(set) var grown: [GrowthRow] = []
  package private(set) var shrunk: [GrowthRow] = []

  /// - Complexity: O(folders in which a size differs + files that differ · log rows).
  package init(_ tree: ChangeTree, top: Int) {
    if top == 0 { return }
    var grown = Foremost<Found>(top) { $0.precedes($1) }
    var shrunk = grown
    Self.find(in: tree) { row in
      if row.change > 0 { grown.add(row) } else { shrunk.add(row) }
    }
    let ordered = [grown.finish(), shrunk.finish()].map { rows in
      // Rows of the same change are in the order of their paths.
      rows.map { (row: $0, path: tree.path(of: $0.folder)) }.sorted { a, b in
        let sizes = (a.row.change.magnitude, b.row.change.magnitude)
        return sizes.0 != sizes.1 ? sizes.0 > sizes.1 : a.path.lexicographicallyPrecedes(b.path)
      }
    }
    var moves = MovedParts(ordered.joined().map(\.row), tree)
    moves.add()
    (self.grown, self.shrunk) = (
      ordered[0].map { moves.row($0.row, $0.path) }, ordered[1].map { moves.row($0.row, $0.path) }
    )
  }

  fileprivate struct Found: Sendable {
    let folder: Int
    let part: GrowthRow.Part
    let change: Int128

    func precedes(_ other: Found) -> Bool {
      change.magnitude != other.change.magnitude
        ? change.magnitude > other.change.magnitude : folder < other.folder
    }

    func holds(_ number: Int, in tree: ChangeTree) -> Bool {
      switch part {
      case .folder: folder <= number && number < Int(tree.folders[folder].end)
      case .files: folder == number
      case .names: false
      }
    }
  }

  private static func find(in tree: ChangeTree, _ body: (Found) -> Void) {
    func add(_ folder: Int, _ part: GrowthRow.Part, _ change: Int128) {
      if change != 0 { body(Found(folder: folder, part: part, change: change)) }
    }
    var index = 0
    while index < tree.folders.count {
      let folder = tree.folders[index]
      guard let growth = tree.growth(of: index), !growth.all.isZero else {
        index = Int(folder.end)
        continue
      }
      if isRow(index, folder, growth.all, in: tree) {
        add(index, .folder, growth.all.change)
        index = Int(folder.end)
      } else {
        add(index, .files, growth.files.change)
        add(index, .names, growth.shared)
        index += 1
      }
    }
  }

  /// Whether a folder is a row; otherwise its parts are.
  private static func isRow(
    _ index: Int, _ folder: ChangeTree.Folder, _ growth: Growth, in tree: ChangeTree
  ) -> Bool {
    if folder.known.change != .none || folder.children.isEmpty { return true }
    let change = growth.change
    if folder.parent < 0 || 4 * change.magnitude < 3 * (growth.gain + growth.loss).magnitude {
      return false
    }
    func hasMost(_ part: Int128) -> Bool {
      part.signum() == change.signum() && 5 * part.magnitude >= 4 * change.magnitude
    }
    if let own = tree.growth(of: index), hasMost(own.files.change) { return false }
    return !tree.subfolders(of: index).contains { part in
      tree.growth(of: part).map { hasMost($0.all.change) } ?? false
    }
  }
}

private struct MovedParts {
  private struct Moved {
    var bytes: Int128 = 0
    /// The deepest folder that has the other places; nil for none, −1 for several roots.
    var place: Int?
  }

  private let tree: ChangeTree
  /// The rows, in the order of the map.
  private let rows: [GrowthRows.Found]
  private var moved: [Moved]

  init(_ rows: [GrowthRows.Found], _ tree: ChangeTree) {
    self.tree = tree
    // The row of a folder's own files follows those of other parts with the same number.
    self.rows = rows.sorted {
      ($0.folder, $0.part == .files ? 1 : 0) < ($1.folder, $1.part == .files ? 1 : 0)
    }
    moved = Array(repeating: Moved(), count: rows.count)
  }

  mutating func add() {
    if rows.isEmpty { return }
    for file in tree.files {
      guard file.change == .moved, file.partner >= 0, let size = tree.size(of: file), size > 0
      else { continue }
      let (from, to) = (Int(tree.files[Int(file.partner)].folder), Int(file.folder))
      let (left, came) = (row(of: from), row(of: to))
      if left == came { continue }
      if let came, rows[came].change > 0 { add(size, from, to: came) }
      if let left, rows[left].change < 0 { add(size, to, to: left) }
    }
  }

  private mutating func add(_ bytes: Int64, _ place: Int, to row: Int) {
    moved[row].bytes += Int128(bytes)
    moved[row].place = moved[row].place.map { tree.commonFolder($0, place) } ?? place
  }

  /// The row that has the files of a folder; nil if none of these rows has.
  private func row(of folder: Int) -> Int? {
    let last = rows.indices.boundary { rows[$0].folder > folder } - 1
    return last >= 0 && rows[last].holds(folder, in: tree) ? last : nil
  }

  func row(_ found: GrowthRows.Found, _ path: [UInt8]) -> GrowthRow {
    var row = GrowthRow(path: path, part: found.part, bytes: Int64(clamping: found.change))
    if found.part == .folder {
      row.mostly = tree.mostlyChanged(in: found.folder).map { tree.path(of: $0) }
    }
    guard found.part != .names, let number = self.row(of: found.folder) else { return row }
    row.moved = Int64(clamping: moved[number].bytes)
    guard var place = moved[number].place, place >= 0 else { return row }
    // A folder that came or went as a whole is named for its contents.
    while tree.folders[place].known.change != .none, tree.folders[place].parent >= 0,
      tree.folders[Int(tree.folders[place].parent)].known.change == tree.folders[place].known.change
    {
      place = Int(tree.folders[place].parent)
    }
    if found.folder < place || found.folder >= Int(tree.folders[place].end) {
      row.otherPath = tree.path(of: place)
    }
    return row
  }
}

extension ChangeTree {
  package func mostlyChanged(inFolder path: [UInt8]) -> [UInt8]? {
    let number = number(of: path.components)
    return number < 0 ? nil : mostlyChanged(in: number).map { self.path(of: $0) }
  }

  /// The deepest folder in a folder that has more than half of its change; nil without one.
  func mostlyChanged(in folder: Int) -> Int? {
    guard let all = growth(of: folder)?.all.change, all != 0 else { return nil }
    var place = folder
    while let next = subfolders(of: place).first(where: { part in
      guard let change = growth(of: part)?.all.change else { return false }
      return change.signum() == all.signum() && 2 * change.magnitude > all.magnitude
    }) {
      place = next
    }
    return place == folder ? nil : place
  }

  /// The deepest folder that has both folders in it, or is one of them; −1 if none has.
  func commonFolder(_ one: Int, _ other: Int) -> Int {
    var (one, other) = (one, other)
    while one != other, one >= 0, other >= 0 {
      if folders[one].depth >= folders[other].depth {
        one = Int(folders[one].parent)
      } else {
        other = Int(folders[other].parent)
      }
    }
    return min(one, other)
  }
}

extension JSONBuilder {
  package mutating func member(_ name: String, rows: [GrowthRow]) {
    member(name, each: rows) { row, json in
      json.object { json in
        json.member("path", text: row.path, raw: "rawPath")
        json.member("bytes", row.bytes)
        if row.part != .folder { json.member("part", text: Array(row.part.rawValue.utf8)) }
        if row.moved > 0 {
          json.member("moved", row.moved)
          if let other = row.otherPath {
            let isGrowth = row.bytes > 0
            json.member(
              isGrowth ? "from" : "to", text: other, raw: isGrowth ? "rawFrom" : "rawTo")
          }
        }
        if let mostly = row.mostly { json.member("mostly", text: mostly, raw: "rawMostly") }
      }
    }
  }
}
