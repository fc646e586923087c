import GeoCore
import GeoFormats
import GeoPipeline
import GeoProjection
import GeoSources
import GeoSystem
import GeoTree
import GeoWeb

/// The resolved arguments of `geomapper map`.
struct MapPlan: Sendable {
  var request: MapRequest
  /// Whether the user chose what to write, or where.
  let isDeliberate: Bool

  init(_ run: Run) throws(Failure) {
    let low = run.low
    // Totals read the tree twice, and a shard begins inside it: a list must be kept as a snapshot
    // for both.
    let isReadTwice = low.list.file != nil && (low.links.totals || low.shards.manifest != nil)
    let inputs = try run.inputs(low.operands, read: isReadTwice ? .anywhere : .once)
    request = MapRequest(roots: inputs.roots)
    request.selection = inputs.selection
    request.layout = low.layout ?? .settled
    if let file = low.shards.manifest {
      let manifest = try Self.manifest(from: file)
      Self.name(&request.roots, after: manifest, low.operands)
      request.shard = manifest
    }
    request.filter.zoom = low.zoom
    request.filter.box = low.box
    request.filter.maximumDepth = low.maxDepth
    request.format = low.format?.ofMap?.complete ?? .geojson
    request.tippecanoe = low.tippecanoe
    request.lonlat = low.lonlat
    request.isIndexed = low.isIndexed
    request.compression = low.compression
    request.quotesAll = low.quotesAll
    request.scan.threads = low.threads
    request.scan.ownFolder = low.ownFolder
    request.scan.readsMetadata = low.readsMetadata
    Self.apply(low.links, to: &request)
    if inputs.isRedacted {
      // Mounts and links were resolved when the names were read.
      request.scan.staysOnFileSystem = false
      request.scan.followsLinks = false
    }
    isDeliberate =
      low.output != nil || low.format != nil || low.tippecanoe || request.filter.isActive
      || request.selection.isActive
  }
}
