import Foundation
import GeoCore
import GeoDraw
import GeoMap
import GeoPipeline
import GeoScan
import TestSupport
import Testing

/// Comparing, drawing and searching with the library.
@Suite struct ProductTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.makeFile("old/src/one.swift", String(repeating: "x", count: 500))
    try folder.makeFile("old/src/two.swift", "x")
    try folder.makeFile("old/doc/read.me", String(repeating: "y", count: 300))
    try folder.makeFile("new/src/one.swift", String(repeating: "x", count: 900))
    try folder.makeFile("new/src/two.swift", "x")
    try folder.makeFile("new/big/movie", String(repeating: "z", count: 5000))
  }

  private func world(_ name: String) -> GeoWorld {
    GeoWorld(roots: [
      GeoWorld.Root(label: "w", folder: URL(filePath: folder(name), directoryHint: .isDirectory))
    ])
  }

  @Test func statesAreCompared() async throws {
    let onDisk = try await world("new").changes(since: world("old"))
    #expect(onDisk.measure == .allocated && onDisk.added.files == 1)
    let room = try folder.room("new/big/movie")
    #expect(onDisk.added.bytes == room)
    #expect(onDisk.grown.first?.path == "w/big" && onDisk.grown.first?.bytes == room)
    let changes = try await world("new").changes(since: world("old"), measure: .apparent)
    #expect(!changes.isEmpty && changes.measure == .apparent)
    #expect(changes.added.files == 1 && changes.added.bytes == 5000 && changes.added.folders == 1)
    #expect(changes.removed.files == 1 && changes.removed.folders == 1)
    #expect(changes.grown.first?.path == "w/big" && changes.grown.first?.bytes == 5000)
    #expect(changes.grown.contains { $0.path == "w/src" && $0.bytes == 400 })
    #expect(changes.shrunk.map(\.path) == ["w/doc"])
    #expect(changes.largestNew.map(\.path) == ["w/big/movie"])
    #expect(try await world("new").changes(since: world("new")).isEmpty)

    var bytes: [UInt8] = []
    let map = try world("new").changedFeatures(since: world("old"), format: .csv)
    for try await chunk in map { bytes += chunk }
    let text = String(decoding: bytes, as: UTF8.self)
    #expect(text.contains("w/big/movie,poi,2,added,5000,"))
  }

  @Test func aComparisonCanBeCancelled() async throws {
    let (old, new) = (world("old"), world("new"))
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await new.changes(since: old)
    }
    await #expect(throws: CancellationError.self) { try await task.value }
  }

  @Test func sheetsAreDrawn() async throws {
    var drawing = GeoDrawing()
    drawing.title = "A & B"
    (drawing.width, drawing.height) = (120, 90)
    let sheet = try await world("new").sheet(drawing)
    let svg = String(decoding: sheet.svg, as: UTF8.self)
    #expect(svg.hasPrefix("<?xml") && svg.contains("A &amp; B") && svg.contains("width=\"120mm\""))
    drawing.part = .folder(path: "w/src")
    let part = try await world("new").sheet(drawing)
    #expect(part != sheet)
    // What is left out is not drawn.
    var small = world("new")
    try small.selection.exclude(Array("big".utf8))
    drawing.part = .folder(path: "w/big")
    await #expect(throws: GeoDrawingError.noFolder(path: "w/big")) {
      try await small.sheet(drawing)
    }
    drawing.part = .world
    drawing.width = 10
    await #expect(throws: GeoDrawingError.badSize(width: 10, height: 90)) {
      try await small.sheet(drawing)
    }
  }

  @Test func changesAreDrawn() async throws {
    let (old, new) = (world("old"), world("new"))
    let card = try await new.card(since: old, title: "What changed")
    #expect(card.width == 1200 && card.height == 630)
    let text = String(decoding: card.svg, as: UTF8.self)
    #expect(text.contains("What changed") && text.contains("big"))
    var drawing = GeoDrawing()
    (drawing.width, drawing.height) = (120, 90)
    #expect(try await new.sheet(drawing, since: old) != new.sheet(drawing))
    let file = URL(filePath: folder("card.svg"))
    try await card.write(to: file)
    #expect(try Data(contentsOf: file) == Data(card.svg))
    await #expect(throws: Failure.self) {
      try await card.write(to: URL(filePath: folder("card.jpg")))
    }
    let picture = URL(filePath: folder("card.png"))
    do {
      try await card.write(to: picture)
      let png = try Data(contentsOf: picture)
      // The width and height are in the header.
      #expect(png.starts(with: [0x89, 0x50, 0x4E, 0x47]))
      #expect(Array(png[18..<20]) == [4, 0xB0] && Array(png[22..<24]) == [2, 0x76])
    } catch GeoDrawingError.noPNG(let reason) {
      #expect(reason.contains("rsvg-convert"))
      #expect(!FileManager.default.fileExists(atPath: picture.path))
    }
  }

  @Test func aFolderWithFilesOnlyIsDrawnWithThem() async throws {
    for number in 0..<40 {
      try folder.makeFile("new/big/\(number)", String(repeating: "x", count: number * 100))
    }
    var drawing = GeoDrawing()
    (drawing.width, drawing.height) = (200, 150)
    drawing.part = .folder(path: "w/big")
    let sheet = try await world("new").sheet(drawing)
    #expect(String(decoding: sheet.svg, as: UTF8.self).contains("LARGEST FILES"))
  }

  @Test func namesAreFound() async throws {
    var found: [String] = []
    for try await node in world("new").search("*.swift", order: .size) { found.append(node.path) }
    #expect(found == ["w/src/one.swift", "w/src/two.swift"])
    found = []
    for try await node in world("new").search("movie") { found.append(node.path) }
    #expect(found == ["w/big/movie"])
    for try await node in world("new").search("") { Issue.record("found \(node.path)") }
    await #expect(throws: MapError.self) {
      for try await _ in world("none").search("x") {}
    }
    await #expect(throws: Selection.GlobError.openSet) {
      for try await _ in world("new").search("src [") {}
    }
    await #expect(throws: Failure.self) {
      for try await _ in world("new").search(String(repeating: "x", count: 257)) {}
    }
  }

  @Test func featuresAreNumberedAsInFiles() async throws {
    var bytes: [UInt8] = []
    for try await chunk in try world("new").features() { bytes += chunk }
    let text = String(decoding: bytes, as: UTF8.self)
    for try await batch in try await world("new").nodes() {
      for node in batch { #expect(text.contains("\"id\":\(node.featureID),")) }
    }
  }

  @Test func errorsSayWhatIsWrong() async throws {
    do {
      _ = try await world("none").nodes()
      Issue.record("nothing was thrown")
    } catch {
      #expect(error.localizedDescription.contains("none"))
    }
    do {
      _ = try Snapshot(opening: Array(folder("new/src/one.swift").utf8))
      Issue.record("nothing was thrown")
    } catch {
      #expect(error.localizedDescription.contains("one.swift"))
    }
  }
}
