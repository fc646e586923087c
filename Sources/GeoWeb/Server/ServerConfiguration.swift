import GeoChange
import GeoCore
import GeoFormats
import GeoLive
import GeoProjection
import GeoTree

package struct ServerConfiguration: Sendable {
  package var roots: [ScanRoot]
  /// The roots of an older state. If there are any, the world is the union of both states.
  package var since: [ScanRoot] = []
  /// The names and times of the two states, the older one first.
  package var states: [MapState] = []
  package var layout = Layout.settled
  package var selection = Selection()
  /// Values of the user's own; nil for none.
  package var layers: LayerSet?
  /// About how many folders and files there are, and what says so; nil if unknown.
  package var expected: (entries: Int, basis: String)?
  /// Called once, when all folders have been counted for the first time.
  package var counted: (@Sendable () -> Void)?
  /// What sizes mean at first on the page, `files` or the name of a layer; nil for bytes.
  package var sizes: String?
  /// The name or address of this machine to listen on.
  package var host = "127.0.0.1"
  package var port: UInt16 = 0
  /// Whether clients of this machine, too, need the token in the address. Without it any user of
  /// the machine can connect, unless the system prevents it.
  package var requiresToken = false
  package var allowedOrigins: Set<WebOrigin> = []
  package var assets: [PageAsset] = []
  /// Additional documents, which may be replaced while they are served.
  package var documents: [ServedDocument] = []
  package var answers: [ServedAnswer] = []
  /// Reports changes on disk; with nil the server makes its own watcher.
  package var watcher: SharedWatcher?
  var film: FilmPlan?
  package var version = ""
  package var folderCacheLimit = 48 << 20
  package var tileCacheLimit = 24 << 20
  /// The maximum number of bytes of differences between the states in memory; the rest is in a
  /// scratch file.
  package var comparisonLimit = 64 << 20

  /// The measure of what differs between two states; nil for room on disk if both know it.
  package var measure: SizeMeasure?

  package init(roots: [ScanRoot]) { self.roots = roots }

  var comparison: Comparison? {
    if since.isEmpty { return nil }
    var comparison = Comparison(old: since, new: roots)
    comparison.layout = layout
    comparison.selection = selection
    comparison.memory = comparisonLimit
    comparison.measure = measure
    return comparison
  }
}
