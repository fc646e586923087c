import Foundation
import GeoCore
import GeoProjection
import TestSupport
import Testing

/// The files of test vectors that every engine has to agree with.
enum Vectors {
  struct Hashes: Decodable {
    struct Hash: Decodable {
      var bytes: String
      var seed: String
      var hash: String
    }
    struct Numbers: Decodable {
      var seed: String
      var numbers: [String]
    }
    var xxh64: [Hash]
    var splitmix64: [Numbers]
  }

  struct LatitudeOfY: Decodable {
    var y: String
    var bits: String
  }

  struct Charted: Decodable {
    var seed: String
    var plan: [String]
    var chart: [String]
  }

  struct Shared: Decodable {
    struct Folder: Decodable {
      var key: String
      var name: String
      var cell: [[String]]
    }
    var quad: [[String]]
    var breadth: String
    var lean: Int64
    var seed: String
    var bits: Int
    var folders: [Folder]
  }

  struct Files: Decodable {
    struct File: Decodable {
      var seed: String
      var place: [String]

      init(from decoder: any Decoder) throws {
        var pair = try decoder.unkeyedContainer()
        seed = try pair.decode(String.self)
        place = try pair.decode([String].self)
      }
    }
    var territory: [[String]]
    var depth: Int32
    var seed: String
    /// The keys of the sub-folders.
    var keys: [String]
    var city: [[String]]
    var lots: [[[String]]]
    var taken: [Int]
    /// Pairs: the number of files, and the number that the city's zoom is computed with.
    var crowd: [[Int]]
    var files: [File]
  }

  struct World: Decodable {
    struct Node: Decodable {
      var path: String
      var kind: String
      var depth: Int
      var seed: String
      var digits: UInt8
      var coordinate: [String]
      var minzoom: UInt8
      var landed: Bool?
      var size: Int?
      var quad: [[String]]?
      var ring: [[String]]?
    }
    var roots: Tree
    var settled: [Node]
    var pinned: [Node]
  }

  /// Reads `Vectors/<name>.json`.
  static func load<T: Decodable>(_ name: String, as type: T.Type = T.self) throws -> T {
    let url = Bundle.module.url(
      forResource: name, withExtension: "json", subdirectory: "Vectors")
    return try JSONDecoder().decode(T.self, from: Data(contentsOf: try #require(url)))
  }

  /// Decodes hexadecimal digits.
  static func bytes(_ hex: some StringProtocol) -> [UInt8] {
    let digits = Array(hex.utf8)
    return stride(from: 0, to: digits.count - 1, by: 2).map {
      UInt8(String(decoding: digits[$0..<$0 + 2], as: UTF8.self), radix: 16) ?? 0
    }
  }

  static func point(_ pair: [String]) throws -> PlanPoint {
    try #require(pair.count == 2)
    return PlanPoint(x: try #require(Int64(pair[0])), y: try #require(Int64(pair[1])))
  }

  static func coordinate(_ pair: [String]) throws -> Coordinate {
    let point = try point(pair)
    return Coordinate(longitude: point.x, latitude: point.y)
  }

  static func quad(_ corners: [[String]]) throws -> Quad {
    try #require(corners.count == 4)
    return try Quad(point(corners[0]), point(corners[1]), point(corners[2]), point(corners[3]))
  }

  static func word(_ hex: String) throws -> UInt64 { try #require(UInt64(hex, radix: 16)) }
}

extension Tree: Decodable {
  private struct Name: CodingKey {
    var stringValue: String
    var intValue: Int? { nil }
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  /// A tree as the files encode it: names in hexadecimal; a file is null.
  public init(from decoder: any Decoder) throws {
    self.init()
    let container = try decoder.container(keyedBy: Name.self)
    for key in container.allKeys {
      let name = Vectors.bytes(key.stringValue)
      if try container.decodeNil(forKey: key) {
        files.append(name)
      } else {
        folders.append(Folder(name, try container.decode(Tree.self, forKey: key)))
      }
    }
  }
}
