import Foundation
import GeoCore
import GeoMap
import GeoPipeline
import GeoScan
import Synchronization
import TestSupport
import Testing

/// Files, archives, sites and histories that the library writes.
@Suite struct WritingTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.makeFile("w/src/one.swift", String(repeating: "x", count: 500))
    try folder.makeFile("w/doc/read.me", String(repeating: "y", count: 300))
  }

  private func url(_ name: String) -> URL { URL(filePath: folder(name)) }
  private var world: GeoWorld { GeoWorld(folder: url("w")) }

  private func bytes(_ chunks: some AsyncSequence<[UInt8], any Error>) async throws -> [UInt8] {
    var bytes: [UInt8] = []
    for try await chunk in chunks { bytes += chunk }
    return bytes
  }

  private func names(in path: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder(path)).sorted()
  }

  @Test func fileNamesDecideTheFormat() async throws {
    try folder.makeFolder("out")
    let parts = Mutex<Set<GeoProgress.Part>>([])
    for name in ["m.geojson", "m.csv", "m.fgb", "m.pmtiles", "m.html"] {
      try await world.write(to: url("out/\(name)")) { progress in
        parts.withLock { _ = $0.insert(progress.part) }
      }
    }
    #expect(parts.withLock { $0.isSuperset(of: [.reading, .zooms]) })
    #expect(try names(in: "out") == ["m.csv", "m.fgb", "m.geojson", "m.html", "m.pmtiles"])
    var whole: [UInt8] = []
    for try await chunk in try world.features() { whole += chunk }
    #expect(try Data(contentsOf: url("out/m.geojson")) == Data(whole))
    #expect(try Data(contentsOf: url("out/m.pmtiles")).starts(with: Data("PMTiles\u{3}".utf8)))
    await #expect(throws: Failure.self) { try await world.write(to: url("out/m.txt")) }
    try await world.write(to: url("out/m.txt"), format: .geojson)
    #expect(try Data(contentsOf: url("out/m.txt")) == Data(whole))
  }

  @Test func aFileInTheTreeLeavesItselfOut() async throws {
    let before = try await bytes(world.snapshot(now: Date(timeIntervalSince1970: 1)))
    let map = try await bytes(world.features())
    try await world.snapshot(now: Date(timeIntervalSince1970: 1)).write(to: url("w/own.geosnap"))
    #expect(try Data(contentsOf: url("w/own.geosnap")) == Data(before))
    try FileManager.default.removeItem(at: url("w/own.geosnap"))
    try await world.features().write(to: url("w/own.geojson"))
    let written = try String(contentsOf: url("w/own.geojson"), encoding: .utf8)
    #expect(!written.contains("own.geojson"))
    #expect(written.count == map.count)
  }

  @Test func aFailedFileLeavesTheOldOne() async throws {
    try folder.makeFolder("out")
    try folder.makeFile("out/m.csv", "old")
    await #expect(throws: MapError.self) {
      try await GeoWorld(folder: url("none")).write(to: url("out/m.csv"))
    }
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      try await world.write(to: url("out/m.csv"))
    }
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(try String(contentsOf: url("out/m.csv"), encoding: .utf8) == "old")
    #expect(try names(in: "out") == ["m.csv"])
    await #expect(throws: Failure.self) { try await world.write(to: url("out/x/m.csv")) }
    await #expect(throws: Failure.self) { try await world.write(to: url("out")) }
  }

  @Test func linksAreFollowedAndPermissionsStay() async throws {
    try folder.makeFolder("out")
    try folder.makeFile("out/real.csv", "old")
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o600], ofItemAtPath: folder("out/real.csv"))
    try FileManager.default.createSymbolicLink(
      atPath: folder("out/link.csv"), withDestinationPath: "real.csv")
    try await world.write(to: url("out/link.csv"))
    #expect(try names(in: "out") == ["link.csv", "real.csv"])
    let real = try FileManager.default.attributesOfItem(atPath: folder("out/real.csv"))
    #expect(real[.posixPermissions] as? Int == 0o600)
    #expect((real[.size] as? Int ?? 0) > 3)
  }

  @Test func anArchiveCanBeReadTwice() async throws {
    for zoom in [-1, 27] {
      let failure = await #expect(throws: Failure.self) {
        try await world.archive(maximumZoom: zoom)
      }
      #expect(failure?.description == "maximumZoom must be from 0 to 26")
      await #expect(throws: Failure.self) {
        try await world.publish(to: url("none"), maximumZoom: zoom)
      }
    }
    let archive = try await world.archive(maximumZoom: 3)
    let first = try await bytes(archive.bytes)
    #expect(first.count == Int(archive.length) && archive.tileCount > 0)
    #expect(try await bytes(archive.bytes) == first)
    // A reader that stops ends the thread.
    for try await _ in archive.bytes { break }
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await world.archive()
    }
    await #expect(throws: CancellationError.self) { try await task.value }
  }

  @Test func sitesAreWrittenAndUpdated() async throws {
    let reported = Mutex<[GeoProgress]>([])
    let site = try await world.publish(to: url("site")) { next in
      reported.withLock { $0.append(next) }
    }
    let all = reported.withLock(\.self)
    for part in Set(all.map(\.part)) {
      let last = all.last { $0.part == part }?.fraction
      #expect(last == nil || last == 1, "\(part)")
    }
    #expect(all.last?.fraction == 1)
    #expect(site.files == site.written && site.files > 5)
    #expect(try names(in: "site").contains("index.html"))
    #expect(!site.hasPreview)
    let known = try await world.publish(
      to: url("known"), address: URL(string: "https://example.org/map/"))
    #expect(try names(in: "known").contains("share.png") == known.hasPreview)
    let page = try String(contentsOf: url("known/index.html"), encoding: .utf8)
    #expect(page.contains("https://example.org/map/share.png") == known.hasPreview)
    try folder.makeFile("w/new", "new")
    let next = try await world.publish(to: url("site"))
    #expect(next.written > 0 && next.written < next.files)
    do {
      _ = try await world.publish(to: url("w"))
      Issue.record("a site was written over other files")
    } catch let error as any GeoError {
      #expect(error.localizedDescription.contains("holds something else"))
    }
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await world.publish(to: url("none"))
    }
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(!FileManager.default.fileExists(atPath: folder("none")))
  }

  @Test func historiesAreWritten() async throws {
    try await world.snapshot().write(to: url("old"))
    try folder.makeFile("w/src/two.swift", "x")
    try FileManager.default.removeItem(at: url("w/doc/read.me"))
    let old = GeoWorld(snapshot: try Snapshot(opening: url("old")))
    var history = try await GeoHistory(of: [
      GeoHistory.Input(world, date: Date(timeIntervalSince1970: 2000), name: "new"),
      GeoHistory.Input(old, date: Date(timeIntervalSince1970: 1000), name: "old"),
    ])
    #expect(history.states.map(\.name) == ["old", "new"])
    var events: [String] = []
    for await event in history.events {
      events.append("\(event.state) \(event.change.kind) \(event.change.path)")
    }
    #expect(
      events == [
        "0 appeared w/doc/read.me", "0 appeared w/src/one.swift", "1 gone w/doc/read.me",
        "1 appeared w/src/two.swift",
      ])
    var lives: [String: GeoHistory.Life] = [:]
    for await life in history.lives { lives[life.path] = life }
    #expect(lives.count == 6)
    #expect(lives["w/doc/read.me"]?.end == 1 && lives["w/doc/read.me"]?.size == 300)
    #expect(lives["w/src"]?.entryKind == .directory)
    let reader = try old.reader()
    #expect(try await reader.node(at: "w")?.coordinate == lives["w"]?.coordinate)

    let table = String(
      decoding: try await bytes(history.features(.events, format: .csv)), as: UTF8.self)
    #expect(table.split(whereSeparator: \.isNewline).count == 5)
    // States of folders have no authors.
    let tracks = String(decoding: try await bytes(history.authorTracks()), as: UTF8.self)
    #expect(tracks.contains("<gpx version=\"1.1\"") && !tracks.contains("<trk>"))
    history.since = Date(timeIntervalSince1970: 1500)
    var late = 0
    for await _ in history.events { late += 1 }
    #expect(late == 2)
    history.path = "src"
    late = 0
    for await _ in history.events { late += 1 }
    #expect(late == 1)
    history.path = nil
    history.since = nil
    try await history.page().write(to: url("page.html"))
    #expect(try String(contentsOf: url("page.html"), encoding: .utf8).contains("two.swift"))
    #expect(try await history.publish(to: url("site")).files > 5)
  }

  @Test func readersAnswerInTheBackground() async throws {
    let reader = try world.reader()
    let source = try #require(try await reader.node(at: "w/src"))
    #expect(try await reader.node(at: "w/src") == source)
    // Code that is not asynchronous asks the same questions.
    let lookup = try world.lookup()
    func ask() throws {
      #expect(lookup.node(at: source.fileURL) == source)
      #expect(lookup.ancestors(of: "w/src")?.map(\.name) == ["w"])
      #expect(try lookup.children(of: source)?.isEmpty == false)
      #expect(lookup.coastline(of: "w/src")?.isEmpty == false)
      #expect(lookup.route(from: "w", to: source.fileURL)?.stops.count == 2)
      #expect(try lookup.contents(at: source.coordinate).folders.first?.last == source)
    }
    try ask()
    let place = source.coordinate
    let box = try BoundingBox(
      west: place.longitude, south: place.latitude, east: place.longitude, north: place.latitude)
    var paths: [String] = []
    for try await batch in try await world.nodes(in: box) { paths += batch.map(\.path) }
    #expect(paths.contains("w/src") && !paths.contains("w/doc"))
    var text: [UInt8] = []
    var part = world
    part.filter.box = box
    for try await chunk in try part.features(format: .csv) { text += chunk }
    #expect(String(decoding: text, as: UTF8.self).contains("w/src,"))
  }

  @Test func unreadableListingsThrow() async throws {
    let top = folder("w")
    try folder.makeFile(
      "list",
      #"[1,2,{},[{"name":"\#(top)"},{"name":"a","dsize":1},[{"name":"closed","read_error":true}]]]"#
    )
    var listed = world
    listed.list = ListSource(file: url("list"), format: .ncdu)
    let reader = try await listed.indexed().reader()
    #expect(try await reader.children(of: "w")?.map(\.name) == ["a", "closed"])
    #expect(try await reader.children(of: "w/a") == nil)
    #expect(try await reader.children(of: "w/none") == nil)
    await #expect(throws: Failure.self) {
      try await reader.children(of: "w/closed/in/it")
    }
    do {
      _ = try await reader.children(of: "w/closed")
      Issue.record("nothing was thrown")
    } catch let error as any GeoError {
      #expect(error.group == .source && error.localizedDescription.hasPrefix("w/closed: "))
    }
  }
}
