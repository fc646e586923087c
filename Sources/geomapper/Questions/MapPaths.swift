import GeoCore
import GeoSystem
import GeoTree

/// Converts arguments to paths of the map: `LABEL/…` and `map:LABEL/…`, or paths on disk below a
/// root.
struct MapPaths {
  private let labels: [[UInt8]]
  /// Each root's absolute path; nil if it is not on a disk.
  private let bases: [[UInt8]?]
  private let isLexical: Bool
  /// Whether links below a root are folders of the map.
  private let followsLinks: Bool
  private let advice: String

  private static let prefix = Array("map:".utf8)

  init(
    _ roots: [ScanRoot], isLexical: Bool = false, followsLinks: Bool = false,
    advice: String = "give the root that holds it with --root"
  ) throws(Failure) {
    labels = roots.map(\.label)
    self.isLexical = isLexical
    self.followsLinks = followsLinks
    self.advice = advice
    var bases: [[UInt8]?] = []
    for root in roots {
      if root.source.isLive {
        bases.append(
          isLexical ? try Self.absolute(root.directory) : try Self.realPath(root.directory))
      } else {
        bases.append(nil)
      }
    }
    self.bases = bases
  }

  var firstPlace: [UInt8]? { bases.first ?? nil }

  // MARK: On the map

  /// Converts a path on disk, or of the map, to a path of the map.
  ///
  /// A path that exists on disk below a root wins, unless it begins with `map:`. Links on the way
  /// are followed, as the system does. A link at the end is not, because it is a file on the map.
  func path(of argument: [UInt8]) throws(Failure) -> [UInt8] {
    if argument.isEmpty { throw .usage("the path is empty") }
    if argument.starts(with: Self.prefix) {
      let path = Array(argument.dropFirst(Self.prefix.count))
      guard let named = labelled(path) else { throw unknown(path) }
      return named
    }
    let hasDisk = bases.contains { $0 != nil }
    if let named = labelled(argument) {
      let isThere = hasDisk && (try? FileSystem.rootFacts(argument)) != nil
      return isThere ? (try? onDisk(argument)) ?? named : named
    }
    if !hasDisk { throw unknown(argument) }
    return try onDisk(argument)
  }

  /// Removes `map:` from a path of the map, unless its first component is a label.
  static func ofMap(_ argument: [UInt8], labels: [[UInt8]]) -> [UInt8] {
    let label = argument.firstComponent
    let isPlain = labels.contains { $0.elementsEqual(label) } || !argument.starts(with: prefix)
    return isPlain ? argument : Array(argument.dropFirst(prefix.count))
  }

  /// The argument as a path of the map; nil if its first component is not a label.
  private func labelled(_ argument: [UInt8]) -> [UInt8]? {
    let label = argument.firstComponent
    guard labels.contains(where: { $0.elementsEqual(label) }) else { return nil }
    return Array(argument.prefix((argument.lastIndex { $0 != .slash } ?? -1) + 1))
  }

  /// The paths of the map that a relative path without a label may mean: one below each root.
  func guesses(for argument: [UInt8]) -> [[UInt8]] {
    var names = argument.split(separator: .slash).map { Array($0) }
    while names.first == [UInt8(ascii: ".")] { names.removeFirst() }
    if argument.first == .slash || names.isEmpty || argument.starts(with: Self.prefix) { return [] }
    return labels.map { label in names.reduce(label) { $0.appending(component: $1) } }
  }

  private func unknown(_ path: [UInt8]) -> Failure {
    let known = labels.map(\.quoted).joined(separator: ", ")
    return .wrong(path, "is not on the map, whose paths begin with \(known)")
  }

  // MARK: On the disk

  private func onDisk(_ path: [UInt8]) throws(Failure) -> [UInt8] {
    if followsLinks, let path = try throughLinks(path) { return path }
    let place = isLexical ? try Self.absolute(path) : try Self.located(path)
    var best: (root: Int, length: Int)?
    for case (let index, let base?) in bases.enumerated() where Self.holds(base, place) {
      if best.map({ base.count > $0.length }) ?? true { best = (index, base.count) }
    }
    guard let best else {
      let roots = bases.compactMap { $0 }.map(\.shown).joined(separator: ", ")
      throw .wrong(path, "is not below \(roots); \(advice)")
    }
    let rest = place.dropFirst(best.length).drop { $0 == .slash }
    return labels[best.root] + (rest.isEmpty ? [] : [.slash] + rest)
  }

  /// The path of the map through the last root on the way; nil if no root is on it.
  private func throughLinks(_ path: [UInt8]) throws(Failure) -> [UInt8]? {
    let names = try Self.absolute(path).split(separator: .slash)
    for count in (0...names.count).reversed() {
      let folder = [.slash] + Array(names[..<count].joined(separator: [.slash]))
      guard let place = try? Self.realPath(folder), let root = bases.firstIndex(of: place) else {
        continue
      }
      return names[count...].reduce(labels[root]) { $0.appending(component: Array($1)) }
    }
    return nil
  }

  /// The absolute path, with links resolved except for the last component.
  private static func located(_ path: [UInt8]) throws(Failure) -> [UInt8] {
    let trimmed = path.prefix((path.lastIndex { $0 != .slash }).map { $0 + 1 } ?? path.startIndex)
    let name = trimmed.lastComponent
    let hasName =
      trimmed.count == path.count && !name.isEmpty && !name.elementsEqual(".".utf8)
      && !name.elementsEqual("..".utf8)
    guard hasName else { return try realPath(path) }
    let parent = trimmed[..<name.startIndex]
    let folder = try realPath(parent.isEmpty ? [UInt8(ascii: ".")] : Array(parent))
    return (folder == [.slash] ? folder : folder + [.slash]) + name
  }

  private static func realPath(_ path: [UInt8]) throws(Failure) -> [UInt8] {
    try explaining("can't find \(path.quoted)") { try ThisProcess.realPath(path) }
  }

  /// The absolute path by its text alone: removes `.`, and `..` with the component before it.
  static func absolute(_ path: [UInt8]) throws(Failure) -> [UInt8] {
    var whole = path
    if path.first != .slash { whole = try realPath([UInt8(ascii: ".")]) + [.slash] + path }
    var names: [ArraySlice<UInt8>] = []
    for name in whole.split(separator: .slash) {
      if name.elementsEqual(".".utf8) { continue }
      if name.elementsEqual("..".utf8) {
        _ = names.popLast()
      } else {
        names.append(name)
      }
    }
    return [.slash] + Array(names.joined(separator: [.slash]))
  }

  private static func holds(_ base: [UInt8], _ path: [UInt8]) -> Bool {
    base == [.slash] || path.isPath(atOrBelow: base)
  }
}
