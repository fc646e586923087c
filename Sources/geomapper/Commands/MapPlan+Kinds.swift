import GeoCore
import GeoFormats
import GeoPipeline
import GeoSources
import GeoSystem
import GeoTree

extension MapPlan {
  /// How many bytes a deed may have.
  private static let longestDeed = 1 << 30

  /// Reads a deed.
  static func deed(from file: [UInt8]) throws(Failure) -> Deed {
    let shown = TerminalText.escaped(file)
    let text = try GivenFile.bytes(of: file, limit: longestDeed, or: "can't read the deed")
    do throws(DeedError) {
      return try Deed(text: text)
    } catch {
      if error == .foreign {
        throw .usage("'\(shown)' is no deed; deeds are made by 'geomapper deed'")
      }
      throw .usage("the deed '\(shown)' is \(error)")
    }
  }

  /// Gives the only root of a deed's world its label, whatever its folder is called here.
  static func name(_ roots: inout [ScanRoot], after deed: Deed, _ operands: [[UInt8]]) {
    guard deed.labels.count == 1, roots.count == 1 else { return }
    let given = operands.first.flatMap { try? Operand($0) }
    if given?.label == nil { roots[0].label = deed.labels[0] }
  }
}

extension MapPlan {
  /// Says in a request what is to be done about links and mounts.
  static func apply(_ links: LinkArguments, to request: inout MapRequest) {
    request.scan.staysOnFileSystem = links.staysOnFileSystem
    request.scan.followsLinks = links.follows
    request.scan.countsLinks = links.countsLinks
    request.totals = links.totals
  }
}
