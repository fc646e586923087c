import Foundation
import GeoMap
import GeoScan
import GeoTree
import Observation
import TestSupport
import Testing

/// The model of an interactive map, without a view.
@MainActor @Suite struct ViewModelTests {
  /// Some folders; the deeper ones are hidden at low zooms.
  private func makeTree(seed: UInt64) throws -> TemporaryFolder {
    var generator = SeededGenerator(seed: seed)
    let folder = try TemporaryFolder()
    for _ in 0..<60 {
      let depth = generator.number(in: 1...5)
      let path = (0..<depth).map { _ in "d\(generator.number(in: 0...3))" }.joined(separator: "/")
      try folder.makeFile("world/\(path)/f\(generator.number(in: 0...9))", "x")
    }
    return folder
  }

  private func world(_ folder: TemporaryFolder) -> GeoWorld {
    GeoWorld(folder: URL(filePath: folder("world")))
  }

  private func nodes(of world: GeoWorld, in viewport: MapViewport) async throws -> [GeoNode] {
    var world = world
    world.filter = viewport.filter
    var nodes: [GeoNode] = []
    for try await batch in try await world.nodes() { nodes += batch }
    return nodes
  }

  @Test(arguments: TestScale.seeds(4)) func showsTheMapOfTheViewport(seed: UInt64) async throws {
    let folder = try makeTree(seed: seed)
    let model = GeoMapViewModel(world: world(folder))
    #expect(model.phase == .idle && model.visibleNodes.isEmpty)
    model.reload()
    await model.finishLoading()
    #expect(model.visibleNodes.map(\.path) == ["world"], "zoom 0 has the continents alone")

    var generator = SeededGenerator(seed: seed)
    let all = try await nodes(of: model.world, in: MapViewport(zoom: 40))
    for _ in 0..<6 {
      let center = try #require(all.randomElement(using: &generator)).coordinate
      let zoom = Double.random(in: 0...12, using: &generator)
      model.viewport = MapViewport(center: center, zoom: zoom, width: 900, height: 700)
      await model.finishLoading()
      #expect(model.phase == .complete)
      let expected = try await nodes(of: model.world, in: model.viewport)
      #expect(model.visibleNodes == expected, "seed \(seed)")
    }
  }

  @Test func theFirstViewportStartsALoadThoughItIsTheDefault() async throws {
    let folder = try makeTree(seed: 5)
    let model = GeoMapViewModel(world: world(folder))
    #expect(model.phase == .idle)
    model.viewport = MapViewport(zoom: 0)
    await model.finishLoading()
    #expect(model.phase == .complete && !model.visibleNodes.isEmpty)
  }

  @Test func theLastOfManyViewportsWins() async throws {
    let folder = try makeTree(seed: 5)
    let model = GeoMapViewModel(world: world(folder))
    for zoom in 0...20 { model.viewport = MapViewport(zoom: zoom) }
    await model.finishLoading()
    #expect(try await nodes(of: model.world, in: MapViewport(zoom: 20)) == model.visibleNodes)
    // Back at an earlier zoom, nodes that are still visible stay while the scan runs.
    let before = model.visibleNodes
    model.viewport = MapViewport(zoom: 4)
    #expect(model.phase == .loading)
    #expect(model.visibleNodes == before.filter { $0.minimumZoom <= 4 })
    await model.finishLoading()
    #expect(model.visibleNodes == before.filter { $0.minimumZoom <= 4 })
  }

  @Test func findsAncestorsChildrenAndNearNodes() async throws {
    let folder = try TemporaryFolder()
    for file in ["a/b/one", "a/b/two", "ab/three"] { try folder.makeFile("world/\(file)", "x") }
    let model = GeoMapViewModel(world: world(folder), viewport: MapViewport(zoom: 30))
    model.reload()
    await model.finishLoading()
    let one = try #require(model.visibleNodes.first { $0.path == "world/a/b/one" })
    #expect(model.ancestors(of: one).map(\.path) == ["world", "world/a", "world/a/b"])
    let (x, y) = one.coordinate.pixel(zoom: 20)
    let pixels = 512 * exp2(20.0)
    let beside = GeoCoordinate(webMercatorX: (x + 3) / pixels, y: y / pixels)
    #expect(model.node(at: beside, zoom: 20, within: 4) == one)
    #expect(model.node(at: beside, zoom: 20, within: 2) == nil)
  }

