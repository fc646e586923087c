import GeoCore

/// Reads names, kinds, sizes and times from a map written by geomapper, and ignores its geometry.
package struct MapReader {
  package struct Node: Sendable {
    /// The root's label, then names, joined by `/`.
    package let path: [UInt8]
    package let isFolder: Bool
    /// A folder's size is its number of entries.
    package let facts: EntryFacts
    /// A link to one of its own ancestors.
    package let isLoop: Bool
  }

  private let shown: String
  private var lines = MapLines()
  private var last: (path: [UInt8], isFolder: Bool)?
  private var layers = LayerNames.any

  package init(of file: [UInt8]) { shown = TerminalText.escaped(file) }

  package static func isMap(_ beginning: [UInt8]) -> Bool {
    beginning.starts(with: "{\"type\":\"FeatureCollection\",\"geomapper\":".utf8)
  }

  package mutating func read(
    _ bytes: Span<UInt8>, _ body: (Node) -> Void
  ) throws(Failure) {
    var failure: Failure?
    do throws(MapFault) {
      var position = 0
      while let kind = try lines.next(in: bytes, from: &position) {
        if failure != nil { continue }
        switch kind {
        case .header:
          guard let header = HeaderLine(lines.line) else {
            throw MapFault(line: lines.number, what: "not the header of a geomapper map")
          }
          layers = header.layerNames
          if !header.states.isEmpty {
            failure = .usage(
              "the map '\(shown)' is of several states: give the states themselves")
          }
          if header.isPartial {
            failure = .usage(
              "the map '\(shown)' lacks a part of its tree: it was made with a filter or selection")
          }
        case .footer: break
        case .feature: body(try node(lines.line, number: lines.number))
        }
      }
    } catch {
      throw self.failure(error)
    }
    if let failure { throw failure }
  }

  private func failure(_ fault: MapFault) -> Failure {
    .damage("can't use the map '\(shown)': line \(fault.line): \(fault.what)")
  }

  private mutating func node(_ line: [UInt8], number: Int) throws(MapFault) -> Node {
    guard let feature = FeatureLine(line, readsPositions: false, layers: layers) else {
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
        line: number, path: feature.path, what: "the node comes after one that should follow it")
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

  package func finish() throws(Failure) {
    try rethrowing(lines.finish(), as: failure)
  }
}
