import GeoFormats
import GeoCore

/// Reads a map that geomapper wrote, for what it says of its nodes: names, kinds, sizes and times. Where
/// they are isn't looked at.
package struct MapReader {
  /// A node.
  package struct Node: Sendable {
    /// The root's label, then names, joined by `/`.
    package let path: [UInt8]
    /// Whether it is a folder.
    package let isFolder: Bool
    /// What is known of it; of a folder, the size is the number of its entries.
    package let facts: EntryFacts
    /// Whether it is one of its own ancestors, reached by a link.
    package let isLoop: Bool
  }

  /// Why a map can't be used.
  package enum Failure: Error, Sendable {
    /// It breaks the rules; with what is wrong.
    case fault(MapFault)
    /// It has not all of its tree: a filter was given.
    case partial
    /// It is of several states.
    case ofStates
  }

  private var lines = MapLines()
  private var last: (path: [UInt8], isFolder: Bool)?

  /// A reader of one map.
  package init() {}

  /// Whether some bytes are the beginning of such a map.
  package static func isMap(_ beginning: [UInt8]) -> Bool {
    beginning.starts(with: "{\"type\":\"FeatureCollection\",\"geomapper\":".utf8)
  }

  /// Takes the next bytes.
  ///
  /// - Parameter take: Told of each node, in the order of the map.
  package mutating func read(
    _ bytes: Span<UInt8>, _ take: (Node) -> Void
  ) throws(Failure) {
    var failure: Failure?
    var lines = MapLines()
    swap(&lines, &self.lines)
    defer { swap(&lines, &self.lines) }
    let number = lines.number
    var passed = 0
    do throws(MapFault) {
      try lines.take(bytes) { (kind, line) throws(MapFault) in
        passed += 1
        if failure != nil { return }
        switch kind {
        case .header:
          guard let header = HeaderLine(line) else {
            throw MapFault(
              line: number + passed,
              what: "this is no header of a map that geomapper has written")
          }
          if !header.states.isEmpty { failure = .ofStates }
          if header.isPartial { failure = .partial }
        case .footer: break
        case .feature: take(try node(line, number: number + passed))
        }
      }
    } catch {
      throw .fault(error)
    }
    if let failure { throw failure }
  }

  private mutating func node(_ line: [UInt8], number: Int) throws(MapFault) -> Node {
    guard let feature = FeatureLine(line, readsPositions: false) else {
      throw MapFault(line: number, what: FeatureLine.noFeature(line, number: number))
    }
    if let contradiction = feature.contradiction {
      throw MapFault(line: number, path: feature.path, what: contradiction)
    }
    let names = feature.path.split(
      separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    guard names.allSatisfy({ EntryName.isValid($0) }), names.count > 1 || feature.isFolder else {
      throw MapFault(line: number, path: feature.path, what: FeatureLine.noName)
    }
    if let last,
      !MapOrder.precedes(
        last.path, isFolder: last.isFolder, feature.path, isFolder: feature.isFolder)
    {
      throw MapFault(
        line: number, path: feature.path, what: "the node stands behind one that comes after it")
    }
    last = (feature.path, feature.isFolder)
    var facts = feature.facts
    if feature.isFolder {
      facts.kind = .directory
      facts.size = feature.size ?? -1
    }
    return Node(
      path: feature.path, isFolder: feature.isFolder, facts: facts, isLoop: feature.isLoop)
  }

  /// Says that there are no more bytes.
  package func finish() throws(Failure) {
    do throws(MapFault) {
      try lines.finish()
    } catch {
      throw .fault(error)
    }
  }
}
