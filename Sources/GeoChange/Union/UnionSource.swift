import GeoCore
import GeoTree

/// The union of several states, as a source like any other: each folder has what any state has in it.
///
/// Names of sub-folders and names of what is no folder are two sets, so a name may be in both. Of
/// what several states have, a listing tells what the last one of them knows; what each of them knows
/// is in ``FolderListing/states`` and ``FolderReader/versions``.
package final class UnionSource: TreeSource {
  /// The roots of the union by label, each with the root that every state has for it; nil if it has none.
  let sides: [[ScanRoot?]]
  /// The labels of these roots.
  let labels: [[UInt8]]
  private let numbers: [[UInt8]: Int]
  /// By root and state: the label that the state has for it, if it is another one.
  private let ownLabels: [[[UInt8]?]]
  /// How many states there are.
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

  /// The roots of the union of some states: those of one label are one root. If each state has one root
  /// only, these are one, too, and have the label of the last.
  ///
  /// - Parameter states: The roots of each state; no two roots of one state have the same label.
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

  /// A path of the union as a state has it, which may call the root otherwise.
  func path(_ path: [UInt8], ofRoot root: Int, in state: Int) -> [UInt8] {
    guard let label = ownLabels[root][state] else { return path }
    return label + path.drop { $0 != .slash }
  }

  /// Which of the roots one is, or is below.
  func number(of root: ScanRoot) -> Int? { numbers[root.directory] }

  /// Looks whether each state that has a root finds it.
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
        // What is below a root need be in one state only.
        if root.names.isEmpty { throw error }
        failure = error
      }
    }
    if let failure { throw failure }
  }

  /// Whether any of the states is.
  package var isPartial: Bool { sides.joined().contains { $0?.source.isPartial ?? false } }

  /// Whether links were followed in any of the states.
  package var followsLinks: Bool { sides.joined().contains { $0?.source.followsLinks ?? false } }

  /// Why any of the states may have left entries out before.
  package var exclusionReasons: [ExclusionReason] {
    let reasons = Set(sides.joined().flatMap { $0?.source.exclusionReasons ?? [] })
    return ExclusionReason.allCases.filter { reasons.contains($0) }
  }

  /// What all of them know.
  package var knowledge: ContentKnowledge {
    let known = Set(sides.joined().compactMap { $0?.source.knowledge })
    return known.count == 1 ? known.first ?? .seconds : .seconds
  }

  /// Asks the last state of each root: where the states agree, it knows what they all have.
  package func readObjects(
    in contents: [ObjectID], _ take: (ObjectID) -> Void
  ) -> ScanFault.Reason? {
    var asked: [any TreeSource] = []
    var reason: ScanFault.Reason?
    for side in sides {
      guard let source = side.last??.source, !asked.contains(where: { $0 === source }) else {
        continue
      }
      asked.append(source)
      reason = source.readObjects(in: contents, take) ?? reason
    }
    return reason
  }

  /// Begins to read.
  package func session(
    _ options: FileSystemScanner.Options, readers: Int
  ) -> any TreeSession {
    UnionSession(self, options, readers: readers)
  }
}

extension ScanRoot {
  /// The folder that some names lead to, from where the root is.
  func folder(at names: [[UInt8]]) -> ScanRoot {
    names.isEmpty ? self : below(path(to: names))
  }

  /// The path on the map of a folder that some names lead to.
  func path(to names: [[UInt8]]) -> [UInt8] {
    names.reduce(label) { $0.appending(component: $1) }
  }
}

/// A union while it is read.
final class UnionSession: TreeSession {
  let source: UnionSource
  let options: FileSystemScanner.Options
  /// Those of the states' sources, each once.
  let sessions: [any TreeSession]
  /// What each of these sources knows.
  let knowledge: [ContentKnowledge]
  /// Which of them each root of each state is read in.
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
    // A thread has a reader for each state, as it is in a folder of each at once.
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
  /// One for those of all states, nil for those that don't have the folder.
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
