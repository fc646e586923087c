import Foundation
import GeoMap
import GeoPipeline
import Synchronization
import TestSupport
import Testing

/// The changes that a task has found.
private final class Found: Sendable {
  let all = Mutex<[GeoChange]>([])
}

/// Changes between states, and while a world is watched.
@Suite struct ChangeTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func world(_ name: String) -> GeoWorld {
    GeoWorld(roots: [
      GeoWorld.Root(label: "w", folder: URL(filePath: folder(name), directoryHint: .isDirectory))
    ])
  }

  private func changes(
    _ old: String = "old", _ new: String = "new", _ edit: (inout GeoWorld) throws -> Void = { _ in }
  ) async throws -> [GeoChange] {
    var world = world(new)
    try edit(&world)
    var all: [GeoChange] = []
    for try await change in try await world.allChanges(
      since: self.world(old), measure: .apparent)
    { all.append(change) }
    return all
  }

  /// Files move with their times.
  private func make(_ files: [(path: String, size: Int)]) throws {
    for (index, file) in files.enumerated() {
      try folder.makeFile(file.path, size: file.size)
      try folder.setModified(file.path, 1_700_000_000 + 1000 * index)
    }
  }

  @Test func everyChangeIsInTheOrderOfTheMap() async throws {
    try make([
      ("old/a/grows", 10), ("old/a/shrinks", 10), ("old/gone/file", 7), ("old/was/deep/one", 50),
      ("old/was/two", 60), ("old/same", 5), ("old/away", 123),
    ])
    try make([
      ("new/a/grows", 30), ("new/a/shrinks", 4), ("new/fresh/file", 7), ("new/is/deep/one", 50),
      ("new/is/two", 60), ("new/same", 5), ("new/a/here", 123),
    ])
    try folder.setModified("new/fresh/file", 1_800_000_000)
    let all = try await changes()
    let lines = all.map { "\($0.kind) \($0.path) \($0.oldPath ?? "-") \($0.growth ?? 0)" }
    #expect(
      lines == [
        "grew w/a/grows - 20", "moved w/a/here w/away 0", "shrank w/a/shrinks - -6",
        "appeared w/fresh - 0", "appeared w/fresh/file - 7", "gone w/gone - 0",
        "gone w/gone/file - -7", "moved w/is w/was 0", "moved w/is/two w/was/two 0",
        "moved w/is/deep w/was/deep 0", "moved w/is/deep/one w/was/deep/one 0",
      ])
    #expect(all.filter(\.isFolder).map(\.path) == ["w/fresh", "w/gone", "w/is", "w/is/deep"])
    let reader = try world("new").reader()
    for change in all where change.kind != .gone {
      #expect(try await reader.node(at: change.rawPath)?.nodeType != nil)
    }
    let files = try await changes { $0.selection.requireKinds([.regular]) }
    #expect(files == all.filter { !$0.isFolder })
    #expect(try await changes("new", "new").isEmpty)
  }

  /// The sequence has the files of the map of changes, at their places.
  @Test(arguments: 1...6 as ClosedRange<UInt64>)
  func changesEqualThoseOfTheMap(seed: UInt64) async throws {
    var generator = SeededGenerator(seed: seed)
    for number in 0..<60 {
      let name = "d\(generator.number(in: 0...5))/e\(generator.number(in: 0...3))/f\(number)"
      let size = generator.number(in: 0...40) * 100 + number
      let states: [String]
      switch generator.number(in: 0...4) {
      case 0: states = ["old/" + name]
      case 1: states = ["new/" + name]
      case 2: states = ["old/" + name, "new/elsewhere/f\(number)"]
      default: states = ["old/" + name, "new/" + name]
      }
      let changes = generator.chance(0.4)
      for (index, path) in states.enumerated() {
        try folder.makeFile(path, size: size + (changes ? index * generator.number(in: 0...9) : 0))
        try folder.setModified(path, 1_700_000_000 + number + (changes ? 100 * index : 0))
      }
    }
    try folder.makeFolder("old")
    var map: [UInt8] = []
    for try await chunk in try world("new").changedFeatures(
      since: world("old"), format: .geojsonl)
    { map += chunk }
    var expected: [String] = []
    for line in String(decoding: map, as: UTF8.self).split(separator: "\n") {
      let feature = try #require(
        try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
      let properties = try #require(feature["properties"] as? [String: Any])
      guard properties["kind"] as? String == "poi", let path = properties["path"] as? String,
        let change = properties["change"] as? String,
        let point = (feature["geometry"] as? [String: Any])?["coordinates"] as? [Double]
      else { continue }
      // The old place of a moved file is a feature of its own.
      if change == "left" { continue }
      let place = point.map { ($0 * 1e6).rounded() }
      expected.append("\(change) \(path) \(properties["from"] as? String ?? "-") \(place)")
    }
    let found = try await changes { $0.selection.requireKinds([.regular]) }.map { change in
      let word =
        switch change.kind {
        case .appeared: "added"
        case .gone: "removed"
        case .moved: "moved"
        case .grew, .shrank, .changed: "changed"
        }
      let place = [change.coordinate.longitude, change.coordinate.latitude].map {
        ($0 * 1e6).rounded()
      }
      return "\(word) \(change.path) \(change.oldPath ?? "-") \(place)"
    }
    #expect(found == expected, "seed \(seed)")
    #expect(!found.isEmpty)
  }

  #if os(Linux)
    @Test func liveChangesSayWhatHappened() async throws {
      try folder.makeFile("live/a/file", size: 100)
      try folder.makeFile("live/left/out", size: 1)
      var world = world("live")
      try world.selection.exclude("left")
      let stream = try await world.liveChanges()
      let (home, node) = (folder("live"), try world.reader())
      let found = Found()
      let reading = Task {
        for try await change in stream { found.all.withLock { $0.append(change) } }
      }
      func expect(_ words: String, _ change: () throws -> Void) async throws {
        try change()
        let isThere = try await eventually {
          found.all.withLock { $0.contains { "\($0.kind) \($0.path) \($0.growth ?? 0)" == words } }
        }
        #expect(isThere, "\(words): \(found.all.withLock { $0 })")
      }
      let manager = FileManager.default
      try await expect("appeared w/b 0") { try folder.makeFolder("live/b") }
      try await expect("appeared w/b/new 30") {
        try folder.makeFile("b", size: 30)
        try manager.moveItem(atPath: folder("b"), toPath: home + "/b/new")
      }
      let place = try await node.node(at: "w/b/new")?.coordinate
      #expect(found.all.withLock { $0.last?.coordinate } == place)
      try await expect("grew w/a/file 50") {
        // One call, as a file that is written anew may be seen while it is empty.
        let file = try #require(FileHandle(forWritingAtPath: home + "/a/file"))
        try file.seekToEnd()
        try file.write(contentsOf: Data(repeating: 0x78, count: 50))
        try file.close()
      }
      try await expect("moved w/b/file 0") {
        try manager.moveItem(atPath: home + "/a/file", toPath: home + "/b/file")
      }
      #expect(found.all.withLock { $0.last { $0.kind == .moved }?.oldPath } == "w/a/file")
      try await expect("gone w/b/new -30") { try manager.removeItem(atPath: home + "/b/new") }
      try folder.makeFile("live/left/more", size: 1)
      try await expect("moved w/c 0") {
        try manager.moveItem(atPath: home + "/b", toPath: home + "/c")
      }
      #expect(!found.all.withLock { $0.contains { $0.path.contains("left") } })
      reading.cancel()
      _ = await reading.result
    }

    /// A watch whose folder is gone ends with an error, after all that was in it.
    @Test func aLostFolderEndsLiveChanges() async throws {
      try folder.makeFile("live/a/file", size: 100)
      let stream = try await world("live").liveChanges()
      try FileManager.default.removeItem(atPath: folder("live"))
      var gone: [String] = []
      await #expect(throws: MapError.self) {
        for try await change in stream { gone.append("\(change.kind) \(change.path)") }
      }
      #expect(gone == ["gone w/a/file", "gone w/a", "gone w"])
    }

    @Test func onlyFoldersOnDiskAreWatched() async throws {
      try folder.makeFile("old/a", "1")
      let kept = URL(filePath: folder("old.geosnap"))
      try await world("old").snapshot().write(to: kept)
      await #expect(throws: MapError.self) {
        _ = try await GeoWorld(snapshot: kept).liveChanges()
      }
      await #expect(throws: MapError.self) { _ = try await world("nowhere").liveChanges() }
      await #expect(throws: MapError.self) { _ = try await GeoWorld(roots: []).liveChanges() }
    }
  #endif

  @Test func largestFoldersAndNearestFilesAreFound() async throws {
    for (path, size) in [("t/a/x", 90_000), ("t/b/c/y", 300_000), ("t/b/z", 50_000), ("t/e", 1)] {
      try folder.makeFile(path, String(repeating: "x", count: size))
    }
    let world = world("t")
    let folders = try await world.largestFolders(count: 4)
    #expect(folders.map(\.path) == ["w/b", "w/b/c", "w/a"])
    #expect(folders.map(\.sums.bytes) == [350_000, 300_000, 90_000])
    #expect(try await world.largestFolders(count: -1).isEmpty)
    let reader = try world.reader()
    let place = try #require(try await reader.node(at: "w/b/z")).coordinate
    let files = try await reader.files(nearest: place, count: 3)
    #expect(files.count == 3 && files.first?.node.path == "w/b/z" && files.first?.distance == 0)
    #expect(files.map(\.distance) == files.map(\.distance).sorted())
    #expect(try reader.lookup.files(nearest: place, count: 3) == files)
    #expect(try await reader.files(nearest: place, count: 0).isEmpty)
  }
}
