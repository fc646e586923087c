import GeoCore
import GeoSystem
import TestSupport
import Testing

@testable import GeoWeb

/// Changes to the folder of a site.
@Suite struct SiteFolderTests {
  private func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

  private func write(_ files: [String: String], to path: String) throws -> [String] {
    var folder = try SiteFolder(bytes(path))
    try folder.begin(Array(files.keys))
    var written: [String] = []
    for (name, text) in files.sorted(by: { $0.key < $1.key })
    where try folder.put(name, bytes(text)) {
      written.append(name)
    }
    try folder.end()
    return written
  }

  @Test func writesOnlyChangedFiles() throws {
    let folder = try TemporaryFolder()
    let site = folder("site")
    let first = ["index.html": "page", "assets/a.js": "a", "folders/1.gz": "one"]
    #expect(try write(first, to: site).count == 3)
    try folder.setModified("site/assets/a.js", 1_000_000_000)
    #expect(try write(first, to: site).isEmpty)
    var second = first
    second["folders/1.gz"] = nil
    second["folders/2.gz"] = "two"
    second["index.html"] = "pagE"
    #expect(try write(second, to: site) == ["folders/2.gz", "index.html"])
    #expect(try folder.text("site/index.html") == "pagE")
    // Open pages can still read the old files; the next run removes them.
    #expect(try folder.names(in: "site/folders") == ["1.gz", "2.gz"])
    #expect(try write(second, to: site).isEmpty)
    #expect(try folder.names(in: "site/folders") == ["2.gz"])
  }

  @Test func oneRunAtATimeWrites() throws {
    let folder = try TemporaryFolder()
    let site = folder("site")
    do {
      let first = try SiteFolder(bytes(site))
      #expect {
        try SiteFolder(bytes(site))
      } throws: { error in
        (error as? Failure)?.cause as? Errno == .wouldBlock
      }
      first.leave()
    }
    #expect(try write(["index.html": "page"], to: site) == ["index.html"])
  }

  @Test func returningFilesAreKept() throws {
    let folder = try TemporaryFolder()
    let (one, two) = (["folders/1.gz": "one"], ["folders/2.gz": "two"])
    for (files, there) in [
      (one, ["1.gz"]), (two, ["1.gz", "2.gz"]), (one, ["1.gz", "2.gz"]), (one, ["1.gz"]),
    ] {
      _ = try write(files, to: folder("site"))
      #expect(try folder.names(in: "site/folders") == there)
    }
  }

  @Test func filesOfBrokenRunsAreRemovedLater() throws {
    let folder = try TemporaryFolder()
    let site = folder("site")
    _ = try write(["folders/1.gz": "one"], to: site)
    do {
      var broken = try SiteFolder(bytes(site))
      try broken.begin(["folders/2.gz", "folders/3.gz"])
      _ = try broken.put("folders/2.gz", bytes("two"))
    }
    for _ in 0..<2 { _ = try write(["folders/4.gz": "four"], to: site) }
    #expect(try folder.names(in: "site/folders") == ["4.gz"])
  }

  /// A run that ends before it writes anything doesn't block the next one.
  @Test func runsThatNeverBeginWriteNothing() throws {
    let folder = try TemporaryFolder()
    for _ in 0..<2 { _ = try SiteFolder(bytes(folder("site"))) }
    #expect(try folder.names(in: "site").isEmpty)
  }

  /// A pipe is not a manifest, and isn't read.
  @Test func manifestsAreRegularFiles() throws {
    let folder = try TemporaryFolder()
    let site = folder("site")
    _ = try folder.makeFile("site/mine", "text")
    try folder.makePipe("site/\(SiteManifest.name)")
    #expect {
      _ = try SiteFolder(bytes(site))
    } throws: { error in
      (error as? Failure)?.message.contains("holds something else") == true
    }
  }

  /// Files that a killed run was about to write are removed by the next run, and no others.
  @Test func filesOfKilledRunsAreRemoved() throws {
    let folder = try TemporaryFolder()
    let site = folder("site")
    let left = ".geomapper-site-12-3ab.tmp"
    let others = [".geomapper-12-3ab.tmp", ".geomapper-site-12.part", "site.tmp"]
    // A run killed before the first manifest was written, and a later run.
    for isFirst in [true, false] {
      _ = try folder.makeFile("site/\(left)", "half a")
      if !isFirst { for name in others { _ = try folder.makeFile("site/\(name)", "theirs") } }
      _ = try write(["index.html": "page"], to: site)
      #expect(try !folder.names(in: "site").contains(left))
    }
    #expect(Set(try folder.names(in: "site")).isSuperset(of: others))
    _ = try folder.makeFile("other/\(left)", "half a")
    _ = try folder.makeFile("other/letter", "dear")
    #expect(throws: Failure.self) { try SiteFolder(bytes(folder("other"))) }
  }

  @Test func foreignFoldersAreRefused() throws {
    let folder = try TemporaryFolder()
    _ = try folder.makeFile("full/letter", "dear")
    #expect(throws: Failure.self) { try SiteFolder(bytes(folder("full"))) }
    #expect(try folder.names(in: "full") == ["letter"])
    // Another program's manifest, or none.
    _ = try folder.makeFile("other/.geomapper-site", "geomapper site 99\nindex.html\n")
    #expect(throws: Failure.self) { try SiteFolder(bytes(folder("other"))) }
    // A link in place of a sub-folder leads elsewhere.
    _ = try folder.makeFile("linked/.geomapper-site", "geomapper site 1\n")
    try folder.makeLink("linked/assets", to: "../full")
    #expect(throws: Failure.self) { try SiteFolder(bytes(folder("linked"))) }
    #expect(try folder.names(in: "full") == ["letter"])
  }

  /// Whatever a manifest lists, only files of a site are removed.
  @Test func manifestsCannotNameOtherFiles() throws {
    let folder = try TemporaryFolder()
    _ = try folder.makeFile("outside", "stays")
    _ = try folder.makeFile("site/mine", "stays")
    _ = try folder.makeFile("site/old.json", "goes")
    let names = [
      "../outside", "assets/../../outside", "/etc/passwd", ".", "..", "", "other/x", "old.json",
    ]
    _ = try folder.makeFile(
      "site/.geomapper-site", (["geomapper site 1"] + names).joined(separator: "\n"))
    for _ in 0..<2 { _ = try write(["index.html": "page"], to: folder("site")) }
    #expect(try folder.text("outside") == "stays")
    #expect(try folder.text("site/mine") == "stays")
    #expect(try !folder.names(in: "site").contains("old.json"))
  }

  @Test(arguments: [
    ("index.html", true), ("assets/a-b_c.js", true), ("folders/0f.gz", true), ("a/b", false),
    ("assets/x/y", false), (".geomapper-site", false), ("assets/.x", false), ("a b", false),
    ("..", false), ("", false), ("assets/", false), ("ä", false),
  ])
  func onlyNamesOfSitesAreAccepted(name: String, isOne: Bool) {
    #expect(SiteManifest.isName(name) == isOne)
  }
}
