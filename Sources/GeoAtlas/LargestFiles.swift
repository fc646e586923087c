import GeoCore
import GeoFormats
import GeoSystem
import GeoTree

struct SizedFile {
  let folder: WorldFolder
  let index: Int
  let facts: EntryFacts
  let storage: FileStorage
  /// The amount by the measure of the world; −1 if unknown.
  let amount: Int64

  var name: [UInt8] { folder.files.name(at: index) }
  var path: [UInt8] { folder.path(of: name) }

  /// Whether it is larger than another file, or as large and before it.
  func precedes(_ other: SizedFile) -> Bool {
    amount != other.amount ? amount > other.amount : path.lexicographicallyPrecedes(other.path)
  }
}

/// Finds the largest files below folders, by the bounds in the totals: only folders that can hold
/// one of them are read.
///
/// Used by one thread.
final class LargestFiles {
  private let world: World
  private let measure: SizeMeasure
  private let known: Knowledge
  /// Its own, so that readers of neighbouring folders stay near them.
  private let reader: WorldReader
  /// The label of the only root in the totals, if the world of two states has another for it.
  private let renamedRoot: [UInt8]?
  /// The largest own files of folders that were read, by number, if they are kept.
  private var kept: [Int: [SizedFile]] = [:]
  /// Whether the files of folders are kept until ``forget(_:)``.
  var keepsFiles = false

  static let maximum = 14
  /// The maximum number of folders to read. Only sparse or hidden files can make it necessary to
  /// read more than a handful.
  private static let maximumRead = 4_000

  init(
    in world: World, by measure: SizeMeasure, _ known: Knowledge
  ) {
    (self.world, self.measure, self.known) = (world, measure, known)
    reader = world.reader()
    if let totals = known.totals, known.changes != nil, world.roots.count == 1 {
      let roots = totals.subfolders(of: nil)
      renamedRoot = roots.count == 1 ? Array(totals.name(of: roots[0])) : nil
    } else {
      renamedRoot = nil
    }
  }

  func numbers(of folder: WorldFolder) -> Knowledge.Numbers {
    var numbers = known.numbers(of: folder.path)
    if let renamedRoot, let totals = known.totals {
      numbers.total = totals.number(of: [renamedRoot[...]] + folder.path.components.dropFirst())
    }
    return numbers
  }

  func own(of folder: WorldFolder) -> [SizedFile] {
    let (facts, storage) = reader.measuredFacts(in: folder)
    return facts.indices.compactMap { index in
      if facts[index].status == .vanished { return nil }
      let amount = measure.amount(
        bytes: facts[index].status.hasSize ? facts[index].size : nil,
        allocated: storage[index].isKnown ? storage[index].allocated : nil)
      return SizedFile(
        folder: folder, index: index, facts: facts[index], storage: storage[index],
        amount: amount ?? -1)
    }
  }

  /// The largest files below some folders, each once even if it has several names.
  func largest(below numbers: [Int]) -> [SizedFile] {
    guard let totals = known.totals else { return [] }
    var best: [SizedFile] = []
    var search = LargestFolders(in: totals, below: numbers)
    for _ in 0..<Self.maximumRead {
      let minimum = best.count < Self.maximum ? 0 : best[best.count - 1].amount
      guard let number = search.next(above: minimum) else { break }
      for file in largest(in: number, of: totals) where file.amount > minimum {
        Self.add(file, to: &best)
      }
    }
    return best
  }

  func keep(_ own: [SizedFile], of number: Int) { kept[number] = best(of: own) }

  func forget(_ number: Int) { kept[number] = nil }

  func parts(of file: SizedFile) -> FeatureParts? {
    guard let changes = known.changes else { return nil }
    let folder = changes.number(of: file.folder.path.components)
    return changes.parts(ofFile: file.name.span, file.facts.kind, in: folder)
  }

  private func largest(in number: Int, of totals: TreeTotals) -> [SizedFile] {
    if let files = kept[number] { return files }
    let files = folder(number, in: totals).map { best(of: own(of: $0)) } ?? []
    if keepsFiles { kept[number] = files }
    return files
  }

  private func best(of own: [SizedFile]) -> [SizedFile] {
    var best: [SizedFile] = []
    // The totals are those of the new one of two states.
    for file in own where file.amount > 0 && parts(of: file)?.difference?.change != .removed {
      Self.add(file, to: &best)
    }
    return best
  }

  private static func add(_ file: SizedFile, to best: inout [SizedFile]) {
    if best.count == maximum, file.amount < best[maximum - 1].amount { return }
    if file.storage.isKnown, file.facts.links > 1,
      let same = best.firstIndex(where: { $0.storage.identity == file.storage.identity })
    {
      if !file.precedes(best[same]) { return }
      best.remove(at: same)
    }
    let place = best.firstIndex { file.precedes($0) } ?? best.count
    if place >= maximum { return }
    best.insert(file, at: place)
    if best.count > maximum { best.removeLast() }
  }

  private func folder(_ number: Int, in totals: TreeTotals) -> WorldFolder? {
    let names = totals.path(of: number).components
    let label = renamedRoot == nil ? names[0] : world.roots[0].label[...]
    return world.folders(along: [label] + names.dropFirst(), by: reader)?.last
  }
}
