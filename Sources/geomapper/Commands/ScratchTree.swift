import GeoWeb
import GeoAtlas
import GeoCore
import GeoPipeline
import GeoProjection
import GeoTree
import GeoSources
import GeoSystem

/// The tree of a map as a snapshot in a scratch file, which the system deletes at the end of the
/// process or of this value.
struct ScratchTree {
  let snapshot: Snapshot
  let world: World

  /// Limit of the cache of listings, in bytes.
  private static let cacheLimit = 64 << 20

  /// Reads the tree of a request.
  init(_ request: MapRequest, _ report: Report) async throws(Failure) {
    snapshot = try await Self.snapshot(of: request, report)
    world = try wording { [snapshot] in
      // The snapshot applied all other conditions; only kinds still hide nodes.
      try World(
        roots: snapshot.scanRoots(), layout: request.layout, selection: request.selection.ofKinds,
        cacheLimit: Self.cacheLimit, keepsFacts: true)
    }
  }

  private static func snapshot(
    of request: MapRequest, _ report: Report
  ) async throws(Failure) -> Snapshot {
    var wanted = SnapshotRequest(roots: request.roots)
    wanted.selection = request.selection
    wanted.scan = request.scan
    wanted.scan.preparationListener = report.preparationListener
    do {
      let scratch = try ScratchFile()
      for try await chunk in try await MapPipeline.openSnapshot(wanted) {
        try chunk.withBytes { (bytes) throws(Errno) in try scratch.append(bytes) }
        report.add(chunk)
      }
      return try Snapshot(in: scratch, named: Array("a scratch file".utf8))
    } catch let error as Errno {
      throw .noScratch(error)
    } catch let error as SnapshotError {
      throw .output("the tree can't be read again: \(error.description)")
    } catch {
      throw Failure(error, "the tree can't be kept")
    }
  }

  /// The number of nodes in the snapshot.
  var nodes: Int { Int(clamping: snapshot.folders) + Int(clamping: snapshot.files) }

  /// Makes the tiles.
  func archive(
    _ arguments: ArchiveArguments, _ request: MapRequest, _ report: Report
  ) async throws(Failure) -> WorldArchive {
    let totals = request.totals ? try await totals(request, report) : nil
    let threads = request.scan.threads ?? FileSystem.processors
    let progress = { (thousandths: Int) in report.show(thousandths: thousandths, of: "tiles") }
    let sparse = try await sparseRange(arguments, request, report)
    let archive: WorldArchive
    do throws(Errno) {
      if arguments.isSparse {
        archive = try WorldArchive(
          of: world, totals: totals, range: sparse, threads: threads, progress: progress)
      } else if let deepest = arguments.maxZoom {
        archive = try WorldArchive(
          of: world, totals: totals,
          range: TileDescent.Range(complete: deepest, deepest: deepest), threads: threads,
          progress: progress)
      } else {
        archive = try WorldArchive.complete(
          of: world, totals: totals, notTwiceAsLargeAs: sparse, deepest: NodesByZoom.deepest,
          threads: threads, progress: progress)
      }
    } catch {
      throw .noScratch(error)
    }
    try expectAllRead()
    return archive
  }

  /// Makes a site.
  func site(
    _ arguments: ArchiveArguments, _ request: MapRequest, _ report: Report
  ) async throws(Failure) -> Publication {
    let range = try await sparseRange(arguments, request, report)
    let totals = try await totals(request, report)
    var site: Publication
    do throws(Errno) {
      site = try Publication(
        of: world, totals: totals, range: range, address: arguments.address,
        threads: request.scan.threads ?? FileSystem.processors
      ) { report.show(thousandths: $0, of: "tiles") }
    } catch {
      throw .noScratch(error)
    }
    let isPart = request.selection.isActive || request.roots.contains { $0.source.isPartial }
    let shown = isPart ? try await self.totals(of: snapshot.scanRoots(), request, report) : totals
    site.extent = extent(shown)
    if arguments.address != nil {
      site.picture = SharePicture.draw(
        shown, by: world.engine, isPart: isPart, report)
    }
    try expectAllRead()
    return site
  }

  /// The numbers of files, folders and bytes, in words.
  private func extent(_ totals: TreeTotals) -> String {
    let (files, folders) = (Int(clamping: snapshot.files), Int(clamping: snapshot.folders))
    let sums = totals.folders(in: nil).numbers.map { totals[$0] }
    // Lists of names have no sizes.
    let bytes = sums.reduce(Int64?(0)) { sum, one in
      guard let sum, let more = one?.bytes else { return nil }
      return sum + more
    }
    return "\(Quantity.count(files, "file")) in \(Quantity.count(folders, "folder"))"
      + (bytes.map { ", \(Quantity.bytes(Int(clamping: $0)))" } ?? "")
  }

  /// Throws if the scratch file could not be read, instead of reporting unreadable folders.
  private func expectAllRead() throws(Failure) {
    if let reason = snapshot.failure { throw .noScratch(reason) }
  }

  /// The zooms of a site or a sparse archive, down to `--max-zoom` or the useful zoom.
  private func sparseRange(
    _ arguments: ArchiveArguments, _ request: MapRequest, _ report: Report
  ) async throws(Failure) -> TileDescent.Range {
    if let deepest = arguments.maxZoom {
      return TileDescent.Range(nodes: nodes, deepest: deepest)
    }
    return TileDescent.Range(nodes: nodes, deepest: try await usefulZoom(request, report))
  }

  /// The zoom that shows 95 % of the nodes, at most ``NodesByZoom/deepest``.
  private func usefulZoom(
    _ request: MapRequest, _ report: Report
  ) async throws(Failure) -> Int {
    var nodes = MapRequest(roots: snapshot.scanRoots())
    nodes.layout = request.layout
    nodes.scan.threads = request.scan.threads
    nodes.scan.readsMetadata = false
    nodes.scan.listener = report.listener("zooms", of: self.nodes)
    var histogram = NodesByZoom()
    do {
      for try await batch in try await MapPipeline.openNodes(nodes) {
        for node in batch.records { histogram.add(node.minzoom) }
      }
    } catch {
      throw Failure(error, "the tree can't be read again")
    }
    return histogram.usefulZoom
  }

  /// The totals of all folders, including entries that the selection hides.
  private func totals(
    _ request: MapRequest, _ report: Report
  ) async throws(Failure) -> TreeTotals {
    try await totals(
      of: request.selection.isActive ? request.roots : snapshot.scanRoots(), request, report)
  }

  private func totals(
    of roots: [ScanRoot], _ request: MapRequest, _ report: Report
  ) async throws(Failure) -> TreeTotals {
    var options = request.scan
    options.listener = report.listener("totals", of: roots.entryCount)
    do {
      return try await TreeTotals.all(of: roots, options: options)
    } catch {
      throw Failure(error, "the totals can't be added up")
    }
  }
}

/// The number of nodes that become visible at each zoom.
struct NodesByZoom {
  private var counts = [Int](repeating: 0, count: 256)
  private var total = 0

  /// The deepest default zoom of tiles.
  static let deepest = 24

  mutating func add(_ minzoom: UInt8) {
    counts[Int(minzoom)] += 1
    total += 1
  }

  /// The first zoom that shows 95 % of the nodes, at most ``deepest``.
  var usefulZoom: Int {
    var shown = 0
    for zoom in 0..<Self.deepest {
      shown += counts[zoom]
      if shown * 20 >= total * 19 { return zoom }
    }
    return Self.deepest
  }
}
