import GeoCore
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
  /// Number of states.
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
  ///
  /// - Parameter states: The roots of each state, with distinct labels.
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

  /// A path of the union as a path in a state, where the root may have another label.
  func path(_ path: [UInt8], ofRoot root: Int, in state: Int) -> [UInt8] {
    guard let label = ownLabels[root][state] else { return path }
    return label + path.drop { $0 != .slash }
  }

  /// Index of the union's root that is `root` or contains it.
  func number(of root: ScanRoot) -> Int? { numbers[root.directory] }

  /// Checks that each state that has a root finds it; below a root one state is enough.
  package func check(_ root: ScanRoot) throws(ScanRoot.Failure) {
    guard let number = number(of: root) else { throw .notFound(.noEntry) }
    var failure: ScanRoot.Failure? = .notFound(.noEntry)
    for side in sides[number] {
      guard let side else { continue }
      do throws(ScanRoot.Failure) {
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

  /// Whether any state is incomplete.
  package var isPartial: Bool { sides.joined().contains { $0?.source.isPartial ?? false } }

  /// Whether any state followed links.
  package var followsLinks: Bool { sides.joined().contains { $0?.source.followsLinks ?? false } }

  /// Why entries may be missing from any state.
  package var exclusionReasons: [ExclusionReason] {
    let reasons = Set(sides.joined().flatMap { $0?.source.exclusionReasons ?? [] })
    return ExclusionReason.allCases.filter { reasons.contains($0) }
  }

  /// The knowledge of contents that all states share; `seconds` if they differ.
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

  /// Starts a session that reads all states.
  package func session(
    _ options: FileSystemScanner.Options, readers: Int
  ) -> any TreeSession {
    UnionSession(self, options, readers: readers)
  }
}

extension ScanRoot {
  /// The root for a folder at a path of names below this one.
  func folder(at names: [[UInt8]]) -> ScanRoot {
    names.isEmpty ? self : below(path(to: names))
  }

  /// The path on the map of a folder at a path of names.
  func path(to names: [[UInt8]]) -> [UInt8] {
    names.reduce(label) { $0.appending(component: $1) }
  }
}

/// A session that reads all states of a union.
final class UnionSession: TreeSession {
  let source: UnionSource
  let options: FileSystemScanner.Options
  /// One session for each source of the states.
  let sessions: [any TreeSession]
  /// The knowledge of each source.
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
        return sessions[session].stamp(of: .path(root: side, path: place, mark: nil))
      })
  }
}

extension ListingStamp {
  /// A stamp of the stamps of all states, with nil for states that don't have the folder.
  init(ofAll stamps: [ListingStamp?]) {
    var hasher = Hasher()
    hasher.combine(stamps)
    let high = hasher.finalize()
    hasher = Hasher()
    hasher.combine(high)
    hasher.combine(stamps)
    self.init(
      identity: .init(
        device: UInt64(bitPattern: Int64(high)), inode: UInt64(bitPattern: Int64(hasher.finalize()))
      ))
  }
}
