import GeoProjection
import TestSupport

/// The coordinates in which containment and separation are tested.
enum Space: String, CaseIterable {
  /// In integers of the plan, before the chart.
  case plan
  /// In the printed decimals, as integers of 10^-13 degrees.
  case decimals
  /// In the doubles that a reader parses from the decimals.
  case doubles
}

extension World {
  /// The first fault in containment, and for `settled` also in separation; nil if both hold.
  func geometryFault() -> String? {
    for space in Space.allCases {
      if let fault = geometryFault(space) { return "\(engine.layout), \(space): \(fault)" }
    }
    return nil
  }

  func geometryFault(_ space: Space) -> String? {
    switch space {
    case .plan:
      geometryFault(ring: { planRing($0).map(IntegerPoint.init) }, point: { IntegerPoint($0.plan) })
    case .decimals:
      geometryFault(
        ring: { node in ring(node).map { IntegerPoint($0, digits: node.digits) } },
        point: { IntegerPoint($0.coordinate, digits: $0.digits) })
    case .doubles:
      geometryFault(
        ring: { node in ring(node).map { DoublePoint($0, digits: node.digits) } },
        point: { DoublePoint($0.coordinate, digits: $0.digits) })
    }
  }

  private func geometryFault<Point: PlanarPoint>(
    ring: (Node) -> [Point], point: (Node) -> Point
  ) -> String? {
    let rings = nodes.map { $0.isLanded ? Ring(ring($0)) : nil }
    var children: [Int: [Int]] = [:]
    for (index, node) in nodes.enumerated() { children[node.parent, default: []].append(index) }

    for (index, node) in nodes.enumerated() {
      let parent = node.parent < 0 ? nil : rings[node.parent]
      if let ring = rings[index] {
        if !ring.isSimple { return "the ring of \(name(index)) is not simple" }
        if !ring.isCounterClockwise { return "the ring of \(name(index)) runs clockwise" }
        if let parent, !ring.isInside(parent) {
          return "\(name(index)) is not strictly inside its parent"
        }
      } else if node.folder == nil, let parent, parent.side(of: point(node)) != 1 {
        return "the file \(name(index)) is not strictly inside its folder"
      }
    }
    for (parent, siblings) in children where parent < 0 || engine.layout == .settled {
      if let fault = separationFault(siblings, rings: rings, point: point) { return fault }
    }
    return nil
  }

  /// The fault if siblings with land meet, or if one of their sibling files is not outside of them
  /// all.
  private func separationFault<Point: PlanarPoint>(
    _ siblings: [Int], rings: [Ring<Point>?], point: (Node) -> Point
  ) -> String? {
    var landed: [(index: Int, ring: Ring<Point>)] = []
    for index in siblings {
      if let ring = rings[index] { landed.append((index, ring)) }
    }
    landed.sort { $0.ring.box.west < $1.ring.box.west }
    for i in landed.indices {
      for j in (i + 1)..<landed.count {
        if landed[j].ring.box.west > landed[i].ring.box.east { break }
        if !landed[i].ring.isApart(from: landed[j].ring) {
          return "\(name(landed[i].index)) and \(name(landed[j].index)) are not apart"
        }
      }
    }
    // The files of a landless folder are in the city of an ancestor.
    for index in siblings where nodes[index].folder == nil && !landed.isEmpty {
      let p = point(nodes[index])
      for sibling in landed where sibling.ring.side(of: p) != -1 {
        return "the file \(name(index)) is not outside of \(name(sibling.index))"
      }
    }
    return nil
  }

  /// The fault if a coast line on the plan leaves the strip between the core and the territory, or
  /// touches either side of it.
  func coastFault() -> String? {
    for (index, node) in nodes.enumerated() where node.isLanded {
      guard let folder = node.folder else { continue }
      let ring = Ring(planRing(node).map(IntegerPoint.init))
      let core = Ground.core(of: folder.land, depth: folder.depth)
      if !ring.isInside(World.ring(of: folder.land)) {
        return "the coast of \(name(index)) reaches out of its territory"
      }
      if !World.ring(of: core).isInside(ring) {
        return "the coast of \(name(index)) reaches into its core"
      }
    }
    return nil
  }

  /// A quad's corners, counter-clockwise.
  static func ring(of quad: Quad) -> Ring<IntegerPoint> {
    Ring([quad.q3, quad.q2, quad.q1, quad.q0].map(IntegerPoint.init))
  }

  /// The fault in *A contains p if and only if A is an ancestor of p*, for all pairs.
  func ancestryFault() -> String? {
    let rings = nodes.map { node in
      node.isLanded ? Ring(ring(node).map { IntegerPoint($0, digits: node.digits) }) : nil
    }
    for (index, node) in nodes.enumerated() {
      let isFileOfLand = node.folder == nil && nodes[node.parent].isLanded
      guard isFileOfLand || node.isLanded else { continue }
      let points =
        rings[index]?.points ?? [IntegerPoint(node.coordinate, digits: node.digits)]
      for (other, ring) in rings.enumerated() where other != index {
        guard let ring else { continue }
        let isAncestor = node.path.starts(with: nodes[other].path)
        let isDescendant = nodes[other].path.starts(with: node.path)
        if isDescendant { continue }
        for p in points where ring.side(of: p) != (isAncestor ? 1 : -1) {
          return "\(name(other)) and \(name(index)): contains is not ancestry"
        }
      }
    }
    return nil
  }

  /// A node's path for reports.
  func name(_ index: Int) -> String {
    nodes[index].path.map { String(decoding: $0, as: UTF8.self) }.joined(separator: "/")
  }
}
