import GeoCore
import GeoSystem
import GeoTree

/// The union of several states as one source: each folder has the entries of all states.
///
/// Sub-folders and other entries are separate sets, so a name may be in both. The union reports
/// what the last state that has an entry knows about it; ``FolderListing/states`` and
/// ``FolderReader/versions`` have what each state knows.
package final class UnionSource: TreeSource {
  /// For each root of the union, by label, the root of every state; nil where a state has none.
  let sides: [[ScanRoot?]]
  let labels: [[UInt8]]
  private let numbers: [[UInt8]: Int]
  /// By root and state: the state's label of the root, if it differs.
  private let ownLabels: [[[UInt8]?]]
  let states: Int

  private init(_ labels: [[UInt8]], _ sides: [[ScanRoot?]], states: Int) {
    self.sides = sides
    self.labels = labels
    self.states = states
    ownLabels = zip(labels, sides).map { label, sides in
      sides.map { side in side?.label == label ? nil : side?.label }
    }
    numbers = Dictionary(zip(labels, labels.indices), uniquingKeysWith: { first, _ in first })
  }

  /// The roots of the union of some states: roots with the same label become one. If each state has
  /// a single root, these become one with the label of the last.
  package static func roots(of states: [[ScanRoot]]) -> [ScanRoot] {
    var labels: [[UInt8]] = []
    var sides: [[ScanRoot?]] = []
    if let last = states.last?.last, states.allSatisfy({ $0.count == 1 }) {
      labels = [last.label]
      sides = [states.map(\.first)]
    } else {
      var numbers: [[UInt8]: Int] = [:]
      for (state, roots) in states.enumerated() {
        for root in roots {
          let number = numbers[root.label] ?? labels.count
          if number == labels.count {
            numbers[root.label] = number
            labels.append(root.label)
            sides.append(Array(repeating: nil, count: states.count))
          }
          sides[number][state] = root
        }
      }
    }
    let source = UnionSource(labels, sides, states: states.count)
    return labels.map { ScanRoot(label: $0, directory: $0, source: source) }
  }

  func path(_ path: [UInt8], ofRoot root: Int, in state: Int) -> [UInt8] {
    guard let label = ownLabels[root][state] else { return path }
    return label + path.drop { $0 != .slash }
  }

  /// Index of the union's root that is `root` or contains it.
  func number(of root: ScanRoot) -> Int? { numbers[root.directory] }

  /// Checks that each state that has a root finds it; below a root one state is enough.
  package func check(_ root: ScanRoot) throws(Errno) {
    guard let number = number(of: root) else { throw .noEntry }
    var failure: Errno? = .noEntry
    for side in sides[number] {
      guard let side else { continue }
      do throws(Errno) {
        try side.source.check(side.folder(at: root.names))
        if !root.names.isEmpty { return }
        failure = nil
      } catch {
        // A folder below a root need exist in one state only.
        if root.names.isEmpty { throw error }
        failure = error
      }
    }
    if let failure { throw failure }
  }

  package var isPartial: Bool { sides.joined().contains { $0?.source.isPartial ?? false } }

  package var followsLinks: Bool { sides.joined().contains { $0?.source.followsLinks ?? false } }

  package var exclusionReasons: [ExclusionReason] {
    let reasons = Set(sides.joined().flatMap { $0?.source.exclusionReasons ?? [] })
    return ExclusionReason.allCases.filter { reasons.contains($0) }
  }

  package var knowledge: ContentKnowledge {
    let known = Set(sides.joined().compactMap { $0?.source.knowledge })
    return known.count == 1 ? known.first ?? .seconds : .seconds
  }

  /// Reads from the last state of each root: a content that is the same in all states is in that
  /// one, too.
  package func readFiles(
    in contents: [ObjectID], _ take: (FileVersion) -> Void
  ) -> ScanFault.Reason? {
    var asked: [any TreeSource] = []
    var reason: ScanFault.Reason?
    for side in sides {
      guard let source = side.last??.source, !asked.contains(where: { $0.whole === source.whole })
      else {
        continue
      }
      asked.append(source)
      reason = source.readFiles(in: contents, take) ?? reason
    }
    return reason
  }

  package func session(
    _ options: FileSystemScanner.Options, readers: Int
  ) -> any TreeSession {
    UnionSession(self, options, readers: readers)
  }
}

extension ScanRoot {
  func folder(at names: [[UInt8]]) -> ScanRoot {
    names.isEmpty ? self : below(path(to: names))
  }

  func path(to names: [[UInt8]]) -> [UInt8] {
    names.reduce(label) { $0.appending(component: $1) }
  }
}

final class UnionSession: TreeSession {
  let source: UnionSource
  let options: FileSystemScanner.Options
  let sessions: [any TreeSession]
  let knowledge: [ContentKnowledge]
  /// By root and state: index of the session that reads it.
  let numbers: [[Int?]]

