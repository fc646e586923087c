import GeoPipeline
import GeoTree

extension GeoMapViewModel {
  private static var keptFaults: Int { 100 }

  /// Begins to read what the viewport shows.
  ///
  /// - Parameters:
  ///   - forgetting: Whether what was visible before has nothing to do with it.
  ///   - marking: Whether nodes that are new or different are to be marked as changed.
  func load(forgetting: Bool, marking: Bool = false) {
    loading?.cancel()
    generation += 1
    phase = .loading
    faults = []
    faultCount = 0
    changedNodes = []
    let before = marking ? visibleNodes : nil
    let filter = viewport.filter
    let kept = forgetting ? [] : visibleNodes.filter { mayShow($0) }
    if kept.count != visibleNodes.count { show(kept) }

    var world = world
    world.filter.zoom = filter.zoom
    world.filter.box = filter.box
    loading = Task { [weak self, world, generation] in
      await Self.read(world, generation: generation, marking: before, for: self)
    }
  }

  /// Whether a node that was visible before may be so in the viewport: land reaches beyond its
  /// coordinate, so it stays until the scan says otherwise.
  private func mayShow(_ node: GeoNode) -> Bool {
    guard node.minzoom <= viewport.zoom else { return false }
    guard let box = viewport.box, !node.isLanded else { return true }
    return box.contains(node.coordinate)
  }

  /// Reads off the main actor, and hands batches over to it.
  private nonisolated static func read(
    _ world: GeoWorld, generation: Int, marking before: [GeoNode]?, for model: GeoMapViewModel?
  ) async {
    // The model may go away before its nodes are read.
    let model = WeakModel(model)
    var nodes: [GeoNode] = []
    do {
      for try await batch in try await world.nodes() {
        let found = Array(batch)
        nodes += found
        await model.value?.add(found, faults: batch.faults, generation: generation)
      }
      await model.value?.complete(nodes, marking: before, generation: generation)
    } catch let error as MapError {
      await model.value?.fail(error, generation: generation)
    } catch {
      // It was cancelled: another load has taken over.
    }
  }

  private func add(_ nodes: [GeoNode], faults: [ScanFault], generation: Int) {
    guard generation == self.generation else { return }
    for node in nodes {
      if let position = positions[node.id] {
        if visibleNodes[position] != node { visibleNodes[position] = node }
      } else {
        positions[node.id] = visibleNodes.count
        visibleNodes.append(node)
      }
      if node.id == selection?.id { selection = node }
    }
    faultCount += faults.count
    self.faults += faults.prefix(Self.keptFaults - self.faults.count)
  }

  private func complete(_ nodes: [GeoNode], marking before: [GeoNode]?, generation: Int) {
    guard generation == self.generation else { return }
    show(nodes)
    if let before {
      let old = Dictionary(before.map { ($0.id, $0) }) { first, _ in first }
      changedNodes = Set(nodes.lazy.filter { old[$0.id] != $0 }.map(\.id))
      let isGone = selection.map { old[$0.id] != nil && positions[$0.id] == nil } ?? false
      if isGone { selection = nil }
    }
    phase = .complete
  }

  private func fail(_ error: MapError, generation: Int) {
    guard generation == self.generation else { return }
    show([])
    selection = nil
    phase = .failed(error)
  }

  private func show(_ nodes: [GeoNode]) {
    visibleNodes = nodes
    positions = Dictionary(nodes.enumerated().map { ($1.id, $0) }) { first, _ in first }
  }
}

/// A model that a scan does not keep alive.
private struct WeakModel: Sendable {
  weak let value: GeoMapViewModel?

  init(_ value: GeoMapViewModel?) { self.value = value }
}
