import Foundation
import GeoPipeline
import GeoProjection
import GeoTree
import Observation

/// The state of an interactive map: what it shows, and what of it is selected.
///
/// A model knows no view framework: a view sets the ``viewport`` and draws ``visibleNodes``, which
/// follow it in batches from a scan that reads only what is visible. A scan that has been overtaken
/// by another viewport is stopped.
///
/// ```swift
/// let model = GeoMapViewModel(world: GeoWorld(folder: URL(filePath: "/usr")))
/// model.viewport = MapViewport(center: place, zoom: 4.5, width: 1280, height: 800)
/// await model.finishLoading()
/// ```
@MainActor @Observable public final class GeoMapViewModel {
  /// How far the nodes are that the viewport asks for.
  public enum Phase: Hashable, Sendable {
    /// Nothing was asked for yet.
    case idle
    /// Nodes are on the way; those that were visible before and may still be are kept meanwhile.
    case loading
    /// All visible nodes are there.
    case complete
    /// The roots can't be read; nothing is visible.
    case failed(MapError)
  }

  /// The roots, the layout, and which entries are shown. Another world is loaded at once.
  ///
  /// Its filter's zoom and box are replaced by the viewport's.
  public var world: GeoWorld { didSet { load(forgetting: true) } }

  /// What the map shows. Another viewport is loaded at once.
  public var viewport: MapViewport {
    didSet { if viewport != oldValue { load(forgetting: false) } }
  }

  /// The nodes that are visible: in the map's order once the phase is ``Phase/complete``.
  public internal(set) var visibleNodes: [GeoNode] = []
  /// How far they are.
  public internal(set) var phase = Phase.idle
  /// What could not be read among them, the first hundred.
  public internal(set) var faults: [ScanFault] = []
  /// How many could not be read.
  public internal(set) var faultCount = 0
  /// The selected node, as it was last seen.
  public internal(set) var selection: GeoNode?
  /// Which of the visible nodes are new or different since a change on disk was reported.
  public internal(set) var changedNodes: Set<GeoNode.ID> = []

  /// For how long changes on disk are collected before they are looked at.
  @ObservationIgnored public var changeDelay = Duration.milliseconds(100)

  @ObservationIgnored var loading: Task<Void, Never>?
  /// Loads that were begun so far: what belongs to an earlier one is not wanted any more.
  @ObservationIgnored var generation = 0
  @ObservationIgnored var pendingChange: Task<Void, Never>?
  /// Where each visible node stands in ``visibleNodes``.
  @ObservationIgnored var positions: [GeoNode.ID: Int] = [:]

  /// A model of a world, of which nothing is loaded before a viewport is set or ``reload()`` called.
  public init(world: GeoWorld, viewport: MapViewport = .world) {
    self.world = world
    self.viewport = viewport
  }

  isolated deinit {
    loading?.cancel()
    pendingChange?.cancel()
  }

  /// Reads again what is visible.
  public func reload() { load(forgetting: false) }

  /// Waits until nothing is on the way any more.
  public func finishLoading() async {
    while true {
      if let change = pendingChange {
        await change.value
      } else if phase == .loading, let task = loading {
        await task.value
      } else {
        return
      }
    }
  }
}

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

extension GeoMapViewModel {
  /// The visible node of an id.
  ///
  /// - Complexity: O(1).
  public func node(_ id: GeoNode.ID) -> GeoNode? { positions[id].map { visibleNodes[$0] } }

  /// Selects a node; nil selects none.
  ///
  /// The selection stays when the viewport leaves the node, and ends when the node is gone from disk.
  public func select(_ node: GeoNode?) { selection = node }

  /// The visible ancestors of a node, the root first.
  ///
  /// - Complexity: O(visible nodes).
  public func ancestors(of node: GeoNode) -> [GeoNode] {
    visibleNodes.filter { $0.isAncestor(of: node) }.sorted { $0.depth < $1.depth }
  }

  /// The visible nodes that are directly in a folder.
  ///
  /// - Complexity: O(visible nodes).
  public func children(of node: GeoNode) -> [GeoNode] {
    visibleNodes.filter { $0.depth == node.depth + 1 && node.isAncestor(of: $0) }
  }

