import GeoCore
import GeoTree
import GeoSystem

/// What paths mean that are given as arguments: `LABEL/…` or `map:LABEL/…` as on the map, or paths on the
/// disk below those of its roots that are there.
struct MapPaths {
  private let labels: [[UInt8]]
  /// Each root's path from `/` on; nil if it is on no disk.
  private let bases: [[UInt8]?]
  /// Whether nothing on disk is looked at.
  private let isLexical: Bool
  /// What to do about a path that is below no root.
  private let advice: String

  private static let prefix = Array("map:".utf8)

  /// Paths below some roots.
  ///
  /// - Parameter advice: What to do about a path that is below none of them.
  init(
    _ roots: [ScanRoot], isLexical: Bool = false,
    advice: String = "give the root that holds it with --root"
  ) throws(Failure) {
    labels = roots.map(\.label)
    self.isLexical = isLexical
    self.advice = advice
    var bases: [[UInt8]?] = []
    for root in roots {
      if root.source is DiskSource {
        bases.append(
          isLexical ? try Self.absolute(root.directory) : try Self.realPath(root.directory))
      } else {
        bases.append(nil)
      }
    }
    self.bases = bases
  }

  /// Where the first root is, for messages.
  var firstPlace: [UInt8]? { bases.first ?? nil }

  // MARK: On the map

  /// The path on the map of a path on disk, or of the map.
  ///
  /// What is there on the disk below a root wins, unless `map:` stands before it. Links on the way are
  /// followed, as the system does; one at the end is not, for on a map it is a file.
  ///
  /// - Throws: Why there is none.
  func path(of argument: [UInt8]) throws(Failure) -> [UInt8] {
    if argument.isEmpty { throw .usage("an empty path is none") }
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

  /// A path of the map that nothing else can be meant by; what stands after `map:` if that is there.
  static func ofMap(_ argument: [UInt8], labels: [[UInt8]]) -> [UInt8] {
    let label = argument.firstComponent
    let isPlain = labels.contains { $0.elementsEqual(label) } || !argument.starts(with: prefix)
    return isPlain ? argument : Array(argument.dropFirst(prefix.count))
  }

  /// The argument as a path of the map; nil if its first name is no label.
  private func labelled(_ argument: [UInt8]) -> [UInt8]? {
    let label = argument.firstComponent
    guard labels.contains(where: { $0.elementsEqual(label) }) else { return nil }
    return Array(argument.prefix((argument.lastIndex { $0 != .slash } ?? -1) + 1))
  }

  /// What a relative path might be on the map if its first name is not a label: it below each root.
  func guesses(for argument: [UInt8]) -> [[UInt8]] {
    var names = argument.split(separator: .slash).map { Array($0) }
    while names.first == [UInt8(ascii: ".")] { names.removeFirst() }
    if argument.first == .slash || names.isEmpty || argument.starts(with: Self.prefix) { return [] }
    return labels.map { label in names.reduce(label) { $0.appending(component: $1) } }
  }

  private func unknown(_ path: [UInt8]) -> Failure {
    let known = labels.map { "'\(TerminalText.escaped($0))'" }.joined(separator: ", ")
    return .usage(
      "'\(TerminalText.escaped(path))' is not on the map, whose paths begin with \(known)")
  }

  // MARK: On the disk

  private func onDisk(_ path: [UInt8]) throws(Failure) -> [UInt8] {
    let place = isLexical ? try Self.absolute(path) : try Self.located(path)
    var best: (root: Int, length: Int)?
    for case (let index, let base?) in bases.enumerated() where Self.holds(base, place) {
      if best.map({ base.count > $0.length }) ?? true { best = (index, base.count) }
    }
    guard let best else {
      let roots = bases.compactMap { $0 }.map { TerminalText.escaped($0) }.joined(separator: ", ")
      throw .usage("'\(TerminalText.escaped(path))' is not below \(roots); \(advice)")
    }
    let rest = place.dropFirst(best.length).drop { $0 == .slash }
    return labels[best.root] + (rest.isEmpty ? [] : [.slash] + rest)
  }

  /// The path from `/` on, without links but for the last name.
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
    do throws(Errno) {
      return try ThisProcess.realPath(path)
    } catch {
      throw .usage("can't find '\(TerminalText.escaped(path))': \(error)")
    }
  }

  /// A path from `/` on, by its text alone: `.` is dropped, `..` takes the name before it away.
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
