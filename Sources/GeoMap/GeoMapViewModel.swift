import Foundation
import GeoPipeline
import GeoProjection
import GeoTree
import Observation

/// The state of an interactive map: its viewport, its visible nodes and its selection.
///
/// The model depends on no view framework. A view sets the ``viewport`` and draws ``visibleNodes``,
/// which a scan updates in batches. The scan reads only what is visible, and stops when the
/// viewport changes again.
///
/// ```swift
/// let model = GeoMapViewModel(world: GeoWorld(folder: URL(filePath: "/usr")))
/// let center = GeoCoordinate(longitude: 11.6, latitude: 48.1)
/// model.viewport = MapViewport(center: center, zoom: 4.5, width: 1280, height: 800)
/// await model.finishLoading()
/// for node in model.visibleNodes { print(node.path) }
/// ```
@MainActor @Observable public final class GeoMapViewModel {
  /// The progress of loading the nodes of the viewport.
  public enum Phase: Hashable, Sendable {
    /// Nothing was requested yet.
    case idle
    /// Nodes are being read; earlier ones that may still be visible are kept meanwhile.
    case loading
    /// All visible nodes are loaded.
    case complete
    /// The roots can't be read, or their source breaks off, for a reason in words; nothing is visible.
    case failed(String)
  }

  /// The world to show. Setting it starts a load.
  ///
  /// Its filter's zoom and box are replaced by the viewport's.
  public var world: GeoWorld { didSet { load(forgetting: true) } }

  /// The visible part of the map. Setting another value, or the first one, starts a load.
  public var viewport: MapViewport {
    didSet { if viewport != oldValue || phase == .idle { load(forgetting: false) } }
  }

  /// The visible nodes, in map order once the phase is ``Phase/complete``.
  public internal(set) var visibleNodes: [GeoNode] = []
  /// The progress of ``visibleNodes``.
  public internal(set) var phase = Phase.idle
  /// The first hundred of the entries that could not be read.
  public internal(set) var faults: [ScanFault] = []
  /// The number of entries that could not be read.
  public internal(set) var faultCount = 0
  /// The selected node, as it was when last read.
  public internal(set) var selection: GeoNode?
  /// The visible nodes that are new or different since the last reported change on disk.
  public internal(set) var changedNodes: Set<UInt64> = []

  /// For reported changes on disk, before a reload.
  @ObservationIgnored package var changeDelay = Duration.milliseconds(100)

  /// Whether changes on disk are found and read without ``noteChange(at:)``. It works on Linux, for
  /// the visible folders, 4,096 of them at most.
  ///
  /// On other systems, or if the user's watches are used up, it stays false. Report changes by
  /// ``noteChange(at:)`` there, for instance those of FSEvents or of an `NSFilePresenter`.
  public var watchesDisk: Bool {
    get { watch != nil }
    set { setWatching(newValue) }
  }

  @ObservationIgnored private var watch: FolderWatch?
  @ObservationIgnored var loading: Task<Void, Never>?
  /// Counts the loads; results of earlier loads are dropped.
  @ObservationIgnored var generation = 0
  @ObservationIgnored var pendingChange: Task<Void, Never>?
  /// In ``visibleNodes``.
  @ObservationIgnored var positions: [UInt64: Int] = [:]

  /// Makes a model of a world. It loads nothing before the viewport is set or ``reload()`` called.
  public init(world: GeoWorld, viewport: MapViewport = MapViewport(zoom: 0)) {
    self.world = world
    self.viewport = viewport
  }

  deinit {
    loading?.cancel()
    pendingChange?.cancel()
    watch?.end()
  }

  /// Reads the visible nodes again.
  public func reload() { load(forgetting: false) }

  /// Waits until no load is running or pending.
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

  /// Marking records new and different nodes in ``changedNodes``.
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

  /// Land may reach into the box from a coordinate outside it, so folders with land stay until the
  /// scan decides.
  private func mayShow(_ node: GeoNode) -> Bool {
    guard node.minimumZoom <= viewport.zoom else { return false }
    guard let box = viewport.box, !node.isLanded else { return true }
    return box.contains(node.coordinate)
  }

  /// Off the main actor.
  private nonisolated static func read(
    _ world: GeoWorld, generation: Int, marking before: [GeoNode]?, for model: GeoMapViewModel?
  ) async {
    // The model may be released before its nodes are read.
    let model = WeakModel(model)
    var nodes: [GeoNode] = []
    do {
      for try await batch in try await world.nodes() {
        let found = Array(batch)
        nodes += found
        await model.value?.add(found, faults: batch.faults, generation: generation)
      }
      await model.value?.complete(nodes, marking: before, generation: generation)
    } catch is CancellationError {
      // Another load has started, or the model is gone.
    } catch {
      await model.value?.fail("\(error)", generation: generation)
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
    watchVisibleFolders()
  }

  private func fail(_ reason: String, generation: Int) {
    guard generation == self.generation else { return }
    show([])
    selection = nil
    phase = .failed(reason)
  }

  private func show(_ nodes: [GeoNode]) {
    visibleNodes = nodes
    positions = Dictionary(nodes.enumerated().map { ($1.id, $0) }) { first, _ in first }
  }
}

private struct WeakModel: Sendable {
  weak let value: GeoMapViewModel?

