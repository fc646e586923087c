import GeoCore
import GeoSystem
import GeoTree

extension LowArguments {
  /// Options that are about the timer, not its command.
  private static let timerOptions: Set = [
    "every", "install", "remove", "system", "output", "store",
  ]

  /// The command line of a timer: this one, with absolute paths.
  ///
  /// A timer runs in another folder, with another environment. So the store and the command of
  /// alerts are resolved now, too.
  ///
  /// - Parameters:
  ///   - program: The absolute path of this program.
  ///   - roots: The folders to keep, with their real paths.
  func timerWords(program: [UInt8], roots: [ScanRoot]) throws(Failure) -> [[UInt8]] {
    var words = [program, Array("keep".utf8)]
    words.append(Array("--store=".utf8) + Self.absolute(try keptStore.folder))
    let options = Option.options(of: .keep)
    for typed in typed where !Self.timerOptions.contains(typed.name) {
      guard let option = options.first(where: { $0.name == typed.name }) else { continue }
      switch option.effect {
      case .rest, .help: continue
      case .flag: words.append(Array("--\(typed.name)".utf8))
      case .value:
        for value in typed.words {
          let value = try Self.lasting(value, of: option)
          words.append(Array("--\(typed.name)=".utf8) + value)
        }
      }
    }
    let operands = roots.map { root in
      root.label == RootArgument.label(ofRealPath: root.directory)
        ? root.directory : root.label + [UInt8(ascii: "=")] + root.directory
    }
    let isMarked = operands.contains { $0.first == UInt8(ascii: "-") }
    if isMarked {
      if record.command != nil {
        throw .usage("--exec can't be used in a timer with a LABEL that begins with '-'")
      }
      words.append(Array("--".utf8))
    }
    words += operands
    guard let command = record.command, let name = command.first else { return words }
    words += [Array("--exec".utf8), Self.program(name)] + command.dropFirst()
    return words
  }

  /// The value of an option, with an absolute path if it is one.
  private static func lasting(_ value: [UInt8], of option: Option) throws(Failure) -> [UInt8] {
    switch option.placeholder {
    case "FILE", "DIR":
      if value == [UInt8(ascii: "-")] {
        throw .usage("--\(option.name) - can't be used in a timer, which has no standard input")
      }
      return absolute(value)
    case "WHEN": return Moment.seconds(parsing: value) == nil ? absolute(value) : value
    default: return value
    }
  }

  /// The absolute path of a program, if it is found.
  private static func program(_ name: [UInt8]) -> [UInt8] {
    ThisProcess.path(ofProgram: name) ?? (name.contains(.slash) ? absolute(name) : name)
  }

  private static func absolute(_ path: [UInt8]) -> [UInt8] {
    ThisProcess.absolutePath(path) ?? path
  }
}
