import GeoFormats
import GeoSources
import GeoProjection
import GeoTree

/// What is to be mapped, and how it is to be written.
public struct MapRequest: Sendable {
  /// The folders to map, each under a label of its own.
  public var roots: [ScanRoot]
  /// The part of the world to map; nil for all of it. It says the layout and where all is; the roots
  /// say where its folders are on this machine.
  public var deed: Deed?
  /// A list to read in place of a disk; there is one root then, whose folder need not be there.
  public var list: ListSource?
  /// How sub-folders come by their land.
  public var layout = Layout.settled
  /// Which nodes are shown.
  public var filter = MapFilter()
  /// Which entries are shown, wherever they are.
  public var selection = Selection()
  /// In which format the map is written.
  public var format = OutputFormat.geojson
  /// Whether each feature says at which zoom tippecanoe is to show it first.
  public var tippecanoe = false
  /// Whether files say where they are beside their geometry.
  public var lonlat = false
  /// Whether the map has an index, where its format has one.
  public var isIndexed = true
  /// How the map is packed, where its format has a choice; nil for the usual.
  public var compression: Compression?
  /// Whether every text of a table stands in quotes.
  public var quotesAll = false
  /// Whether a first pass adds up what is below each folder.
  public var totals = false
  /// Whether nodes are given with their coast lines; of no account where text is written.
  public var outlines = false
  /// How the folders are read.
  public var scan = FileSystemScanner.Options()

  /// What features are to say beyond what they always do.
  package var writerOptions: WriterOptions {
    var options = WriterOptions()
    options.tippecanoe = tippecanoe
    options.totals = totals
    options.links = scan.countsLinks
    options.loops = scan.followsLinks(in: roots)
    options.lonlat = lonlat
    options.isIndexed = isIndexed
    options.compression =
      compression ?? (format.traits.contains(.compression) ? .gzip : .none)
    options.quotesAll = quotesAll
    return options
  }

  /// The usual map of the given folders.
  public init(roots: [ScanRoot]) { self.roots = roots }
}