  init(_ value: GeoMapViewModel?) { self.value = value }
}

extension GeoMapViewModel {
  /// Selects a node; nil clears the selection.
  ///
  /// The selection stays when the viewport leaves the node, and ends when the node disappears from
  /// disk.
  public func select(_ node: GeoNode?) { selection = node }

  package func ancestors(of node: GeoNode) -> [GeoNode] {
    visibleNodes.filter { $0.isAncestor(of: node) }.sorted { $0.depth < $1.depth }
  }

  private func nearest(
    to coordinate: GeoCoordinate, zoom: Double, within pixels: Double,
    where isMeant: (GeoNode) -> Bool
  ) -> GeoNode? {
    let place = coordinate.pixel(zoom: zoom)
    func distance(_ node: GeoNode) -> Double {
      let other = node.coordinate.pixel(zoom: zoom)
      return hypot(other.x - place.x, other.y - place.y)
    }
    let nearest = visibleNodes.filter(isMeant).map { (node: $0, distance: distance($0)) }
      .min { ($0.distance, $0.node.id) < ($1.distance, $1.node.id) }
    guard let nearest, nearest.distance <= pixels else { return nil }
    return nearest.node
  }

  /// Returns what a tap or a click means: the nearest visible node without land, such as a file,
  /// within some pixels; else the deepest visible land that the point is in; else nil.
  ///
  /// - Parameters:
  ///   - coordinate: The place of the tap.
  ///   - zoom: The zoom at which the map is drawn.
  ///   - pixels: The maximum distance from a node without land.
  /// - Complexity: O(visible nodes and points of outlines). Land is found only if the world has
  ///   ``GeoWorld/includesOutlines``.
  public func node(at coordinate: GeoCoordinate, zoom: Double, within pixels: Double) -> GeoNode? {
    nearest(to: coordinate, zoom: zoom, within: pixels) { $0.outline.isEmpty }
      ?? visibleNodes.lazy.filter { $0.hasLand(at: coordinate) }
      .max { ($0.depth, $0.id) < ($1.depth, $1.id) }
  }

  /// Reports a change on disk to the model.
  ///
  /// If the entry is below a root, the visible nodes are read again, once for all changes reported
  /// within a tenth of a second. Then ``changedNodes`` has the nodes that are new or different.
  ///
  /// - Parameter url: The entry that was created, changed or removed, or its folder.
  public func noteChange(at url: URL) {
    let path = url.standardizedFileURL.path(percentEncoded: false)
    let isBelow = world.roots.contains { root in
      let folder = root.folder.standardizedFileURL.path(percentEncoded: false)
      return path == folder || path.hasPrefix(folder.hasSuffix("/") ? folder : folder + "/")
        || path + "/" == folder
    }
    if isBelow { reloadSoon() }
  }

  private func setWatching(_ watches: Bool) {
    if watches == (watch != nil) { return }
    watch?.end()
    watch = nil
    if watches {
      watch = try? FolderWatch { [weak self] in Task { @MainActor in self?.reloadSoon() } }
      if phase == .complete { watchVisibleFolders() }
    }
  }

  private func watchVisibleFolders() {
    watch?.watch(visibleNodes.lazy.filter { $0.nodeType != .poi }.map(\.diskPath))
  }

  private func reloadSoon() {
    guard pendingChange == nil else { return }
    pendingChange = Task { [weak self, delay = changeDelay] in
      try? await Task.sleep(for: delay)
      guard let self, !Task.isCancelled else { return }
      pendingChange = nil
      load(forgetting: false, marking: true)
    }
  }
}

extension GeoNode {
  func isAncestor(of other: GeoNode) -> Bool {
    depth < other.depth && other.rawPath.isPath(atOrBelow: rawPath)
  }
}

extension GeoNode {
  var diskPath: [UInt8] {
    var path = Array(directory.url.path(percentEncoded: false).utf8)
    for name in rawPath.components.dropFirst() {
      if path.last != .slash { path.append(.slash) }
      path += name
    }
    return path
  }

  /// A place on an edge counts to one of its sides.
  func hasLand(at place: GeoCoordinate) -> Bool {
    guard var before = outline.last else { return false }
    var isInside = false
    for corner in outline {
      if (corner.latitude > place.latitude) != (before.latitude > place.latitude) {
        let share = (place.latitude - corner.latitude) / (before.latitude - corner.latitude)
        let crossing = corner.longitude + share * (before.longitude - corner.longitude)
        if place.longitude < crossing { isInside.toggle() }
      }
      before = corner
    }
    return isInside
  }
}
