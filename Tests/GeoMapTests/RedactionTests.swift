import GeoCore
import GeoTree
import TestSupport
import Testing

@testable import GeoPipeline

/// Replacing names by new ones.
@Suite struct RedactionTests {
  private static let key = RedactionKey(parsing: Array(String(repeating: "5a", count: 32).utf8))

  private static let globs = [["**/*a*"], ["*"], ["b*/**"], ["**/c*/"], ["**/*x", "a*"], ["none"]]

  private static func bytes(_ request: MapRequest) async throws -> [UInt8] {
    var bytes: [UInt8] = []
    for try await chunk in try await MapPipeline.open(request) {
      bytes += chunk.withBytes { Array(copying: $0) }
    }
    return bytes
  }

  /// The fault in the redacted map of a tree; nil if it is correct.
  private static func fault(_ tree: Tree, _ globs: [String]) async throws -> String? {
    let key = try #require(Self.key)
    let folder = try TemporaryFolder()
    try folder.makeFolder("own")
    try folder.make(tree, in: Array("own".utf8))
    let redaction = try Redaction(globs.map { Array($0.utf8) }, key: key)
    let new = shown(tree, in: "w", shown: "w", redaction, hides(globs))
    try folder.makeFolder("new")
    try folder.make(new, in: Array("new".utf8))
    var redacted = request(folder("own"))
    redacted.roots = redaction.roots(redacted.roots)
    let (one, other) = (try await bytes(redacted), try await bytes(request(folder("new"))))
    return one == other ? nil : "\(globs): another map of\n\(tree)"
  }

  private static func request(_ folder: String) -> MapRequest {
    var request = MapRequest(
      roots: [ScanRoot(label: Array("w".utf8), directory: Array(folder.utf8))])
    request.scan.readsMetadata = false
    return request
  }

  /// The tree with redacted names, by the documented rule.
  private static func shown(
    _ tree: Tree, in path: String, shown: String, _ redaction: Redaction,
    _ hides: (String, Bool) -> Bool
  ) -> Tree {
    func name(_ name: [UInt8], isFolder: Bool) -> [UInt8] {
      let own = path + "/" + String(decoding: name, as: UTF8.self)
      if path == shown, !hides(String(own.dropFirst(2)), isFolder) { return name }
      return redaction.name(for: Array(shown.utf8) + [0x2F] + name, try: 0)
    }
    return Tree(
      folders: tree.folders.map { folder in
        let new = name(folder.name, isFolder: true)
        return Tree.Folder(
          new,
          self.shown(
            folder.contents, in: path + "/" + String(decoding: folder.name, as: UTF8.self),
            shown: shown + "/" + String(decoding: new, as: UTF8.self), redaction, hides))
      }, files: tree.files.map { name($0, isFolder: false) })
  }

  /// What the globs of a case match, computed independently.
  private static func hides(_ globs: [String]) -> (String, Bool) -> Bool {
    { path, isFolder in
      let name = path.split(separator: "/").last.map(String.init) ?? ""
      return switch globs {
      case ["**/*a*"]: name.contains("a")
      case ["*"]: !path.contains("/")
      case ["b*/**"]: path.contains("/") && path.hasPrefix("b")
      case ["**/c*/"]: isFolder && name.hasPrefix("c")
      case ["**/*x", "a*"]: name.hasSuffix("x") || name.hasPrefix("a")
      default: false
      }
    }
  }

  /// A redacted map equals the map of a tree with the redacted names: order, places, ids and all.
  @Test(arguments: TestScale.seeds(8)) func redactedMapEqualsARenamedTree(
    seed: UInt64
  ) async throws {
    var generator = SeededGenerator(seed: seed)
    let shape = Tree.Shape(nodes: 60, alphabet: 0x61...0x78)
    let tree = Tree.random(shape, roots: 1, using: &generator).folders[0].contents
    for globs in Self.globs {
      guard var found = try await Self.fault(tree, globs) else { continue }
      var smallest = tree
      search: while true {
        for candidate in smallest.smaller {
          guard let smaller = try await Self.fault(candidate, globs) else { continue }
          (smallest, found) = (candidate, smaller)
          continue search
        }
        break
      }
      Issue.record("seed \(seed): \(found)")
    }
  }

  /// If two paths would get the same new name, each gets a distinct one, by a fixed rule.
  @Test func noTwoEntriesGetOneName() throws {
    let key = try #require(Self.key)
    let redaction = try Redaction([Array("**".utf8)], key: key, letters: 1)
    let names = (0..<20).map { Array("file\($0)".utf8) }
    let redactor = NameRedactor(redaction)
    let folder = NameRedactor.Folder(root: Array("w".utf8), shown: Array("w".utf8))
    func shown(_ files: [[UInt8]], _ folders: [[UInt8]]) -> [[UInt8]] {
      var (fileTable, folderTable) = (NameTable(files), NameTable(folders, kind: .directory))
      fileTable.sort()
      folderTable.sort()
      let (files, folders) = redactor.redact(files: fileTable, folders: folderTable, of: folder)
      return [files, folders].flatMap { names in
        (0..<names.shown.count).map { names.shown.name(at: $0) }
      }
    }
    let once = shown(Array(names[..<12]), Array(names[12...]))
    #expect(Set(once).count == names.count)
    #expect(once == shown(Array(names[..<12]), Array(names[12...])))
    #expect(once.allSatisfy { redaction.isNew($0) })
  }

  /// A name that looks like a new name is replaced, too: readers couldn't tell them apart.
  @Test func namesLikeNewNamesAreReplaced() async throws {
    let key = try #require(Self.key)
    let redaction = try Redaction([Array("none".utf8)], key: key)
    let disguise = redaction.name(for: Array("w/b".utf8), try: 0)
    let folder = try TemporaryFolder()
    try folder.makeFolder("own")
    try folder.makeFile(bytes: Array("own/".utf8) + disguise)
    var request = Self.request(folder("own"))
    request.roots = redaction.roots(request.roots)
    let map = String(decoding: try await Self.bytes(request), as: UTF8.self)
    #expect(!map.contains(String(decoding: disguise, as: UTF8.self)))
    #expect(map.contains("\"path\":\"w/~"))
  }

  @Test(arguments: [
    "", "5a", String(repeating: "5a", count: 31), String(repeating: "5a", count: 33),
    String(repeating: "5g", count: 32), " " + String(repeating: "5a", count: 32),
    String(repeating: "5a", count: 32) + "\n\n",
  ])
  func malformedKeysAreRefused(_ text: String) {
    #expect(RedactionKey(parsing: Array(text.utf8)) == nil)
  }

  @Test func keysRoundTrip() throws {
    let (one, other) = (try RedactionKey.random(), try RedactionKey.random())
    #expect(one != other)
    #expect(RedactionKey(parsing: one.text) == one)
    #expect(one.text.count == 65 && one.text.last == 0x0A)
    let upper = Array(String(decoding: one.text, as: UTF8.self).uppercased().utf8)
    #expect(RedactionKey(parsing: upper.dropLast() + [0x0D, 0x0A]) == one)
  }
}
