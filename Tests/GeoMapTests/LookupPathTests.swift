import Foundation
import GeoMap
import GeoScan
import TestSupport
import Testing

/// Paths as text, files on disk and raw bytes lead to the same nodes.
@Suite struct LookupPathTests {
  private let folder: TemporaryFolder
  private let lookup: GeoLookup

  init() throws {
    folder = try TemporaryFolder()
    try folder.makeFile("real/a/b/file.txt", "12345")
    try folder.makeFile("real/ü é/x%20y", "1")
    try folder.makeFile("real/inner/deep/file")
    try folder.makeFile("real-not/file")
    try folder.makeLink("real/a/way", to: "b")
    try folder.makeLink("alias", to: "real")
    lookup = try GeoWorld(roots: [
      .init(label: "whole", folder: URL(filePath: folder("alias"))),
      .init(label: "part", folder: URL(filePath: folder("real/inner"))),
    ]).lookup()
  }

  private func url(_ name: String) -> URL { URL(filePath: folder(name)) }

  private func text(_ path: [UInt8]?) -> String? {
    path.map { String(decoding: $0, as: UTF8.self) }
  }

  @Test(arguments: [
    ("real", "whole"), ("alias", "whole"), ("real/", "whole"), ("real/a/../a/b", "whole/a/b"),
    ("alias/a/b/file.txt", "whole/a/b/file.txt"), ("real/a/b/file.txt", "whole/a/b/file.txt"),
    ("real/a/way", "whole/a/way"), ("real/a/way/file.txt", "whole/a/b/file.txt"),
    ("real/ü é/x%20y", "whole/ü é/x%20y"), ("real/inner", "part"),
    ("alias/inner/deep/file", "part/deep/file"), ("real/none", "whole/none"),
  ])
  func urlsBecomePathsOfTheMap(name: String, path: String) throws {
    #expect(text(lookup.path(of: url(name))) == path)
    #expect(lookup.node(at: url(name)) == lookup.node(at: path))
    #expect(lookup.node(at: path) == lookup.node(at: Array(path.utf8)))
    #expect(lookup.node(at: path) == lookup.node(at: path + "/"))
    #expect(lookup.node(at: folder(name)) == lookup.node(at: path), "the absolute path as text")
  }

  @Test func urlsOutsideTheRootsAreUnknown() throws {
    for name in ["", "real-not", "real-not/file", "real/../real-not/file"] {
      #expect(lookup.path(of: url(name)) == nil, "\(name)")
      #expect(lookup.node(at: url(name)) == nil)
      #expect(lookup.node(at: folder(name)) == nil)
      #expect(try lookup.children(of: url(name)) == nil)
    }
    let web = try #require(URL(string: "https://example.org" + folder("real/a")))
    #expect(lookup.path(of: web) == nil)
  }

  @Test func urlsOfNodesFindThem() throws {
    for path in ["whole", "whole/a/b/file.txt", "whole/ü é/x%20y", "part/deep"] {
      let node = try #require(lookup.node(at: path))
      #expect(lookup.node(at: node.fileURL) == node)
    }
  }

  @Test func pathsBytesAndURLsAgree() throws {
    let (a, b) = ("whole/a/b", "whole/ü é/x%20y")
    let bytes = (a: Array(a.utf8), b: Array(b.utf8))
    #expect(lookup.ancestors(of: b)?.map(\.path) == ["whole", "whole/ü é"])
    #expect(lookup.ancestors(of: b) == lookup.ancestors(of: bytes.b))
    #expect(lookup.ancestors(of: b) == lookup.ancestors(of: url("real/ü é/x%20y")))
    #expect(try lookup.children(of: a)?.map(\.name) == ["file.txt"])
    #expect(try lookup.children(of: a) == lookup.children(of: bytes.a))
    #expect(try lookup.children(of: a) == lookup.children(of: url("real/a/b")))
    let ring = try #require(lookup.coastline(of: a))
    #expect(ring.count > 3 && ring.first == ring.last)
    #expect(ring == lookup.coastline(of: bytes.a))
    #expect(ring == lookup.coastline(of: url("real/a/b")))
    let route = try #require(lookup.route(from: a, to: b))
    #expect(route.stops.map(\.path) == ["whole/a/b", "whole/a", "whole", "whole/ü é", b])
    #expect(route == lookup.route(from: bytes.a, to: bytes.b))
    #expect(route == lookup.route(from: url("real/a/b"), to: url("real/ü é/x%20y")))
    #expect(lookup.route(from: url("real/a"), to: url("real-not")) == nil)

    var world = GeoWorld(folder: url("real"))
    world.layout = .pinned
    let pinned = try world.reader()
    #expect(try GeoWorld(folder: url("real")).reader().plannedNode(at: a, isFolder: true) == nil)
    let planned = try #require(pinned.plannedNode(at: "real/a/b", isFolder: true))
    #expect(planned == pinned.plannedNode(at: Array("real/a/b".utf8), isFolder: true))
    #expect(planned.id == pinned.lookup.node(at: "real/a/b")?.id)
  }
}
