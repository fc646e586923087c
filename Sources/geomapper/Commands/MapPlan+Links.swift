import GeoFormats
import GeoCore
import GeoPipeline

extension MapPlan {
  /// Says in a request what is to be done about links and mounts.
  static func apply(_ links: LinkArguments, to request: inout MapRequest) {
    request.scan.staysOnFileSystem = links.staysOnFileSystem
    request.scan.followsLinks = links.follows
    request.scan.countsLinks = links.countsLinks
    request.totals = links.totals
  }
}

extension MapOption {
  /// What the command line calls it.
  var argument: String {
    switch self {
    case .format(let format): "--format \(format.rawValue)"
    case .tippecanoe: "--tippecanoe"
    case .lonlat: "--lonlat"
    case .unindexed: "--no-index"
    case .compression: "--compress"
    case .quotesAll: "--quote-all"
    case .links: "--links"
    case .totals: "--totals"
    case .followsLinks: "--follow"
    case .staysOnFileSystem: "--one-file-system"
    case .noMetadata: "--no-stat"
    case .sizes: "--size"
    case .newer: "--newer"
    case .older: "--older"
    case .gitignore: "--gitignore"
    case .deed: "--deed"
    case .list(let format): format == .lines ? "--files-from" : "--list-format \(format)"
    case .zeroSeparated: "--null"
    case .snapshot(let path), .offDisk(let path): "'\(TerminalText.escaped(path))'"
    }
  }
}
