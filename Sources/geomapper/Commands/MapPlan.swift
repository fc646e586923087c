import GeoEmit
import GeoPath
import GeoPipeline
import GeoProjection
import GeoScan
import GeoSystem
import GeoTier

/// What `geomapper map` is going to do: the arguments with all that follows from them.
struct MapPlan: Sendable {
  var request: MapRequest
  /// As it was given.
  let output: [UInt8]
  let progress: ProgressMode
  let isQuiet: Bool

  init(_ low: LowArguments) throws(Failure) {
    let format = low.format ?? .geojson
    if low.tippecanoe, !format.isGeoJSON {
      throw .usage(
        "--tippecanoe works with the GeoJSON formats only, not with --format \(format.rawValue)")
    }
    request = MapRequest(roots: try Self.roots(low.operands))
    request.layout = low.layout ?? .settled
    request.filter.zoom = low.zoom
    request.filter.box = low.box
    request.filter.maxDepth = low.maxDepth
    request.selection = try Self.selection(low)
    request.format = format
    request.tippecanoe = low.tippecanoe
    request.scan.threads = low.threads
    request.scan.readsMetadata = low.readsMetadata
    output = low.output ?? [UInt8(ascii: "-")]
    progress = low.progress ?? .auto
    isQuiet = low.isQuiet
  }

  /// The roots that the operands name; the current folder if there are none.
  private static func roots(_ operands: [[UInt8]]) throws(Failure) -> [ScanRoot] {
    do throws(RootError) {
      var roots: [ScanRoot] = []
      for operand in operands.isEmpty ? [[UInt8(ascii: ".")]] : operands {
        let argument = try RootArgument(parsing: operand)
        roots.append(
          ScanRoot(label: label(of: argument), directory: argument.directory))
      }
      try RootLabel.validate(roots.lazy.map { ($0.label, $0.directory) })
      return roots
    } catch {
      throw .usage(error.description)
    }
  }

  /// A label for the argument. A folder that can't be found gets any: opening it says why.
  private static func label(of argument: RootArgument) -> [UInt8] {
    if let label = argument.impliedLabel { return label }
    let path = (try? ThisProcess.realPath(argument.directory)) ?? argument.directory
    return RootArgument.label(ofRealPath: path)
  }
}
