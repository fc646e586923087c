import GeoAtlas
import GeoCore
import GeoPipeline
import GeoSources
import GeoSystem
import GeoTree

package protocol TreeReport: AnyObject {
  var preparationListener: FileSystemScanner.PreparationListener? { get }

  func add(_ chunk: MapChunk)

  func show(thousandths: Int, of part: String)

  /// Begins an additional pass over the tree; nil if progress is off.
  func listener(_ part: String, of total: Int?) -> FileSystemScanner.Listener?
}

extension Failure {
  /// A scratch file for tiles can't be written or read, or a thread not be started.
  package static func noTiles(_ reason: Errno) -> Failure {
    .output(
      "can't keep tiles in scratch files (TMPDIR names their folder) or start a thread: \(reason)",
      cause: reason)
  }
}

/// Which tiles an archive or a site has.
package struct TileChoice: Sendable {
  package var maximumZoom: Int?
  /// Whether an archive leaves out tiles that show nothing new.
  package var isSparse = false

  package static let zooms = 0...26

  package init() {}
}

/// The tree of a map as a snapshot in a scratch file, which the system deletes at the end of the
/// process or of this value.
package struct ArchiveBuilder {
  package let snapshot: Snapshot
  private let faults: FirstFaults
  package let world: World

  /// Limit of the cache of listings, in bytes. The folders around the next tiles are kept anyway.
  private static let cacheLimit = 4 << 20

  package init(_ request: MapRequest, _ report: some TreeReport) async throws {
    (snapshot, faults) = try await Self.snapshot(of: request, report)
    // The snapshot applied all other conditions; only kinds still hide nodes.
    world = try World(
      roots: snapshot.scanRoots(), layout: request.layout, selection: request.selection.ofKinds,
      cacheLimit: Self.cacheLimit, keepsFacts: true, layers: request.layers)
  }

  private static func snapshot(
    of request: MapRequest, _ report: some TreeReport
  ) async throws -> (Snapshot, FirstFaults) {
    var wanted = SnapshotRequest(roots: request.roots)
    wanted.selection = request.selection
    wanted.scan = request.scan
    wanted.scan.preparationListener = report.preparationListener
    wanted.effort = .stored
    do {
      let scratch = try ScratchFile()
      var faults = FirstFaults()
      for try await chunk in try await MapPipeline.openSnapshot(wanted) {
        try chunk.withBytes { (bytes) throws(Errno) in try scratch.append(bytes) }
        report.add(chunk)
        faults.add(chunk.faults)
      }
      return (try Snapshot(in: scratch, named: Array("a scratch file".utf8)), faults)
    } catch let error as Errno {
      throw Failure.noTiles(error)
    } catch let error as SnapshotError {
      throw Failure.output("the tree can't be read again: \(error)", cause: error)
    } catch {
      throw Self.failure("the tree can't be kept", error)
    }
  }

  /// A cancellation and an error that explains itself stay as they are.
  private static func failure(_ part: String, _ error: any Error) -> any Error {
    error is CancellationError || error is any GeoError
      ? error : Failure.output("\(part): \(error)", cause: error)
  }

  private var nodes: Int { Int(clamping: snapshot.entries) }

  package func archive(
    _ choice: TileChoice, _ request: MapRequest, _ report: some TreeReport
  ) async throws -> WorldArchive {
    let totals =
      request.totals || request.layers != nil
      ? try await sums(request, report, showsTotals: request.totals) : nil
    let threads = request.scan.threads ?? FileSystem.processors
    let progress = { (thousandths: Int) in report.show(thousandths: thousandths, of: "tiles") }
    let nodes =
      choice.isSparse || choice.maximumZoom == nil ? try await nodesByZoom(request, report) : nil
    var archive: WorldArchive
    do throws(Errno) {
      if !choice.isSparse, choice.maximumZoom == nil, let nodes {
        archive = try WorldArchive.complete(
          of: world, totals: totals, nodes, threads: threads, progress: progress)
      } else {
        let maximumZoom = choice.maximumZoom ?? nodes?.last ?? 0
        var range = TileDescent.Range(complete: maximumZoom, maximumZoom: maximumZoom)
        if choice.isSparse, let nodes {
          range = TileDescent.Range(nodes: nodes.count, maximumZoom: maximumZoom)
        }
        archive = try WorldArchive(
          of: world, totals: totals, range: range, threads: threads, progress: progress)
        if choice.isSparse, let nodes {
          archive.leftOut = nodes.count - nodes.count(to: maximumZoom)
        }
      }
    } catch {
      throw Self.scratch(error)
    }
    try expectAllRead()
    return archive
  }

  /// Makes a site, whose tiles are always sparse, and returns the totals of what it shows, too.
  package func site(
    _ choice: TileChoice, address: String?, _ request: MapRequest, _ report: some TreeReport
  ) async throws -> (site: Publication, shown: TreeTotals, isPart: Bool) {
    let maximumZoom: Int
    if let chosen = choice.maximumZoom {
      maximumZoom = chosen
    } else {
      maximumZoom = try await nodesByZoom(request, report).usefulZoom
    }
    let range = TileDescent.Range(nodes: nodes, maximumZoom: maximumZoom)
    let totals = try await sums(request, report, showsTotals: true)
    var site: Publication
    do throws(Errno) {
      site = try Publication(
        of: world, totals: totals, range: range, address: address,
        threads: request.scan.threads ?? FileSystem.processors
      ) { report.show(thousandths: $0, of: "tiles") }
    } catch {
      throw Self.scratch(error)
    }
    let isPart = request.selection.isActive || request.roots.contains { $0.source.isPartial }
    let shown = isPart ? try await self.totals(of: snapshot.scanRoots(), request, report) : totals
    site.extent = extent(shown)
    site.faults = faults
    try expectAllRead()
    return (site, shown, isPart)
  }

  /// The error of making tiles, which also end if the task is cancelled.
  private static func scratch(_ reason: Errno) -> any Error {
    Task.isCancelled ? CancellationError() : Failure.noTiles(reason)
  }

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

  private func expectAllRead() throws(Failure) {
    if let reason = snapshot.failure { throw .noTiles(reason) }
  }

  private func nodesByZoom(
    _ request: MapRequest, _ report: some TreeReport
  ) async throws -> NodesByZoom {
    var nodes = MapRequest(roots: snapshot.scanRoots())
    nodes.layout = request.layout
    nodes.selection = request.selection.ofKinds
    nodes.scan.threads = request.scan.threads
    nodes.scan.readsMetadata = false
    nodes.scan.listener = report.listener("zooms", of: self.nodes)
    var histogram = NodesByZoom()
    do {
      for try await batch in try await MapPipeline.openNodes(nodes) {
        for node in batch.records { histogram.add(node.minzoom, depth: Int(node.depth)) }
      }
    } catch {
      throw Self.failure("the tree can't be read again", error)
    }
    return histogram
  }

  /// What tiles say of folders: the totals, including entries that the selection hides, and the
  /// sums of layers, without these entries.
  private func sums(
    _ request: MapRequest, _ report: some TreeReport, showsTotals: Bool
  ) async throws -> TreeTotals {
    if showsTotals, request.selection.isActive {
      var all = try await totals(of: request.roots, request, report)
      if request.layers == nil { return all }
      all.copyLayers(
        of: try await totals(of: snapshot.scanRoots(), request, report, sumsUpLayers: true))
      return all
    }
    var all = try await totals(of: snapshot.scanRoots(), request, report, sumsUpLayers: true)
    if !showsTotals { all.dropTotals() }
    return all
  }

  private func totals(
    of roots: [ScanRoot], _ request: MapRequest, _ report: some TreeReport,
    sumsUpLayers: Bool = false
  ) async throws -> TreeTotals {
    var options = request.scan
    options.listener = report.listener("totals", of: roots.entryCount)
    if sumsUpLayers, request.layers != nil { options.selection = request.selection.ofKinds }
    do {
      return try await TreeTotals.all(
        of: roots, options: options, layers: sumsUpLayers ? request.layers : nil)
    } catch {
      throw Self.failure("the totals can't be added up", error)
    }
  }
}
