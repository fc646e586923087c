import GeoCore
import GeoSystem

/// The port that belongs to a set of folders, so that their addresses and what a browser keeps for
/// them last.
enum ServedPort {
  /// The ports that no service has (RFC 6335).
  static let dynamic = 49_152...65_535

  /// Returns the port of the folders, files or revisions that are served.
  ///
  /// It depends on their real paths alone: not on labels, on their order, or on the current folder.
  static func of(_ low: LowArguments) -> UInt16 { port(of: names(low)) }

  /// Returns the port of some names, in any order.
  static func port(of names: [[UInt8]]) -> UInt16 {
    let sorted = Set(names).sorted { $0.lexicographicallyPrecedes($1) }
    let digest = SHA256.digest(Array(sorted.joined(separator: [0])))
    let number = digest.prefix(4).reduce(0) { $0 << 8 | Int($1) }
    return UInt16(dynamic.lowerBound + number % dynamic.count)
  }

  private static func names(_ low: LowArguments) -> [[UInt8]] {
    let repository = low.gitRepository.map { [realPath($0)] } ?? []
    let directories = low.operands.map { operand in
      (try? RootArgument(parsing: operand))?.directory ?? operand
    }
    // Revisions are kept as typed.
    if !repository.isEmpty { return repository + directories }
    if !directories.isEmpty { return directories.map(realPath) }
    if let file = low.list.file ?? low.serve.recording { return [realPath(file)] }
    return [realPath([UInt8(ascii: ".")])]
  }

  /// The real path, or the given one if the file is missing.
  private static func realPath(_ path: [UInt8]) -> [UInt8] {
    (try? ThisProcess.realPath(path)) ?? path
  }
}