  /// The visible folder with land, or file, that a pointer is nearest to.
  ///
  /// - Parameters:
  ///   - coordinate: Where the pointer is.
  ///   - zoom: The zoom at which the map is drawn.
  ///   - pixels: How far it may be from a node's coordinate.
  /// - Complexity: O(visible nodes).
  public func node(near coordinate: GeoCoordinate, zoom: Double, within pixels: Double) -> GeoNode?
  {
    let place = coordinate.pixel(zoom: zoom)
    func distance(_ node: GeoNode) -> Double {
      let other = node.coordinate.pixel(zoom: zoom)
      return hypot(other.x - place.x, other.y - place.y)
    }
    let nearest = visibleNodes.lazy.map { (node: $0, distance: distance($0)) }
      .min { ($0.distance, $0.node.id) < ($1.distance, $1.node.id) }
    guard let nearest, nearest.distance <= pixels else { return nil }
    return nearest.node
  }

  /// Tells the model that something has changed on disk.
  ///
  /// What is visible is read again, once for all changes that are reported within ``changeDelay``, if
  /// the place lies below a root; nodes that are new or different are then in ``changedNodes``.
  ///
  /// - Parameter url: The entry that was made, changed or removed, or the folder that it is in.
  public func noteChange(at url: URL) {
    let path = url.standardizedFileURL.path(percentEncoded: false)
    let isBelow = world.roots.contains { root in
      let folder = root.folder.standardizedFileURL.path(percentEncoded: false)
      return path == folder || path.hasPrefix(folder.hasSuffix("/") ? folder : folder + "/")
        || path + "/" == folder
    }
    guard isBelow, pendingChange == nil else { return }
    pendingChange = Task { [weak self, delay = changeDelay] in
      try? await Task.sleep(for: delay)
      guard let self, !Task.isCancelled else { return }
      pendingChange = nil
      load(forgetting: false, marking: true)
    }
  }
}

extension GeoNode {
  /// Whether another node's path begins with this one's.
  func isAncestor(of other: GeoNode) -> Bool {
    depth < other.depth && other.rawPath.isPath(atOrBelow: rawPath)
  }
}

extension BoundingBox {
  /// Whether a place is in the box, its edges included.
  func contains(_ place: GeoCoordinate) -> Bool {
    guard south...max(south, north) ~= place.latitude else { return false }
    return west <= east
      ? west...east ~= place.longitude : place.longitude >= west || place.longitude <= east
  }
}

/// What a map shows of the world: a box, at a zoom.
public struct MapViewport: Hashable, Sendable {
  /// The part of the world; nil for all of it.
  public var box: BoundingBox?
  /// The zoom, by which nodes are filtered: those whose `minzoom` is not above it are visible.
  public var zoom: Int

  /// The whole world at zoom 0.
  public static let world = MapViewport(zoom: 0)

  /// A viewport of the given parts.
  public init(box: BoundingBox? = nil, zoom: Int) {
    self.box = box
    self.zoom = zoom
  }

  /// What a window shows.
  ///
  /// - Parameters:
  ///   - center: The place in its middle.
  ///   - zoom: The zoom of a web map with tiles of 512 pixels; what is between two zooms shows what the
  ///     lower one does.
  ///   - width: The window's width in pixels.
  ///   - height: The window's height in pixels.
  public init(center: GeoCoordinate, zoom: Double, width: Double, height: Double) {
    let world = MapTile.size * exp2(zoom)
    let (x, y) = center.webMercator
    let (halfWidth, halfHeight) = (width / world / 2, height / world / 2)
    let north = GeoCoordinate(webMercatorX: x, y: max(0, y - halfHeight)).latitude
    let south = GeoCoordinate(webMercatorX: x, y: min(1, y + halfHeight)).latitude
    // A window that is wider than the world shows all of it.
    let isWhole = halfWidth >= 0.5
    func wrapped(_ x: Double) -> Double { (x - x.rounded(.down) - 0.5) * 360 }
    self.init(
      box: BoundingBox(
        west: isWhole ? -180 : wrapped(x - halfWidth), south: south,
        east: isWhole ? 180 : wrapped(x + halfWidth), north: north),
      zoom: max(0, Int(zoom.rounded(.down))))
  }

  /// Which nodes are visible in it.
  public var filter: MapFilter { MapFilter(zoom: zoom, box: box) }
}
