import GeoCore
import GeoSystem
import GeoTree
import TestSupport

@testable import GeoSources

/// A folder with sources of layers, and a root `r` in it.
final class LayerCase {
  let folder: TemporaryFolder
  let root: ScanRoot

  init() throws {
    folder = try TemporaryFolder()
    root = ScanRoot(label: Array("r".utf8), directory: Array(try folder.makeFolder("r").utf8))
  }

  /// Opens layers; `@` in their texts stands for the folder.
  func open(_ requests: String..., roots: [ScanRoot]? = nil) throws -> LayerSet {
    try LayerSet.open(
      try requests.map { text in
        try MapLayer(parsing: Array(text.replacing("@", with: folder.path + "/").utf8))
      }, over: roots ?? [root])
  }

  /// The message for a layer that can't be opened, with `@` for the folder; nil if it can.
  func refusal(_ request: String, roots: [ScanRoot]? = nil) -> String? {
    do {
      _ = try open(request, roots: roots)
      return nil
    } catch {
      let text = (error as? Failure).map { $0.message + $0.option } ?? "\(error)"
      return text.replacing(folder.path + "/", with: "@")
    }
  }

  /// The message for a layer of a file with some text; nil if it can be opened.
  func refusal(_ text: String, in file: String, _ request: String? = nil) throws -> String? {
    try folder.makeFile(file, text)
    return refusal(request ?? "@\(file)")
  }
}

extension LayerSet {
  /// The layers, as `name:how`.
  var shapes: [String] { schema.layers.map { "\($0.name):\($0.summary.rawValue)" } }

  /// The values at a path as texts; `-` without one.
  func values(at path: [UInt8], storage: FileStorage? = nil) -> [String] {
    let names = NameTable([Array(path.lastComponent)])
    var cells: [LayerCell] = []
    makeReader().fill(
      &cells, names, 0..<1, in: Array(path.parentPath ?? []), storage: storage.map { [$0] } ?? [])
    return zip(schema.layers, cells).map { layer, cell in
      switch layer.value(of: cell, schema.words) {
      case nil: "-"
      case .integer(let number): "\(number)"
      case .number(let number): "\(number)"
      case .word(let word): String(decoding: word, as: UTF8.self)
      }
    }
  }

  /// The values at a path as one text.
  func values(_ path: String) -> String {
    values(at: Array(path.utf8)).joined(separator: " ")
  }

  /// The paths without a node, of those that were not asked for.
  var unmatchedPaths: [String] {
    get throws { try unmatched().paths.map { String(decoding: $0, as: UTF8.self) } }
  }
}
