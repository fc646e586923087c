import GeoAtlas
import GeoCore
import GeoPipeline
import GeoProjection
import GeoSystem
import GeoTree

/// The map that questions are about, and the paths on it.
struct AtlasPlan {
  let world: World
  let paths: MapPaths
  /// Whether the disk is not read.
  let isLexical: Bool

  /// Limit of the cache of listings, in bytes.
  private static let cacheLimit = 256 << 20

  /// - Parameter readsNothing: Whether the command works without the disk if the layout allows it.
  init(_ run: Run, readsNothing: Bool = false) throws(Failure) {
    let low = run.low
    let layout = low.chosenLayout
    let resolver = SourceResolver(low)
    let isLexical = readsNothing && layout == .pinned && resolver.areFolders(low.roots)
    let roots: [ScanRoot]
    let selection: Selection
    var followed: [ScanRoot]?
    if isLexical {
      (roots, selection) = (try resolver.unreadRoots(low.roots), try Selection(low))
    } else {
      let inputs = try run.inputs(low.roots, read: .anywhere)
      (roots, selection) = (inputs.roots, inputs.selection)
      if low.links.follows { followed = inputs.named }
    }
    world = try wording {
      try World(
        roots: roots, layout: layout, selection: selection, cacheLimit: Self.cacheLimit,
        readsDisk: !isLexical)
    }
    self.isLexical = isLexical
    paths = try MapPaths(
      followed ?? world.roots, isLexical: isLexical, followsLinks: followed != nil)
    if low.roots.isEmpty, let root = world.roots.first {
      run.note(
        "the root is '\(TerminalText.escaped(root.label))', "
          + "\(TerminalText.escaped(paths.firstPlace ?? root.directory)); "
          + "--root [LABEL=]DIR takes another")
    }
  }

  /// Converts a path on disk, or of the map, to a path of the map.
  ///
  /// - Throws: The reason if it has none, with the path that may have been meant.
  func path(of argument: [UInt8]) throws(Failure) -> [UInt8] {
    do throws(Failure) {
      return try paths.path(of: argument)
    } catch {
      throw pointing(error, at: argument)
    }
  }

  /// Adds the path of the map to a failure if the argument exists below a root.
  func pointing(_ failure: Failure, at argument: [UInt8]) -> Failure {
    guard failure.status == .usage, !isLexical,
      let right = paths.guesses(for: argument).first(where: { world.find($0) != nil })
    else { return failure }
    return failure.advising("on the map it is '\(TerminalText.escaped(right))'")
  }
}

/// A place as users type or paste it: `LON,LAT` in degrees, or with letters in either order, as in
/// `52.5N 13.4E`.
enum PlaceArgument {
  private enum Axis {
    case longitude, latitude
  }

  private struct Part {
    let degrees: Double
    /// The axis, if a letter names it.
    let axis: Axis?
  }

  /// Parses a place from all operands together, because a pasted one may contain a blank.
  static func point(_ operands: [[UInt8]]) throws(Failure) -> ExactPoint {
    let text = Array(operands.joined(separator: [UInt8(ascii: " ")]))
    guard let (first, second) = parts(text) else { throw refused(text) }
    let (longitude, latitude): (Double, Double)
    switch (first.axis, second.axis) {
    case (nil, nil), (.longitude?, .latitude?):
      (longitude, latitude) = (first.degrees, second.degrees)
    case (.latitude?, .longitude?): (longitude, latitude) = (second.degrees, first.degrees)
    default: throw refused(text)
    }
    guard -180...180 ~= longitude, -90...90 ~= latitude else {
      let isTurned = first.axis == nil && -180...180 ~= latitude && -90...90 ~= longitude
      throw refused(text, isTurned ? "; as LAT,LON it would be one: turn it round" : "")
    }
    return ExactPoint(longitude: longitude, latitude: latitude)
  }

  private static func refused(_ text: [UInt8], _ advice: String = "") -> Failure {
    .usage(
      "a place is LON,LAT in degrees, such as 13.4,52.5 or 52.5N,13.4E (-180 to 180, -90 to 90), "
        + "not '\(TerminalText.escaped(text))'\(advice)")
  }

  /// Two numbers with a comma or blanks between them.
  private static func parts(_ text: [UInt8]) -> (Part, Part)? {
    var words: [[UInt8]] = []
    for word in text.split(whereSeparator: { $0 == 0x20 || $0 == UInt8(ascii: ",") }) {
      // `13.4° E` is one number, too.
      if word.count == 1, letter(word[word.startIndex]) != nil, !words.isEmpty {
        words[words.count - 1] += word
      } else {
        words.append(Array(word))
      }
    }
    guard text.count(where: { $0 == UInt8(ascii: ",") }) <= 1, words.count == 2,
      let first = part(words[0]), let second = part(words[1])
    else { return nil }
    return (first, second)
  }

  private static func part(_ word: [UInt8]) -> Part? {
    var rest = word[...]
    let found = rest.last.flatMap { letter($0) }
    if found != nil { rest.removeLast() }
    let degree = Array("°".utf8)
    if rest.count > degree.count, rest.suffix(degree.count).elementsEqual(degree) {
      rest = rest.dropLast(degree.count)
    }
    guard let number = BoundingBox.degrees(rest) else { return nil }
    guard let found else { return Part(degrees: number, axis: nil) }
    // A number can't have both a sign and a letter.
    return number.sign == .minus ? nil : Part(degrees: number * found.sign, axis: found.axis)
  }

  private static func letter(_ byte: UInt8) -> (axis: Axis, sign: Double)? {
    switch byte & 0xDF {
    case UInt8(ascii: "E"): (.longitude, 1)
    case UInt8(ascii: "W"): (.longitude, -1)
    case UInt8(ascii: "N"): (.latitude, 1)
    case UInt8(ascii: "S"): (.latitude, -1)
    default: nil
    }
  }
}

/// Converts arguments to paths of the map: `LABEL/…` and `map:LABEL/…`, or paths on disk below a
/// root.
struct MapPaths {
  private let labels: [[UInt8]]
  /// Each root's absolute path; nil if it is not on a disk.
  private let bases: [[UInt8]?]
  /// Whether the disk is not read.
  private let isLexical: Bool
  /// Whether links below a root are folders of the map.
  private let followsLinks: Bool
  /// The advice for a path that is not below a root.
  private let advice: String

  private static let prefix = Array("map:".utf8)

  /// Resolves the paths of some roots.
  ///
  /// - Parameter advice: The advice for a path that is not below a root.
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

  /// The path of the first root, for messages.
  var firstPlace: [UInt8]? { bases.first ?? nil }

  // MARK: On the map

  /// Converts a path on disk, or of the map, to a path of the map.
  ///
  /// A path that exists on disk below a root wins, unless it begins with `map:`. Links on the way
  /// are followed, as the system does. A link at the end is not, because it is a file on the map.
  ///
  /// - Throws: The reason if it has none.
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
    let known = labels.map { "'\(TerminalText.escaped($0))'" }.joined(separator: ", ")
    return .usage(
      "'\(TerminalText.escaped(path))' is not on the map, whose paths begin with \(known)")
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
      let roots = bases.compactMap { $0 }.map { TerminalText.escaped($0) }.joined(separator: ", ")
      throw .usage("'\(TerminalText.escaped(path))' is not below \(roots); \(advice)")
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
    try explaining("can't find '\(TerminalText.escaped(path))'") { try ThisProcess.realPath(path) }
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
