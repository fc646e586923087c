import GeoCore
import GeoTree

/// The names of a folder as they are told, in the order of a listing, and which of the source's names each
/// stands for.
struct RedactedNames: Sendable {
  /// As the source has them.
  private(set) var own = NameTable()
  /// As they are told, sorted.
  private(set) var told = NameTable()
  /// By the order of ``told``: which of ``own`` it is. Empty if both are the same.
  private var numbers: [Int] = []

  /// No names.
  init() {}

  /// Names all of which are told.
  init(_ own: NameTable) {
    self.own = own
    told = own
  }

  /// Names, with what is told for each.
  fileprivate init(_ own: NameTable, told names: [[UInt8]]) {
    self.own = own
    numbers = names.indices.sorted { names[$0].lexicographicallyPrecedes(names[$1]) }
    for number in numbers {
      let name = names[number]
      told.append(name.span, kind: own.records[number].kind)
    }
  }

  /// Which of the source's names is told at an index.
  func number(at index: Int) -> Int { numbers.isEmpty ? index : numbers[index] }

  /// What belongs to the source's names, in the order in which these are told.
  func arranged<Value>(_ values: [Value]) -> [Value] {
    numbers.isEmpty || values.isEmpty ? values : numbers.map { values[$0] }
  }

  /// By the order of ``own``: which of ``told`` it is.
  var positions: [Int] {
    var positions = Array(own.records.indices)
    for (index, number) in numbers.enumerated() { positions[number] = index }
    return positions
  }
}

/// Finds what is told for the names of listings; each reader has its own.
final class NameRedactor {
  private let redaction: Redaction
  private let selector: Selector
  private var verdicts: [Selector.FolderVerdict] = []
  private var facts: [EntryFacts] = []

  init(_ redaction: Redaction) {
    self.redaction = redaction
    selector = Selector(redaction.globs)
  }

  /// A folder, and what is told of its path.
  struct Folder {
    /// As the source has it.
    var path: [UInt8]
    /// As it is told.
    var told: [UInt8]
    /// Whether nothing in it is told by its name.
    var isHidden: Bool { path != told }
  }

  /// What is told for the names of a folder.
  func redact(
    files: NameTable, folders: NameTable, of folder: Folder
  ) -> (files: RedactedNames, folders: RedactedNames) {
    let (hiddenFiles, hiddenFolders) = hidden(files, folders, of: folder)
    if !hiddenFiles.contains(true), !hiddenFolders.contains(true) {
      return (RedactedNames(files), RedactedNames(folders))
    }
    var taken: Set<[UInt8]> = []
    let toldFiles = names(files, hiddenFiles, of: folder, &taken)
    let toldFolders = names(folders, hiddenFolders, of: folder, &taken)
    return (RedactedNames(files, told: toldFiles), RedactedNames(folders, told: toldFolders))
  }

  private func hidden(
    _ files: NameTable, _ folders: NameTable, of folder: Folder
  ) -> (files: [Bool], folders: [Bool]) {
    if folder.isHidden {
      return (
        Array(repeating: true, count: files.count), Array(repeating: true, count: folders.count)
      )
    }
    selector.judgeFolders(folders, in: folder.path, scope: nil, into: &verdicts)
    facts.removeAll(keepingCapacity: true)
    facts.append(contentsOf: files.records.lazy.map { EntryFacts(kind: $0.kind) })
    var counts = ExclusionCounts()
    selector.selectFiles(
      files, 0..<files.count, in: folder.path, scope: nil, facts: &facts, counts: &counts)
    return (
      facts.indices.map { facts[$0].status == .hidden || redaction.isNew(files.name(at: $0)) },
      verdicts.indices.map {
        verdicts[$0].reason != nil || redaction.isNew(folders.name(at: $0))
      }
    )
  }

  /// - Parameter taken: New names of the folder so far. That two paths come to one name won't happen, but
  ///   two entries of one name must not.
  private func names(
    _ own: NameTable, _ hidden: [Bool], of folder: Folder, _ taken: inout Set<[UInt8]>
  ) -> [[UInt8]] {
    hidden.indices.map { index in
      let name = own.name(at: index)
      if !hidden[index] { return name }
      let path = folder.told.appending(component: name)
      var attempt: UInt8 = 0
      var told = redaction.name(for: path, try: attempt)
      while !taken.insert(told).inserted, attempt < .max {
        attempt += 1
        told = redaction.name(for: path, try: attempt)
      }
      return told
    }
  }
}
