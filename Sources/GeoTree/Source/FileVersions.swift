import GeoCore
import GeoSystem

/// Several states' facts of consecutive files.
@frozen public struct FileVersions: Sendable {
  /// The number of states.
  @usableFromInline package let states: Int
  @usableFromInline var versions: [FileVersion]

  /// Makes an empty table.
  package init(states: Int) {
    self.states = states
    versions = []
  }

  /// The number of files.
  package var count: Int { states == 0 ? 0 : versions.count / states }

  /// Clears the table and makes room for files, absent in all states at first.
  package mutating func reset(files: Int) {
    versions.removeAll(keepingCapacity: true)
    versions.append(contentsOf: repeatElement(FileVersion(), count: files * states))
  }

  /// Sets the facts of files that exist in a state. `storage` is empty if unknown, `objects` empty or
  /// shorter. `positions` has the index of each file in the table, less than 0 to skip it; it is empty
  /// if all files are given in order. Files that are hidden there are skipped.
  package mutating func set(
    _ facts: [EntryFacts], _ storage: [FileStorage], hasNanoseconds: Bool,
    _ objects: [ObjectID?], of state: Int,
    at positions: [Int], hiding hidden: [EntryFacts]
  ) {
    let (facts, storage, objects) = (facts.span, storage.span, objects.span)
    let states = states
    var versions = versions.mutableSpan
    for index in 0..<facts.count {
      let position = positions.isEmpty ? index : positions[index]
      if position < 0 || hidden[position].status == .hidden { continue }
      var version = FileVersion()
      version.isThere = true
      version.facts = facts[index]
      if index < storage.count {
        if hasNanoseconds { version.nanoseconds = storage[index].nanoseconds }
        (version.allocated, version.identity) = (storage[index].allocated, storage[index].identity)
      }
      if index < objects.count { version.object = objects[index] }
      versions[position * states + state] = version
    }
  }

  /// The facts of a file in a state.
  @inlinable
  package subscript(file: Int, state: Int) -> FileVersion {
    get { versions[file * states + state] }
    set { versions[file * states + state] = newValue }
  }
}
