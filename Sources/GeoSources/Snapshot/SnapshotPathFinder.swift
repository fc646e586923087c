import GeoCore
import GeoTree

/// Finds folders of a snapshot by their names. It remembers the folders on the way to the last
/// one, so that paths in the order of the tree cost one record each.
struct SnapshotPathFinder {
  private struct Contents {
    var folders: NameTable
    var children: [SnapshotChild]
    var leftOut: [LeftOutEntry]
  }

  private struct Step {
    var name: [UInt8]
    var reference: SnapshotReference
    var contents: Contents?
  }

  private let root: SnapshotChild
  private var reader: SnapshotRecordReader
  private var listing = SnapshotListing()
  private var steps: [Step] = []

  init(_ snapshot: Snapshot, root: SnapshotChild) {
    self.root = root
    reader = SnapshotRecordReader(snapshot, asksForStorage: false)
  }

  mutating func reference(
    to names: [[UInt8]]
  ) throws(SnapshotFolderFailure) -> SnapshotReference {
    if steps.isEmpty { steps.append(Step(name: [], reference: try root.get())) }
    let common = zip(names, steps.dropFirst()).prefix { $0 == $1.name }.count
    steps.removeLast(steps.count - 1 - common)
    for name in names[common...] {
      let contents = try contentsOfLast()
      guard let index = contents.folders.index(of: name) else { throw .missing }
      steps.append(Step(name: name, reference: try contents.children[index].get()))
    }
    return steps[names.count].reference
  }

  mutating func reason(ofLeftOut names: [[UInt8]]) throws(SnapshotFolderFailure) -> ExclusionReason?
  {
    guard let name = names.last else { return nil }
    _ = try reference(to: names.dropLast())
    let contents = try contentsOfLast()
    guard let index = contents.folders.index(of: name) else { return nil }
    return contents.leftOut.first { $0.index == index }?.reason
  }

  private mutating func contentsOfLast() throws(SnapshotFolderFailure) -> Contents {
    let last = steps.count - 1
    if let known = steps[last].contents { return known }
    do throws(ByteDamage) {
      let children = try reader.read(steps[last].reference, into: &listing)
      let contents = Contents(
        folders: listing.folders, children: children, leftOut: listing.foldersLeftOut)
      steps[last].contents = contents
      return contents
    } catch {
      throw .lost
    }
  }
}
