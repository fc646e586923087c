import GeoAtlas
import GeoPath
import GeoPipeline
import GeoProjection
import GeoScan
import GeoSystem

/// The map that questions are asked of: its roots, and where they are on disk.
struct AtlasPlan {
  let world: World
  /// Whether nothing on disk is looked at.
  let isLexical: Bool
  /// Each root's path from `/` on, in the order of the world's roots.
  private let bases: [[UInt8]]

  private static let slash = UInt8(ascii: "/")
  /// How many bytes of listings are kept between questions.
  private static let cacheLimit = 256 << 20

  /// - Parameter readsNothing: Whether the command can do without the disk where the layout allows.
  init(_ low: LowArguments, readsNothing: Bool = false) throws(Failure) {
    let layout = low.layout ?? .settled
    isLexical = readsNothing && layout == .pinned
    let roots =
      isLexical ? try Self.lexicalRoots(low.atlas.roots) : try MapPlan.roots(low.atlas.roots)
    let selection = try MapPlan.selection(low)
    do throws(MapError) {
      world = try World(
        roots: roots, layout: layout, selection: selection, cacheLimit: Self.cacheLimit,
        readsDisk: !isLexical)
    } catch {
      throw Failure(error)
    }
    var bases: [[UInt8]] = []
    for root in world.roots {
      bases.append(
        isLexical ? try Self.absolute(root.directory) : try Self.realPath(root.directory))
    }
    self.bases = bases
    if low.atlas.roots.isEmpty, !low.isQuiet, let root = world.roots.first {
      Messages.note(
        "the root is '\(TerminalText.escaped(root.label))', \(TerminalText.escaped(bases[0])); "
          + "--root [LABEL=]DIR takes another")
    }
  }

  private static func lexicalRoots(_ operands: [[UInt8]]) throws(Failure) -> [ScanRoot] {
    var roots: [ScanRoot] = []
    for operand in operands.isEmpty ? [[UInt8(ascii: ".")]] : operands {
      do throws(RootError) {
        let argument = try RootArgument(parsing: operand)
        var label = argument.impliedLabel
        if label == nil {
          label = RootArgument.label(ofRealPath: try Self.wrapping(argument.directory))
        }
        roots.append(ScanRoot(label: label ?? [], directory: argument.directory))
      } catch {
        throw .usage(error.description)
      }
    }
    return roots
  }

  private static func wrapping(_ path: [UInt8]) throws(RootError) -> [UInt8] {
    do throws(Failure) {
      return try absolute(path)
    } catch {
      throw .noDirectory(label: nil)
    }
  }

  private static func realPath(_ path: [UInt8]) throws(Failure) -> [UInt8] {
    do throws(Errno) {
      return try ThisProcess.realPath(path)
    } catch {
      throw .usage("can't find '\(TerminalText.escaped(path))': \(error)")
    }
  }

  /// A path from `/` on, by its text alone: `.` is dropped, `..` takes the name before it away.
  private static func absolute(_ path: [UInt8]) throws(Failure) -> [UInt8] {
    var whole = path
    if path.first != slash { whole = try realPath([UInt8(ascii: ".")]) + [slash] + path }
    var names: [ArraySlice<UInt8>] = []
    for name in whole.split(separator: slash) {
      if name.elementsEqual(".".utf8) { continue }
      if name.elementsEqual("..".utf8) {
        _ = names.popLast()
      } else {
        names.append(name)
      }
    }
    return [slash] + Array(names.joined(separator: [slash]))
  }

  /// The path on the map of a path on disk, or of the map.
  ///
  /// What is there on the disk below a root wins, unless `map:` stands before it. The last name is not
  /// followed if it is a symbolic link: it is a file of the map.
  ///
  /// - Throws: Why there is none; the wording follows a path.
  func mapPath(of path: [UInt8]) throws(Failure) -> [UInt8] {
    if path.isEmpty { throw .usage("an empty path is none") }
    let labels = world.roots.map(\.label)
    if let named = try MapPath.explicit(path, labels: labels) { return named }
    guard let named = MapPath.labelled(path, labels: labels) else { return try onDisk(path) }
    if (try? FileSystem.rootFacts(path)) != nil, let place = try? onDisk(path) { return place }
    return named
  }

  private func onDisk(_ path: [UInt8]) throws(Failure) -> [UInt8] {
    let place = isLexical ? try Self.absolute(path) : try located(path)
    var best: (root: Int, length: Int)?
    for (index, base) in bases.enumerated() where Self.holds(base, place) {
      if best.map({ base.count > $0.length }) ?? true { best = (index, base.count) }
    }
    guard let best else {
      let roots = bases.map { TerminalText.escaped($0) }.joined(separator: ", ")
      throw .usage(
        "'\(TerminalText.escaped(path))' is not below \(roots); give the root that holds it with "
          + "--root")
    }
    let rest = place.dropFirst(best.length).drop { $0 == Self.slash }
    return world.roots[best.root].label + (rest.isEmpty ? [] : [Self.slash] + rest)
  }

  private func located(_ path: [UInt8]) throws(Failure) -> [UInt8] {
    let trimmed = path.prefix(
      (path.lastIndex { $0 != Self.slash }).map { $0 + 1 } ?? path.startIndex)
    let name = trimmed.suffix(
      from: trimmed.lastIndex(of: Self.slash).map { $0 + 1 } ?? trimmed.startIndex)
    let hasName =
      trimmed.count == path.count && !name.isEmpty && !name.elementsEqual(".".utf8)
      && !name.elementsEqual("..".utf8)
    guard hasName else { return try Self.realPath(path) }
    let parent = trimmed[..<name.startIndex]
    let folder = try Self.realPath(parent.isEmpty ? [UInt8(ascii: ".")] : Array(parent))
    return (folder == [Self.slash] ? folder : folder + [Self.slash]) + name
  }

  private static func holds(_ base: [UInt8], _ path: [UInt8]) -> Bool {
    path.starts(with: base)
      && (path.count == base.count || base.last == slash || path[base.count] == slash)
  }
}
