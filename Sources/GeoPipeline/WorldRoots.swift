import GeoCore
import GeoProjection
import GeoTree

/// The roots of a world, in the byte order of their labels, and where they are on the map.
package struct WorldRoots: Sendable {
  package let roots: [ScanRoot]
  package let engine: GeoProjectionEngine

  /// All labels, in the order of their bytes.
  package var labels: [[UInt8]] { roots.map(\.label) }

  /// Looks whether some folders can stand on one map.
  ///
  /// - Parameter areThere: Whether they have to be there.
  /// - Throws: ``MapError``.
  package init(_ roots: [ScanRoot], _ layout: Layout, areThere: Bool = true) throws(MapError) {
    self.roots = try Self.checked(roots, areThere: areThere)
    engine = try Self.engine(layout, self.roots.map(\.label))
  }

  /// Roots that can stand on one map, in their order.
  static func checked(_ roots: [ScanRoot], areThere: Bool) throws(MapError) -> [ScanRoot] {
    do throws(RootError) {
      try RootLabel.validate(roots.lazy.map { ($0.label, $0.directory) })
    } catch {
      throw .refusedRoot(error)
    }
    let sorted = roots.sorted { $0.label.lexicographicallyPrecedes($1.label) }
    for root in sorted where areThere {
      do throws(ScanRoot.Failure) {
        try root.check()
      } catch {
        throw MapError(error, directory: root.directory)
      }
    }
    return sorted
  }

  /// The engine of a world.
  static func engine(
    _ layout: Layout, _ labels: [[UInt8]]
  ) throws(MapError) -> GeoProjectionEngine {
    do throws(ProjectionError) {
      return try GeoProjectionEngine(
        layout: layout, labels: NameTable(labels, kind: .directory))
    } catch {
      switch error {
      case .landlessRoot(let index): throw .landlessRoot(label: labels[index])
      }
    }
  }
}