  @Test(arguments: TestScale.seeds(3)) func aTapFindsTheLandItIsIn(seed: UInt64) async throws {
    let folder = try makeTree(seed: seed)
    var world = world(folder)
    world.includesOutlines = true
    let model = GeoMapViewModel(world: world, viewport: MapViewport(zoom: 40))
    model.reload()
    await model.finishLoading()
    var generator = SeededGenerator(seed: seed)
    let lands = model.visibleNodes.filter { !$0.outline.isEmpty }
    let reader = try world.reader()
    for _ in 0..<40 {
      let land = try #require(lands.randomElement(using: &generator))
      // A place in the land's box: in the land, in a part of it, or outside.
      let longitudes = land.outline.map(\.longitude), latitudes = land.outline.map(\.latitude)
      let place = GeoCoordinate(
        longitude: .random(
          in: (longitudes.min() ?? 0)...(longitudes.max() ?? 0), using: &generator),
        latitude: .random(in: (latitudes.min() ?? 0)...(latitudes.max() ?? 0), using: &generator))
      // No file is within no pixels.
      let found = model.node(at: place, zoom: 0, within: -1)
      let expected = try await reader.contents(at: place).folders.first?.last { $0.isLanded }
      #expect(found?.path == expected?.path, "seed \(seed)")
    }
    let file = try #require(model.visibleNodes.first { $0.nodeType == .poi })
    #expect(model.node(at: file.coordinate, zoom: 30, within: 4) == file)
  }

  /// A source that breaks off at its first folder.
  private final class BrokenSource: TreeSource, TreeSession, FolderReader, @unchecked Sendable {
    // Sendable: nothing changes.
    struct Broken: Error {}

    var isSequential: Bool { true }
    var failure: (any Error)? { Broken() }
    var versions: FileVersions? { nil }
    func check(_ root: ScanRoot) throws(Errno) {}
    func session(_ options: FileSystemScanner.Options, readers: Int) -> any TreeSession { self }
    func makeReader() -> any FolderReader { self }
    func stamp(of folder: FolderReference) -> ListingStamp? { nil }
    func list(_ folder: FolderReference, into listing: inout FolderListing) {}
    func inspect(_ folder: FolderReference, into listing: inout FolderListing) {}
    func enter(_ folder: FolderReference) throws(Errno) {}
    func readFacts(
      of names: NameTable, _ range: Range<Int>, into facts: inout [EntryFacts],
      storage: inout [FileStorage], failures: inout [FactFailure]
    ) {}
    func readFile(_ path: [UInt8], following: Bool, limit: Int) throws(Errno) -> [UInt8]? { nil }
    func keep() -> any KeptFolder { BrokenFolder() }
    func leave() {}

    private final class BrokenFolder: KeptFolder {}
  }

  @Test func brokenSourcesFail() async throws {
    let folder = try makeTree(seed: 8)
    var world = world(folder)
    world.roots[0].source = BrokenSource()
    let model = GeoMapViewModel(world: world)
    model.reload()
    await model.finishLoading()
    #expect(model.phase == .failed("Broken()"))
  }

