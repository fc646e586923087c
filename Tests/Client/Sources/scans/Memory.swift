import Foundation
import GeoScan
import Place

/// A tree that is on no disk.
final class MemorySource: TreeSource {
  /// The names of the files and of the sub-folders of each folder.
  let files, folders: [String: [String]]

  init(files: [String: [String]], folders: [String: [String]]) {
    (self.files, self.folders) = (files, folders)
  }

  func check(_ root: ScanRoot) throws(Errno) {}
  var entryCount: Int? { nil }
  var exclusionReasons: [ExclusionReason] { [] }
  var knowledge: ContentKnowledge { .seconds }
  func session(_ options: FileSystemScanner.Options, readers: Int) -> any TreeSession {
    Session(self)
  }

  final class Session: TreeSession {
    let source: MemorySource
    init(_ source: MemorySource) { self.source = source }
    func makeReader() -> any FolderReader { Reader(source) }
    func stamp(of folder: FolderReference) -> ListingStamp? { nil }
  }

  final class Kept: KeptFolder {
    let path: String
    init(_ path: String) { self.path = path }
  }

  final class Reader: FolderReader {
    let source: MemorySource
    var path = ""
    init(_ source: MemorySource) { self.source = source }
    func path(of folder: FolderReference) -> String {
      switch folder {
      case .kept(let kept): (kept as? Kept)?.path ?? ""
      case .child(_, let path, _, _, _), .path(_, let path, _):
        String(decoding: path, as: UTF8.self)
      }
    }
    func list(_ folder: FolderReference, into listing: inout FolderListing) {
      path = path(of: folder)
      listing.removeAll()
      listing.files = NameTable(
        (source.files[path] ?? []).sorted().map { Array($0.utf8) }, kind: .regular)
      listing.folders = NameTable(
        (source.folders[path] ?? []).sorted().map { Array($0.utf8) }, kind: .directory)
      listing.outcome = .listed
    }
    func inspect(_ folder: FolderReference, into listing: inout FolderListing) {
      listing.removeAll()
    }
    func enter(_ folder: FolderReference) throws(Errno) { path = path(of: folder) }
    func leave() {}
    func keep() -> any KeptFolder { Kept(path) }
    func readFacts(
      of names: NameTable, _ range: Range<Int>, into facts: inout [EntryFacts],
      storage: inout [FileStorage],
      failures: inout [FactFailure]
    ) {
      for index in facts.indices {
        facts[index] = EntryFacts(
          size: 100, modified: 1_700_000_000, status: .known, kind: facts[index].kind)
      }
    }
    func readFile(_ path: [UInt8], following: Bool, limit: Int) throws(Errno) -> [UInt8]? { nil }
  }
}

/// Maps a tree in memory.
func memory(_ place: Place) async throws -> String {
  let source = MemorySource(
    files: ["app": ["main.swift"], "app/model": ["b.swift", "a.swift"]],
    folders: ["app": ["view", "model"]])
  let world = GeoWorld(roots: [
    .init(label: "app", folder: URL(filePath: "/app"), source: source)
  ])
  var lines: [String] = []
  for try await batch in try await world.nodes() {
    for node in batch { lines.append("\(node.nodeType) \(node.path) \(node.size ?? -1)") }
  }
  try check(
    lines == [
      "continent app 3", "poi app/main.swift 100", "country app/model 2",
      "poi app/model/a.swift 100",
      "poi app/model/b.swift 100", "country app/view 0",
    ], "\(lines)")
  try check(
    try await world.reader().node(at: "app/model/a.swift")?.modificationDate
      == Date(timeIntervalSince1970: 1_700_000_000), "no time")
  return "\(lines.count) nodes in memory"
}

/// Adds values of its own to a tree in memory.
func valueMemory(_ place: Place) async throws -> String {
  let source = MemorySource(
    files: ["app": ["main.swift"], "app/model": ["a.swift"]], folders: ["app": ["model"]])
  var app = GeoWorld(roots: [.init(label: "app", folder: URL(filePath: "/app"), source: source)])
  app.layers = [MapLayer(name: "lines", values: [("main.swift", 10), ("app/model/a.swift", 20)])]
  var lines: [String: LayerValue] = [:]
  for try await batch in try await app.nodes() {
    for node in batch { lines[node.path] = node.values["lines"] }
  }
  try check(lines["app"] == 30 && lines["app/model"] == 20, "\(lines)")
  return "\(lines.count) nodes with values in memory"
}
