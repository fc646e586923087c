import GeoCore
import GeoProjection
import GeoTree
import TestSupport
import Testing

@testable import GeoPipeline

/// Leaving entries out changes nothing about the entries shown, and everything else is shown.
@Suite struct MapVisitorTests {
  /// What the map says about a node.
  private struct Node: Equatable {
    var place: [Int64]
    var digits: Int
    var size: Int64
    var depth: Int
    var minzoom: Int
    var kind: NodeKind
    var totals: [Int64]?
  }

  /// The filters of a map, and how a selection leaves entries out.
  private struct Choice: CustomStringConvertible {
    var zoom: Int?
    var maxDepth: Int?
    var box: BoundingBox?
    var excluded: String?
    var name: String?
    var leavesOutHidden = false
    var showsFolders = true
    var leastSize = 0

    init(using random: inout SeededGenerator) {
      if random.chance(0.3) { zoom = random.number(in: 0...9) }
      if random.chance(0.3) { maxDepth = random.number(in: 0...4) }
      if random.chance(0.3) {
        let west = Double(random.number(in: -180...100))
        let south = Double(random.number(in: -80...0))
        box = BoundingBox(uncheckedWest: west, south: south, east: west + 80, north: south + 80)
      }
      if random.chance(0.3) { excluded = ["a", "b", ".c"][random.number(in: 0...2)] }
      if random.chance(0.2) { name = ["a", "b"][random.number(in: 0...1)] }
      leavesOutHidden = random.chance(0.2)
      showsFolders = !random.chance(0.2)
      if random.chance(0.3) { leastSize = random.number(in: 1...3) }
    }

    var description: String {
      "zoom \(zoom ?? -1), depth \(maxDepth ?? -1), box \(box.map { "\($0)" } ?? "none"), without "
        + "\(excluded ?? "nothing"), names \(name ?? "all"), hidden \(!leavesOutHidden), "
        + "folders \(showsFolders), size \(leastSize)"
    }

    func apply(to request: inout MapRequest) throws {
      request.filter = MapFilter(zoom: zoom, box: box, maximumDepth: maxDepth)
      if let excluded { try request.selection.exclude(Array("**/\(excluded)*".utf8)) }
      if let name { try request.selection.requireName(Array("\(name)*".utf8)) }
      if leavesOutHidden { request.selection.excludeHidden() }
      if !showsFolders { request.selection.requireKinds([.regular]) }
      if leastSize > 0 { request.selection.requireSize(.above(Int64(leastSize))) }
    }

    /// Whether a node is shown, as far as that doesn't depend on its land.
    func shows(_ path: String, _ node: Node) -> Bool {
      let isFile = node.kind == .poi
      if node.minzoom > zoom ?? .max || node.depth > maxDepth ?? .max { return false }
      let names = path.split(separator: "/").dropFirst()
      if names.contains(where: { $0.hasPrefix(excluded ?? "/") }) { return false }
      if leavesOutHidden, names.contains(where: { $0.hasPrefix(".") }) { return false }
      if !isFile { return showsFolders }
      return names.last.map { $0.hasPrefix(name ?? "") } ?? true
        && (leastSize == 0 || node.size > leastSize)
    }
  }

  private func makeTree(_ random: inout SeededGenerator, in folder: TemporaryFolder) throws {
    var folders = ["one", "two"]
    for name in folders { try folder.makeFolder(name) }
    for number in 0..<random.number(in: 5...40) {
      let parent = folders[random.number(in: 0...(folders.count - 1))]
      let path = "\(parent)/\(["a", "b", ".c", "d"][random.number(in: 0...3)])\(number)"
      if random.chance(0.5) {
        try folder.makeFolder(path)
        folders.append(path)
      } else {
        try folder.makeFile(path, String(repeating: "x", count: random.number(in: 0...5)))
      }
    }
  }

  private func nodes(
    of folder: TemporaryFolder, _ layout: Layout, _ choice: Choice?
  ) async throws -> [(path: String, node: Node)] {
    var request = MapRequest(
      roots: ["one", "two"].map {
        ScanRoot(label: Array($0.utf8), directory: Array(folder($0).utf8))
      })
    request.layout = layout
    request.totals = true
    try choice?.apply(to: &request)
    var found: [(path: String, node: Node)] = []
    for try await batch in try await MapPipeline.openNodes(request) {
      for record in batch.records {
        let totals = batch.totals(of: record).map { [$0.files, $0.bytes ?? -1] }
        let node = Node(
          place: [record.coordinate.longitude, record.coordinate.latitude],
          digits: Int(record.digits), size: record.facts.size, depth: Int(record.depth),
          minzoom: Int(record.minzoom),
          kind: record.kind, totals: totals)
        found.append((String(decoding: batch.path(of: record), as: UTF8.self), node))
      }
    }
    return found
  }

  @Test func selectedNodesEqualTheWholeMap() async throws {
    for seed in TestScale.seeds(12) {
      var random = SeededGenerator(seed: seed)
      let folder = try TemporaryFolder()
      try makeTree(&random, in: folder)
      let layout: Layout = random.chance(0.5) ? .settled : .pinned
      let whole = try await nodes(of: folder, layout, nil)
      for _ in 0..<6 {
        let choice = Choice(using: &random)
        let found = try await nodes(of: folder, layout, choice)
        let what = "seed \(seed), \(choice)"
        let expected = whole.filter { choice.shows($0.path, $0.node) }
        let shown = Set(found.map(\.path))
        // Whether a box shows a folder depends on its land; for files, the point decides.
        let wanted = expected.filter { path, node in
          guard let box = choice.box else { return true }
          guard node.kind == .poi else { return shown.contains(path) }
          let scale = (0..<node.digits).reduce(1.0) { scale, _ in scale * 10 }
          let (x, y) = (Double(node.place[0]) / scale, Double(node.place[1]) / scale)
          return (box.west...box.east).contains(x) && (box.south...box.north).contains(y)
        }
        #expect(found.map(\.path) == wanted.map(\.path), "\(what)")
        for (one, other) in zip(found, wanted) where one.path == other.path {
          var same = other.node
          // A folder shown without being read has no number of entries.
          if let depth = choice.maxDepth, same.depth == depth, same.kind != .poi { same.size = -1 }
          #expect(one.node == same, "\(what): \(one.path)")
        }
      }
    }
  }
}
