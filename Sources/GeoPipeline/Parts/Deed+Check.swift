import GeoCore
import GeoProjection

extension Deed {
  /// How many deeds a set may have.
  public static let mostInSet = 10_001
  /// How many names the path of a place may have.
  public static let deepest = 4096

  /// Refuses what no deed says, so that nothing that reads one has to provide for it.
  func check() throws(DeedError) {
    do throws(RootError) {
      try RootLabel.validate(labels.lazy.map { ($0, [UInt8(ascii: ".")]) })
    } catch {
      throw .malformed
    }
    let known = Set(labels)
    let paths = places.map(\.path)
    guard number < count, count <= Self.mostInSet, !places.isEmpty,
      zip(labels, labels.dropFirst()).allSatisfy({ $0.lexicographicallyPrecedes($1) }),
      places.allSatisfy({ $0.makesSense(among: known) }),
      Self.isOrdered(ways.map(\.path)), Self.areApart(paths), Self.areApart(cuts)
    else { throw .malformed }
    for path in ways.map(\.path) + cuts {
      if !Self.canBePath(path) { throw .malformed }
      if !paths.contains(where: { path.isPath(atOrBelow: $0) && path != $0 }) {
        throw .malformed
      }
    }
  }

  /// Whether a path is one of names, and neither too long nor too deep.
  fileprivate static func canBePath(_ path: [UInt8]) -> Bool {
    let names = path.components
    return path.count <= NameRecord.longestName && names.count <= deepest
      && names.allSatisfy(EntryName.isValid)
  }

  /// Whether paths are in the order of the map, and none leads into another.
  private static func areApart(_ paths: [[UInt8]]) -> Bool {
    isOrdered(paths)
      && !zip(paths, paths.dropFirst()).contains { $1.isPath(atOrBelow: $0) }
  }

  private static func isOrdered(_ paths: [[UInt8]]) -> Bool {
    zip(paths, paths.dropFirst()).allSatisfy { MapOrder.precedes($0, $1) }
  }
}

extension Deed.Place {
  /// The path's names, the root's label first.
  public var names: [[UInt8]] {
    path.components.map { Array($0) }
  }

  fileprivate func makesSense(among labels: Set<[UInt8]>) -> Bool {
    let names = names
    guard let label = names.first, labels.contains(label),
      Deed.canBePath(path),
      folder.depth == Int32(clamping: names.count - 1),
      Self.seed(of: names[...]) == folder.seed,
      (ancestor == nil) == folder.isLanded
    else { return false }
    let world: Range<Int64> = 0..<(1 << 62)
    return [folder, ancestor ?? folder].allSatisfy {
      $0.land.corners.allSatisfy(world.contains) && (!$0.isLanded || $0.land.isSpacious)
    }
      && (6...13).contains(folder.digits) && folder.minzoom <= 128
  }

  /// The seed of the folder that names lead to, the root's label first.
  static func seed(of names: ArraySlice<[UInt8]>) -> UInt64 {
    names.reduce(0) { XXH64.hash($1.span, seed: $0) }
  }
}

extension Quad {
  /// Whether it is large enough for a territory.
  fileprivate var isSpacious: Bool { breadth >= Ground.horizon }
}
