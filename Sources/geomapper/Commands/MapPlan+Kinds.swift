import GeoCore
import GeoFormats
import GeoPipeline
import GeoSources
import GeoSystem
import GeoTree

extension MapPlan {
  /// The largest size of a shard manifest, in bytes.
  private static let longestManifest = 1 << 30

  /// Reads a shard manifest.
  static func manifest(from file: [UInt8]) throws(Failure) -> ShardManifest {
    let shown = TerminalText.escaped(file)
    let text = try GivenFile.bytes(
      of: file, limit: longestManifest, or: "can't read the shard manifest")
    do throws(ShardManifestError) {
      return try ShardManifest(text: text)
    } catch {
      if error == .foreign {
        throw .usage("'\(shown)' is not a shard manifest; 'geomapper split' writes them")
      }
      throw .usage("the shard manifest '\(shown)' is \(error)")
    }
  }

  /// Gives a single root the label of the shard manifest, unless the user gave one.
  static func name(_ roots: inout [ScanRoot], after manifest: ShardManifest, _ operands: [[UInt8]])
  {
    guard manifest.labels.count == 1, roots.count == 1 else { return }
    let given = operands.first.flatMap { try? Operand($0) }
    if given?.label == nil { roots[0].label = manifest.labels[0] }
  }
}

extension MapPlan {
  /// Copies the options about links and mounts to a request.
  static func apply(_ links: LinkArguments, to request: inout MapRequest) {
    request.scan.staysOnFileSystem = links.staysOnFileSystem
    request.scan.followsLinks = links.follows
    request.scan.countsLinks = links.countsLinks
    request.totals = links.totals
  }
}
