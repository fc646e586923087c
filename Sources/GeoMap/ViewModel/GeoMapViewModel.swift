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
