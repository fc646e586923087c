import GeoCore

extension Selection {
  /// Options of the command line that ask for the same: the rules in their order, then the other conditions.
  ///
  /// A name whose case is ignored is given by `iname`, which the command line has not.
  package var options: [[UInt8]] {
    var options: [[UInt8]] = requests.split(separator: 0).map { request in
      let word = request.prefix { $0 != UInt8(ascii: " ") }
      let value = request.dropFirst(word.count + 1)
      return Array("--".utf8) + Self.option(for: word)
        + (value.isEmpty ? [] : [UInt8(ascii: "=")] + value)
    }
    if let kinds {
      let letters = kinds.map(\.letter).sorted().joined(separator: ",")
      options.append(Array("--type=\(letters)".utf8))
    }
    if let newer { options.append(Array("--newer=@\(newer)".utf8)) }
    if let older { options.append(Array("--older=@\(older)".utf8)) }
    return options
  }

  private static func option(for word: ArraySlice<UInt8>) -> [UInt8] {
    if word.elementsEqual("hidden".utf8) { return Array("no-hidden".utf8) }
    if word.elementsEqual("keep".utf8) { return Array("include".utf8) }
    return Array(word)
  }
}

extension EntryKind {
  /// How `--type` has it.
  package var letter: String {
    switch self {
    case .regular: "f"
    case .directory: "d"
    case .symlink: "l"
    case .fifo: "p"
    case .socket: "s"
    case .block: "b"
    case .character: "c"
    case .unknown: "?"
    }
  }
}
