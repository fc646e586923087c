import GeoSources
import GeoCore
import GeoTree
import GeoSystem

extension MapPlan {
  /// The list that is read in place of a disk, if one is given.
  static func list(_ low: LowArguments) throws(Failure) -> ListSource? {
    let given = low.list
    guard let file = given.file else {
      if given.format != nil { throw .usage("--list-format needs a list: --files-from LIST") }
      if given.isZeroSeparated { throw .usage("--null needs a list: --files-from LIST") }
      return nil
    }
    if file.isEmpty { throw .usage("--files-from needs the name of a list; it is empty") }
    let isStandardInput = file == [UInt8(ascii: "-")]
    var source = ListSource(file: isStandardInput ? nil : file)
    source.format = given.format ?? .lines
    if given.format == nil, !isStandardInput, let kind = FileKind(at: file) {
      throw .usage("'\(TerminalText.escaped(file))' is no list of paths, but \(kind.advice)")
    }
    source.isZeroSeparated = given.isZeroSeparated
    for rule in low.rules where isStandardInput {
      if case .excludeFrom([UInt8(ascii: "-")]) = rule {
        throw .usage("--exclude-from and --files-from can't both read standard input")
      }
    }
    return source
  }

  /// What the paths of a list begin with; the current folder if nothing is said.
  static func rootOfList(_ operands: [[UInt8]]) throws(Failure) -> ScanRoot {
    if operands.count > 1 {
      let shown = operands.map { "'\(TerminalText.escaped($0))'" }.joined(separator: " and ")
      throw .usage(
        "a list is about one folder, not \(shown): give one path that all in it begin with")
    }
    let argument: RootArgument
    do throws(RootError) {
      argument = try RootArgument(parsing: operands.first ?? [UInt8(ascii: ".")])
    } catch {
      throw .usage(error.description)
    }
    return ScanRoot(label: try labelOfList(argument), directory: argument.directory)
  }

  private static func labelOfList(_ argument: RootArgument) throws(Failure) -> [UInt8] {
    if let label = argument.impliedLabel { return label }
    do throws(Errno) {
      return RootArgument.label(ofRealPath: try ThisProcess.realPath(argument.directory))
    } catch {
      let shown = TerminalText.escaped(argument.directory)
      throw .usage("'\(shown)' gives the map no label; give one, such as NAME=\(shown)")
    }
  }
}
