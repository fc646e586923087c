import GeoCore
import GeoTree
import TestSupport
import Testing

@testable import GeoSources

/// Paths of a layer's source on the map.
@Suite struct LayerPathsTests {
  private func paths(_ roots: (label: String, directory: String)...) -> LayerPaths {
    let roots = roots.map {
      ScanRoot(label: Array($0.label.utf8), directory: Array($0.directory.utf8))
    }
    return LayerPaths(roots, named: roots)
  }

  private func resolve(_ paths: LayerPaths, _ text: String) -> String? {
    var (paths, path) = (paths, [UInt8]())
    return paths.resolve(Array(text.utf8).span, into: &path)
      ? String(decoding: path, as: UTF8.self) : nil
  }

  @Test func ofOneRoot() throws {
    let folder = try TemporaryFolder()
    try folder.makeFolder("src/a")
    try folder.makeLink("link", to: "src")
    let own = paths(("src", folder("src")))
    for (text, expected) in [
      ("a/b", "src/a/b"), ("./a//b/", "src/a/b"), ("src/a", "src/a"), ("src", "src"),
      ("src2/a", "src/src2/a"), (".", "src"), ("a/../b", "src/b"), ("a/./..", "src"),
      (folder("src/a/b"), "src/a/b"), (folder("src"), "src"), (folder("x/../src//a"), "src/a"),
    ] {
      #expect(resolve(own, text) == expected, "\(text)")
    }
    for text in ["..", "a/../../src/b", folder("src2/a"), folder.path, "/", "a\0b"] {
      #expect(resolve(own, text) == nil, "\(text)")
    }
    // By a link, both its path and its target's are absolute paths of the root.
    let linked = paths(("l", folder("link")))
    #expect(resolve(linked, folder("link/a")) == "l/a")
    #expect(resolve(linked, folder("src/a")) == "l/a")
    // The root has an entry of its own name.
    try folder.makeFolder("src/src")
    let ambiguous = paths(("src", folder("src")))
    #expect(resolve(ambiguous, "src/a") == "src/src/a")
    #expect(resolve(ambiguous, folder("src/src/a")) == "src/src/a")
    #expect(resolve(paths(("root", "/")), "/usr/x") == "root/usr/x")
  }

  @Test func ofSeveralRoots() throws {
    let folder = try TemporaryFolder()
    try folder.makeFolder("a/b")
    let both = paths(("x", folder("a")), ("y", folder("a/b")))
    for (text, expected) in [
      ("x/n", "x/n"), ("./y//n", "y/n"), ("y", "y"), (folder("a/n"), "x/n"),
      (folder("a/b/n"), "y/n"), (folder("a/bc"), "x/bc"), ("z/../x/n", "x/n"),
    ] {
      #expect(resolve(both, text) == expected, "\(text)")
    }
    for text in ["n", "xy/n", ".", "x/..", "../x/n"] {
      #expect(resolve(both, text) == nil, "\(text)")
    }
  }

  @Test func agreesWithNames() throws {
    let folder = try TemporaryFolder()
    try folder.makeFolder("r")
    let own = paths(("r", folder("r")))
    let names = ["a", "..", ".", "", "b", "r", "..."]
    let property = Property<[String]>(
      "path",
      generate: { generator in
        (0..<generator.number(in: 1...8)).map { _ in names.randomElement(using: &generator) ?? "" }
      },
      shrink: { names in
        names.indices.map { index in
          names.enumerated().filter { $0.offset != index }.map(\.element)
        }
      }
    ) { parts in
      if parts.first?.isEmpty ?? true { return nil }
      var expected: [String]? = []
      for name in parts where !name.isEmpty && name != "." {
        if name != ".." {
          expected?.append(name)
        } else if expected?.popLast() == nil {
          expected = nil
        }
      }
      if var found = expected {
        if found.first != "r" { found.insert("r", at: 0) }
        expected = found
      }
      let found = resolve(own, parts.joined(separator: "/"))
      return found == expected?.joined(separator: "/") ? nil : "found \(found ?? "nothing")"
    }
    #expect(try property.counterexample(cases: 2000) == nil)
  }

  @Test func foreignPathsAreCounted() throws {
    let made = try LayerCase()
    try made.folder.makeFile("x.csv", "path,n,m\na,1,2\n/none/b,1,\n../c,,3\n")
    let layers = try made.open("@x.csv")
    #expect(layers.values("r/a") == "1 2")
    let reader = layers.makeReader()
    var cells: [LayerCell] = []
    reader.fill(&cells, NameTable([Array("a".utf8)]), 0..<1, in: Array("r".utf8))
    let unmatched = try layers.unmatched()
    #expect(unmatched.rows == 2)
    #expect(unmatched.counts == [1, 1])
    #expect(try layers.unmatchedPaths == ["../c", "/none/b"])
  }
}