  init(_ source: UnionSource, _ options: FileSystemScanner.Options, readers: Int) {
    self.source = source
    self.options = options
    var sources: [any TreeSource] = []
    let numbers: [[Int?]] = source.sides.map { sides in
      sides.map { side in
        guard let side else { return nil }
        if let number = sources.firstIndex(where: { $0 === side.source }) { return number }
        sources.append(side.source)
        return sources.count - 1
      }
    }
    self.numbers = numbers
    knowledge = sources.map(\.knowledge)
    // A thread is in a folder of every state at once, so it needs a reader for each.
    let states = (0..<source.states).map { state in Set(numbers.compactMap { $0[state] }) }
    sessions = sources.enumerated().map { (number, source) in
      source.session(options, readers: readers * states.count { $0.contains(number) })
    }
  }

  func makeReader() -> any FolderReader { UnionReader(self) }

  func stamp(of folder: FolderReference) -> ListingStamp? {
    guard case .path(let root, let path, _) = folder, let number = source.number(of: root) else {
      return nil
    }
    return ListingStamp(
      ofAll: source.sides[number].enumerated().map { (state, side) in
        guard let side, let session = numbers[number][state] else { return nil }
        let place = side.path(to: root.names(to: path))
        return sessions[session].stamp(of: .path(root: side, path: place, handle: nil))
      })
  }
}

/// A folder of a union that is kept because its entries are still to be read.
final class UnionFolder: KeptFolder {
  let root: Int
  private let folders: NameTable
  let sides: [Side]

  struct Side: Sendable {
    /// The state's folder; nil if the state doesn't have it, or has no listing of it.
    var kept: (any KeptFolder)?
    var shared = SharedNames()
    var files = NameTable()
    var folders = NameTable()
    var handles: [UInt64] = []
  }

  init(root: Int, folders: NameTable, sides: [Side]) {
    self.root = root
    self.folders = folders
    self.sides = sides
  }

  func find(_ name: [UInt8], in state: Int) -> (index: Int, kind: EntryKind)? {
    sides[state].shared.folders ? folders.find(name) : sides[state].folders.find(name)
  }
}

extension NameTable {
  fileprivate func find(_ name: [UInt8]) -> (index: Int, kind: EntryKind)? {
    index(of: name).map { ($0, records[$0].kind) }
  }
}

/// Which name tables of a state's folder equal the union's, so that their indices agree.
struct SharedNames {
  var files = false
  var folders = false
}

extension FolderReference {
  /// The same folder as a reference into one of the states; nil if the state doesn't have it.
  func inState(_ state: Int, of source: UnionSource, root number: Int) -> FolderReference? {
    switch self {
    case .kept(let folder):
      return unsafe unsafeDowncast(folder, to: UnionFolder.self).sides[state].kept.map { .kept($0) }
    case .child(let parent, let path, let name, _, _):
      // Copying `sides[state]` to a local variable would copy its arrays.
      let parent = unsafe unsafeDowncast(parent, to: UnionFolder.self)
      guard let kept = parent.sides[state].kept,
        let (index, kind) = parent.find(name, in: state)
      else { return nil }
      return .child(
        of: kept, path: source.path(path, ofRoot: number, in: state), name: name,
        isLink: kind == .symlink,
        handle: index < parent.sides[state].handles.count ? parent.sides[state].handles[index] : nil
      )
    case .path(let root, let path, _):
      guard let side = source.sides[number][state] else { return nil }
      return .path(root: side, path: side.path(to: root.names(to: path)), handle: nil)
    }
  }

  var path: [UInt8]? {
    switch self {
    case .kept: nil
    case .child(_, let path, _, _, _), .path(_, let path, _): path
    }
  }

  /// Whether it is a root, which must exist.
  var isRoot: Bool {
    if case .path(let root, let path, _) = self { root.names(to: path).isEmpty } else { false }
  }
}

extension NameTable {
  /// Merges two sorted tables; a name in both gets the kind it has in the second.
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
    for index in i..<a.count { result.append(from: a, at: index) }
    for index in j..<b.count { result.append(from: b, at: index) }
    return result
  }

  /// Compares a name with one of another table: negative if it precedes, 0 if they are equal.
  @inline(__always)
  func order(of index: Int, against other: Int, of table: NameTable) -> Int {
    let (a, b) = (records[index], table.records[other])
    if a.prefix != b.prefix { return a.prefix < b.prefix ? -1 : 1 }
    let x = bytes.span.extracting(a.range)
    let y = table.bytes.span.extracting(b.range)
    if x.equals(y) { return 0 }
    return x.orders(before: y) ? -1 : 1
  }

  /// Index of the first name that doesn't precede a name of another table.
  func lowerBound(of index: Int, of table: NameTable) -> Int {
    (0..<count).boundary { order(of: $0, against: index, of: table) >= 0 }
  }
}

extension FolderListing {
  /// Sets `contents` to the object IDs of those sub-folders that have the same one in all states.
  mutating func joinContents(of sides: [FolderListing]) {
    guard states.allSatisfy({ $0.isThere && $0.outcome == .listed }) else { return }
    var next = [Int](repeating: 0, count: sides.count)
    contents.reserveCapacity(folders.count)
    for index in 0..<folders.count {
      var known: [ObjectID?] = []
      for (state, side) in sides.enumerated() {
        guard next[state] < side.folders.count,
          side.folders.order(of: next[state], against: index, of: folders) == 0
        else {
          known.append(nil)
          continue
        }
        known.append(side.contents[next[state]])
        next[state] += 1
      }
      contents.append(known.allSatisfy { $0 == known.first } ? known.first ?? nil : nil)
    }
  }
}
