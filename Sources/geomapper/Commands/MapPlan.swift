import GeoFormats
import GeoCore
import GeoPipeline
import GeoProjection
import GeoTree
import GeoSystem

/// What `geomapper map` is going to do: the arguments with all that follows from them.
struct MapPlan: Sendable {
  var request: MapRequest
  /// As it was given.
  let output: [UInt8]
  /// Whether somebody has said what is to be written, or where.
  let isDeliberate: Bool
  let progress: ProgressMode
  let isQuiet: Bool
  /// Whether all of a list could be used, where it was looked at before, and all of a revision be shown.
  private(set) var isWhole = true

  init(_ low: LowArguments) throws(Failure) {
    // Totals take two readings, and a part begins somewhere: neither goes with a list as it is. What is
    // told by other names is kept before.
    let isRedacted = low.redaction.isAsked || low.redaction.keyFile != nil
    if isRedacted, low.deeds.deed != nil {
      throw .usage("--redact needs the whole tree, and --deed maps a part of it: drop one of them")
    }
    if isRedacted || low.list.file != nil && (low.links.totals || low.deeds.deed != nil) {
      let sources = try WorldSources(low, low.operands)
      request = MapRequest(roots: sources.roots)
      request.selection = sources.selection
      isWhole = sources.status() == .success
    } else {
      let list = try Self.list(low)
      request = MapRequest(
        roots: list == nil
          ? try Self.sources(low, low.operands) : [try Self.rootOfList(low.operands)])
      request.list = list
      request.selection = try Self.selection(low)
      isWhole = Self.canBeShown(request.roots, isQuiet: low.isQuiet)
    }
    request.layout = low.layout ?? .settled
    if let file = low.deeds.deed {
      if low.layout != nil {
        throw .usage("--layout can't be given with --deed: the deed says the layout")
      }
      let deed = try Self.deed(from: file)
      Self.name(&request.roots, after: deed, low.operands)
      request.deed = deed
    }
    request.filter.zoom = low.zoom
    request.filter.box = low.box
    request.filter.maxDepth = low.maxDepth
    request.format = low.format?.ofMap ?? .geojson
    request.tippecanoe = low.tippecanoe
    request.lonlat = low.lonlat
    request.isIndexed = low.isIndexed
    request.compression = low.compression
    request.quotesAll = low.quotesAll
    request.scan.threads = low.threads
    request.scan.ownFolder = low.ownFolder
    request.scan.readsMetadata = low.readsMetadata
    Self.apply(low.links, to: &request)
    if isRedacted {
      // That was done when the names were read.
      request.scan.staysOnFileSystem = false
      request.scan.followsLinks = false
    }
    if let conflict = request.conflict { throw Failure(MapError.conflict(conflict)) }
    output = low.output ?? [UInt8(ascii: "-")]
    isDeliberate =
      low.output != nil || low.format != nil || low.tippecanoe || request.filter.isActive
      || request.selection.isActive
    progress = low.progress ?? .auto
    isQuiet = low.isQuiet
  }

  /// The folder that an operand names.
  static func root(
    _ argument: RootArgument, given operand: [UInt8]
  ) throws(Failure) -> ScanRoot {
    let root = ScanRoot(label: try label(of: argument), directory: argument.directory)
    if argument.label != nil { try check(root, given: operand) }
    return root
  }

  /// Roots, each of which is there, in the order of their labels.
  static func checked(_ roots: [ScanRoot]) throws(Failure) -> [ScanRoot] {
    do throws(MapError) {
      return try MapPipeline.roots(roots, readsDisk: true)
    } catch {
      throw Failure(error)
    }
  }

  /// A label for the argument.
  private static func label(of argument: RootArgument) throws(Failure) -> [UInt8] {
    if let label = argument.impliedLabel { return label }
    do throws(Errno) {
      return RootArgument.label(ofRealPath: try ThisProcess.realPath(argument.directory))
    } catch {
      let root = ScanRoot(label: [], directory: argument.directory)
      do throws(ScanRoot.Failure) {
        try root.check()
      } catch {
        throw Failure(MapError(error, directory: root.directory))
      }
      // It is there, but has no path any more, as the current folder when it was removed.
      let shown = TerminalText.escaped(root.directory)
      throw .usage(
        "can't tell the real path of '\(shown)', and with it its label: \(error); "
          + "give it a LABEL, such as NAME=\(shown)")
    }
  }

  /// Looks whether `a=b` was meant as the name of a folder.
  private static func check(_ root: ScanRoot, given operand: [UInt8]) throws(Failure) {
    do throws(ScanRoot.Failure) {
      try root.check()
    } catch {
      let failure = Failure(MapError(error, directory: root.directory))
      if (try? ScanRoot(label: [], directory: operand).check()) == nil { throw failure }
      let shown = TerminalText.escaped(operand)
      throw .usage("\(failure.message); for the folder '\(shown)', give './\(shown)'")
    }
  }
}
