import GeoCore
import GeoPipeline
import GeoProjection
import GeoTree

/// States of a tree, in the order of their times.
package struct StateHistory: Sendable {
  private let states: [[ScanRoot]]
  private let described: [History.State]
  /// How the folders are read.
  package var scan = FileSystemScanner.Options()

  /// - Parameters:
  ///   - states: The roots of each state.
  ///   - times: Their times in Unix seconds; none is earlier than the one before.
  ///   - names: What they are called; none if nobody wants to know.
  package init(_ states: [[ScanRoot]], times: [Int64], names: [[UInt8]] = []) {
    self.states = states
    described = times.enumerated().map { index, time in
      History.State(time: time, name: names.indices.contains(index) ? names[index] : [])
    }
  }

  /// Reads all states, and finds what lived when.
  ///
  /// - Parameters:
  ///   - keepsEvents: Whether somebody wants to know what happened to files, too.
  ///   - report: Told what could not be read.
  /// - Throws: `MapError`; `CancellationError` if the task was cancelled.
  package func world(
    layout: Layout, keepsEvents: Bool, report: ([ScanFault]) -> Void
  ) async throws -> HistoryWorld {
    let roots = try WorldRoots(UnionSource.roots(of: states), layout)
    var options = scan
    options.readsMetadata = true
    options.asksForStorage = true
    options.asksForNanosecondsAlone = true
    let plan = StatePlan(
      depth: 0, views: Array(repeating: SideView.whole, count: states.count))
    let batches: ScanBatches<StatePart>
    do throws(FileSystemScanner.Failure) {
      batches = try await FileSystemScanner(options: options).scan(roots.roots, plan: plan) {
        StateVisitor(keepsEvents: keepsEvents)
      }
    } catch {
      throw MapError(error)
    }
    var history = History(labels: roots.labels)
    history.states = described
    var way: [Int32] = []
    for try await batch in batches {
      history.add(batch.content, &way)
      report(batch.faults)
    }
    return HistoryWorld(history, roots.engine)
  }
}

extension History {
  /// Adds the next part.
  ///
  /// - Parameter way: The folders on the way to the node added last.
  fileprivate mutating func add(_ part: StatePart, _ way: inout [Int32]) {
    let (nodeOffset, nameOffset) = (Int32(nodes.count), names.count)
    names += part.names
    for node in part.nodes {
      way.removeLast(max(0, way.count - Int(node.depth)))
      nodes.append(
        Node(
          parent: way.last ?? -1, nameStart: node.nameStart + nameOffset,
          nameLength: node.nameLength, isFolder: node.isFolder, depth: node.depth))
      if node.isFolder { way.append(Int32(nodes.count - 1)) }
    }
    for life in part.lives {
      var life = life
      life.node += nodeOffset
      lives.append(life)
    }
    contents += part.contents
    for event in part.events {
      var event = event
      event.node += nodeOffset
      events.append(event)
    }
  }
}
