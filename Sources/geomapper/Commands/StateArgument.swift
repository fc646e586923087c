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
        for root in try MapPlan.sources(low, [operand]) {
          state.roots.append(root)
          times.insert(try Self.time(of: root, now: now))
          if !state.state.name.isEmpty { state.state.name += Array(", ".utf8) }
          state.state.name += (root.source as? GitRevision)?.name ?? root.label
        }
      }
      state.roots = try MapPlan.checked(state.roots)
      state.state.time = times.count == 1 ? times.first ?? nil : nil
      states.append(state)
    }
    return states
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
