import GeoEmit
import GeoGit
import GeoPath
import GeoScan
import GeoSnapshot

/// One of the states that are compared, as operands name it.
struct StateArgument {
  var roots: [ScanRoot] = []
  /// What it is called, and when it was, if that is known.
  var state = MapState(name: [])
  /// What of a list could not be used; each was named.
  var faults = 0

  /// The states that operands name, each of which may have several roots.
  ///
  /// - Parameter now: When folders on disk are read, in Unix seconds; nil if nobody wants to know.
  static func states(
    _ operands: [[[UInt8]]], _ low: LowArguments, now: Int64?
  ) throws(Failure) -> [StateArgument] {
    // Whether revisions are marked as such is one question for all of them.
    let marked = operands.joined().filter { MapPlan.isMarked($0) }
    var states: [StateArgument] = []
    for operands in operands {
      var state = StateArgument()
      var times: Set<Int64?> = []
      for operand in operands {
        var low = low
        if !marked.isEmpty, !marked.contains(operand) { low.gitRepository = nil }
        if let file = try StateFile(operand, low) {
          for root in file.roots { state.add(root, name: root.label) }
          times.insert(file.seconds)
          state.faults += file.faults
          continue
        }
        for root in try MapPlan.sources(low, [operand]) {
          state.add(root, name: (root.source as? GitRevision)?.name ?? root.label)
          times.insert(try Self.time(of: root, now: now))
        }
      }
      state.roots = try MapPlan.checked(state.roots)
      state.state.time = times.count == 1 ? times.first ?? nil : nil
      states.append(state)
    }
    return states
  }

  private mutating func add(_ root: ScanRoot, name: [UInt8]) {
    roots.append(root)
    if !state.name.isEmpty { state.name += Array(", ".utf8) }
    state.name += name
  }

  private static func time(of root: ScanRoot, now: Int64?) throws(Failure) -> Int64? {
    do throws(GitError) {
      switch root.source {
      case let snapshot as SnapshotSource: return snapshot.snapshot.header.seconds
      case let revision as GitRevision: return try revision.committed()
      default: return now
      }
    } catch {
      throw .usage(error.description)
    }
  }
}
