import GeoPath
import GeoScan
import GeoSystem

/// A folder on disk, or of the map, as a place on a map: a root's label, then names.
struct PathInWorld {
  /// The label and the names, joined by `/`.
  let path: [UInt8]

  private static let slash = UInt8(ascii: "/")

  /// Finds the root that a folder is in; of several, the nearest.
  ///
  /// Links on the way are followed, as the system does; one at the end is not, for on a map it is no
  /// folder.
  init(_ folder: [UInt8], _ roots: [ScanRoot]) throws(Failure) {
    let labels = roots.map(\.label)
    if let named = try MapPath.explicit(folder, labels: labels) {
      path = named
      return
    }
    if let named = MapPath.labelled(folder, labels: labels) {
      path = (try? Self(onDisk: folder, roots))?.path ?? named
    } else {
      self = try Self(onDisk: folder, roots)
    }
  }

  private init(onDisk folder: [UInt8], _ roots: [ScanRoot]) throws(Failure) {
    let real = try Self.realPath(folder)
    var nearest: (label: [UInt8], rest: ArraySlice<UInt8>)?
    for root in roots {
      let directory: [UInt8]
      do throws(Errno) {
        directory = try ThisProcess.realPath(root.directory)
      } catch {
        throw .usage("can't map '\(TerminalText.escaped(root.directory))': \(error)")
      }
      let above = directory == [Self.slash] ? [] : directory
      guard real.starts(with: above) else { continue }
      let rest = real[above.count...]
      if !rest.isEmpty, rest.first != Self.slash { continue }
      if let nearest, nearest.rest.count <= rest.count { continue }
      nearest = (root.label, rest == [Self.slash] ? [] : rest)
    }
    guard let nearest else {
      let shown = TerminalText.escaped(folder)
      let shownRoots = roots.map { "'\(TerminalText.escaped($0.directory))'" }.joined(
        separator: ", ")
      throw .usage("'\(shown)' is not in \(shownRoots); say with --root which folder is mapped")
    }
    path = nearest.label + nearest.rest
  }

  private static func realPath(_ folder: [UInt8]) throws(Failure) -> [UInt8] {
    var trimmed = folder
    while trimmed.count > 1, trimmed.last == slash { trimmed.removeLast() }
    let start = trimmed.lastIndex(of: slash).map { $0 + 1 } ?? 0
    let name = Array(trimmed[start...])
    do throws(Errno) {
      let isName = !name.isEmpty && name != Array(".".utf8) && name != Array("..".utf8)
      if !isName { return try ThisProcess.realPath(trimmed) }
      // What is asked for has to be there, but as it is called.
      _ = try FileSystem.rootFacts(trimmed)
      let above = start == 0 ? Array(".".utf8) : Array(trimmed[..<start])
      let real = try ThisProcess.realPath(above)
      return (real == [slash] ? [] : real) + [slash] + name
    } catch {
      throw .usage("can't find '\(TerminalText.escaped(folder))': \(error)")
    }
  }
}
