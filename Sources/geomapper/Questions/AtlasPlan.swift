import GeoAtlas
import GeoCore
import GeoPipeline
import GeoProjection
import GeoTree
import GeoSystem

/// The map that questions are asked of, and what paths of it are called.
struct AtlasPlan {
  let world: World
  let paths: MapPaths
  /// Whether nothing on disk is looked at.
  let isLexical: Bool
  private let sources: WorldSources?

  /// How many bytes of listings are kept between questions.
  private static let cacheLimit = 256 << 20

  /// - Parameter readsNothing: Whether the command can do without the disk where the layout allows.
  init(_ low: LowArguments, readsNothing: Bool = false) throws(Failure) {
    let layout = low.layout ?? .settled
    isLexical = readsNothing && layout == .pinned && MapPlan.areFolders(low.atlas.roots, low)
    let roots: [ScanRoot]
    let selection: Selection
    if isLexical {
      sources = nil
      roots = try Self.lexicalRoots(low.atlas.roots)
      selection = try MapPlan.selection(low)
    } else {
      let sources = try WorldSources(low, low.atlas.roots)
      (roots, selection, self.sources) = (sources.roots, sources.selection, sources)
    }
    do throws(MapError) {
      world = try World(
        roots: roots, layout: layout, selection: selection, cacheLimit: Self.cacheLimit,
        readsDisk: !isLexical)
    } catch {
      throw Failure(error)
    }
    paths = try MapPaths(world.roots, isLexical: isLexical)
    if low.atlas.roots.isEmpty, !low.isQuiet, let root = world.roots.first {
      Messages.note(
        "the root is '\(TerminalText.escaped(root.label))', "
          + "\(TerminalText.escaped(paths.firstPlace ?? root.directory)); "
          + "--root [LABEL=]DIR takes another")
    }
  }

  /// The path on the map of a path on disk, or of the map.
  ///
  /// - Throws: Why there is none, and which path of the map it would be if it is below a root.
  func path(of argument: [UInt8]) throws(Failure) -> [UInt8] {
    do throws(Failure) {
      return try paths.path(of: argument)
    } catch {
      throw pointing(error, at: argument)
    }
  }

  /// Names the path of the map that a failure's argument would be below a root.
  func pointing(_ failure: Failure, at argument: [UInt8]) -> Failure {
    guard failure.status == .usage, !isLexical,
      let right = paths.guesses(for: argument).first(where: { world.find($0) != nil })
    else { return failure }
    return .usage("\(failure.message); on the map it is '\(TerminalText.escaped(right))'")
  }

  /// What a command's success comes to.
  func status(_ status: ExitStatus = .success) -> ExitStatus { sources?.status(status) ?? status }

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
      return try MapPaths.absolute(path)
    } catch {
      throw .noDirectory(label: nil)
    }
  }
}
