import GeoCore
import TestSupport

@testable import GeoSources

/// A tree with made-up facts, lists that describe it, and the result expected from reading them.
struct ListedTree: Sendable {
  /// A folder or a file.
  struct Node: Sendable {
    var path: [UInt8]
    var isFolder: Bool
    var size: Int
    var modified: Int
  }

  /// The nodes in the order of the map; the root is `.`.
  var nodes: [Node] = []
  /// The expected lines of a recorder.
  var lines: [String] = []

  /// Gives each node facts that depend only on its path.
  init(_ tree: Tree, hasFacts: Bool, hasTimes: Bool = true) {
    add(tree, path: [46], shown: [114], hasFacts: hasFacts, hasTimes: hasFacts && hasTimes)
  }

  private mutating func add(
    _ tree: Tree, path: [UInt8], shown: [UInt8], hasFacts: Bool, hasTimes: Bool
  ) {
    func text(_ bytes: [UInt8]) -> String { TerminalText.escaped(bytes) }
    func sorted(_ names: [[UInt8]]) -> [[UInt8]] {
      names.sorted { $0.lexicographicallyPrecedes($1) }
    }
    func facts(_ path: [UInt8]) -> Int { path.reduce(7) { ($0 &* 31 &+ Int($1)) & 0xFFFF } }

    let own = facts(path)
    nodes.append(Node(path: path, isFolder: true, size: 4096, modified: own))
    lines.append(
      "\(text(shown))/ \(tree.files.count + tree.folders.count)" + (hasTimes ? " @\(own)" : ""))
    for name in sorted(tree.files) {
      let file = path + [47] + name
      let size = facts(file)
      nodes.append(Node(path: file, isFolder: false, size: size, modified: -size))
      lines.append(
        "\(text(shown))/\(text(name))" + (hasFacts ? " \(size)" : "")
          + (hasTimes ? " @\(-size)" : ""))
    }
    for folder in tree.folders.sorted(by: { $0.name.lexicographicallyPrecedes($1.name) }) {
      add(
        folder.contents, path: path + [47] + folder.name, shown: shown + [47] + folder.name,
        hasFacts: hasFacts, hasTimes: hasTimes)
    }
  }

  /// The entries of a list in the order of the map.
  func entries(_ format: ListFormat) -> [[UInt8]] {
    nodes.map { node in
      switch format {
      case .find:
        let kind = node.isFolder ? "d" : "f"
        return Array("\(node.size) \(node.modified).0 \(kind) ".utf8) + node.path + [0]
      default: return node.path + (node.isFolder ? [47, 0] : [0])
      }
    }
  }
}

extension Tree {
  /// An export of the tree with the facts of ``ListedTree``; every listing has the order of the
  /// tree, with files and folders mixed.
  func export(path: [UInt8] = [46], using generator: inout SeededGenerator) -> [UInt8] {
    func info(_ name: [UInt8], _ path: [UInt8], isFolder: Bool) -> [UInt8] {
      let facts = path.reduce(7) { ($0 &* 31 &+ Int($1)) & 0xFFFF }
      let size = isFolder ? "" : ",\"asize\":\(facts)"
      let time = isFolder ? facts : -facts
      return Array("{\"name\":\"".utf8) + Self.escaped(name)
        + Array("\"\(size),\"dsize\":8,\"mtime\":\(UInt64(bitPattern: Int64(time)))}".utf8)
    }
    var items = files.map { info($0, path + [47] + $0, isFolder: false) }
    for folder in folders {
      let below = path + [47] + folder.name
      let contents = folder.contents.export(path: below, using: &generator)
      items.append(contents)
    }
    items.shuffle(using: &generator)
    let name = path.lastIndex(of: 47).map { Array(path[($0 + 1)...]) } ?? path
    let all = [info(name, path, isFolder: true)] + items
    return [91] + all.joined(separator: [44, 10]) + [93]
  }

  static func escaped(_ name: [UInt8]) -> [UInt8] {
    name.flatMap { byte -> [UInt8] in
      switch byte {
      case 34, 92: [92, byte]
      case 0..<32:
        Array(
          "\\u00\(byte < 16 ? "0" : "")\(String(byte, radix: 16, uppercase: byte % 2 == 0))".utf8)
      default: [byte]
      }
    }
  }
}