  #if os(Linux)
    /// Adds files to a folder until the model shows one; the folder may not be watched yet.
    private func expectNews(
      in path: String, of folder: TemporaryFolder, _ model: GeoMapViewModel
    ) async throws {
      var number = 0
      #expect(
        try await eventually {
          number += 1
          _ = try? folder.makeFile("world/\(path)/news\(number)", "x")
          return model.visibleNodes.contains { $0.path.hasPrefix("world/\(path)/news") }
        })
    }

    @Test func aFolderMadeAgainIsWatched() async throws {
      let folder = try makeTree(seed: 8)
      let model = GeoMapViewModel(world: world(folder), viewport: MapViewport(zoom: 30))
      model.changeDelay = .milliseconds(1)
      model.watchesDisk = true
      try folder.makeFolder("world/again")
      model.reload()
      try await expectNews(in: "again", of: folder, model)
      try FileManager.default.removeItem(atPath: folder("world/again"))
      try folder.makeFolder("world/again")
      #expect(
        try await eventually { !model.visibleNodes.contains { $0.name.hasPrefix("news") } })
      try await expectNews(in: "again", of: folder, model)
      model.watchesDisk = false
      await model.finishLoading()
    }

    /// A user can have 128 watchers.
    @Test func watchingEndsWithoutALeak() async throws {
      let model = GeoMapViewModel(world: world(try makeTree(seed: 8)))
      for _ in 0..<200 {
        #expect(
          try await eventually {
            model.watchesDisk = true
            return model.watchesDisk
          })
        model.watchesDisk = false
      }
    }

    @Test func changesAreFoundByThemselves() async throws {
      let folder = try makeTree(seed: 8)
      let model = GeoMapViewModel(world: world(folder), viewport: MapViewport(zoom: 30))
      model.changeDelay = .milliseconds(1)
      model.watchesDisk = true
      #expect(model.watchesDisk)
      model.reload()
      await model.finishLoading()
      try await expectNews(in: "d0", of: folder, model)
      model.watchesDisk = false
      #expect(!model.watchesDisk)
      await model.finishLoading()
    }
  #endif

  @Test func changesOnDiskAreReadAndMarked() async throws {
    let folder = try makeTree(seed: 6)
    let model = GeoMapViewModel(world: world(folder), viewport: MapViewport(zoom: 30))
    model.changeDelay = .milliseconds(5)
    model.reload()
    await model.finishLoading()
    let before = model.visibleNodes
    #expect(model.changedNodes.isEmpty)

    try folder.makeFile("world/news", "x")
    model.noteChange(at: URL(filePath: folder("elsewhere")))
    #expect(model.phase == .complete, "it lies in no root")
    for _ in 0..<5 { model.noteChange(at: URL(filePath: folder("world/news"))) }
    await model.finishLoading()
    let news = try #require(model.visibleNodes.first { $0.name == "news" })
    #expect(model.visibleNodes.count == before.count + 1)
    let changed = model.visibleNodes.filter { model.changedNodes.contains($0.id) }
    #expect(changed.contains(news))
    #expect(changed.allSatisfy { $0 == news || $0.path == "world" }, "its folder has another size")

    model.select(news)
    #expect(model.selection == news)
    unlink(folder("world/news"))
    model.noteChange(at: URL(filePath: folder("world")))
    await model.finishLoading()
    #expect(model.selection == nil, "it is gone")
    #expect(model.visibleNodes.map(\.id) == before.map(\.id))
  }

  @Test func coastLinesAreOptional() async throws {
    let folder = try makeTree(seed: 3)
    let model = GeoMapViewModel(world: world(folder))
    model.viewport = MapViewport(zoom: 6)
    await model.finishLoading()
    #expect(!model.visibleNodes.contains { !$0.outline.isEmpty })
    let bare = model.visibleNodes
    model.world.includesOutlines = true
    await model.finishLoading()
    #expect(model.visibleNodes.map(\.id) == bare.map(\.id))
    for node in model.visibleNodes {
      let count = node.isLanded ? [256, 128, 64, 32, 16][min(node.depth, 4)] : 0
      #expect(node.outline.count == count)
      guard node.isLanded else { continue }
      // The outline surrounds the node's place, counter-clockwise.
      let area = zip(node.outline, node.outline.dropFirst() + [node.outline[0]]).reduce(0.0) {
        $0 + $1.0.longitude * $1.1.latitude - $1.1.longitude * $1.0.latitude
      }
      #expect(area > 0)
      let longitudes = node.outline.map(\.longitude)
      let bounds = (longitudes.min() ?? 0)...(longitudes.max() ?? 0)
      #expect(bounds.contains(node.coordinate.longitude))
    }
    #expect(model.visibleNodes.contains { $0.isLanded && $0.depth > 0 })
  }

  @Test func theSelectionOutlivesTheViewport() async throws {
    let folder = try makeTree(seed: 7)
    let model = GeoMapViewModel(world: world(folder), viewport: MapViewport(zoom: 30))
    model.reload()
    await model.finishLoading()
    let file = try #require(model.visibleNodes.last { $0.nodeType == .poi })
    model.select(file)
    model.viewport = MapViewport(zoom: 0)
    await model.finishLoading()
    #expect(model.visibleNodes.count == 1 && model.selection == file)
    model.select(nil)
    #expect(model.selection == nil)
  }

  @Test func aWorldThatIsNotThereFails() async throws {
    let folder = try makeTree(seed: 8)
    let model = GeoMapViewModel(world: world(folder), viewport: MapViewport(zoom: 30))
    model.reload()
    await model.finishLoading()
    model.world = GeoWorld(folder: URL(filePath: folder("nowhere")))
    #expect(model.visibleNodes.isEmpty, "another world has other nodes")
    await model.finishLoading()
    guard case .failed(let reason) = model.phase, reason.contains("nowhere") else {
      Issue.record("\(model.phase)")
      return
    }
    model.world = world(folder)
    await model.finishLoading()
    #expect(model.phase == .complete && model.visibleNodes.count > 1)
  }

  @Test func observersAreNotified() async throws {
    let folder = try makeTree(seed: 9)
    let model = GeoMapViewModel(world: world(folder))
    await confirmation { reported in
      withObservationTracking {
        _ = model.visibleNodes
      } onChange: {
        reported()
      }
      model.reload()
      await model.finishLoading()
    }
  }

  @Test func releasedModelsEnd() async throws {
    let folder = try makeTree(seed: 10)
    weak var model: GeoMapViewModel?
    do {
      let owned = GeoMapViewModel(world: world(folder), viewport: MapViewport(zoom: 30))
      owned.reload()
      model = owned
    }
    #expect(try await eventually { model == nil })
  }
}
