import GeoCore

/// A path and the time of an access, from a line of a log.
package struct TimedPath: Hashable, Sendable {
  /// Unix time in milliseconds.
  package var time: Int64
  package var path: [UInt8]

  /// The meaning of a line of a log.
  package enum Line: Hashable, Sendable {
    case path(TimedPath)
    /// A valid line without a path, or of a failed call.
    case nothing
    /// Not a line of the log's format.
    case malformed
  }

  /// Parses a line `TIME PATH`. The time is in seconds since 1970, with or without decimals, or an
  /// ISO 8601 date; the path is everything after the first white space.
  package static func parse(_ line: ArraySlice<UInt8>) -> Line {
    guard let (time, rest) = takeTime(line), !rest.isEmpty else {
      return line.allSatisfy(isSpace) ? .nothing : .malformed
    }
    return .path(TimedPath(time: time, path: Array(rest)))
  }

  /// Parses a line of `strace -ttt`, with or without process numbers; the path is the first quoted
  /// argument.
  ///
  /// Failed calls, signals, exits and calls that strace has split yield ``Line/nothing``.
  package static func parse(strace line: ArraySlice<UInt8>) -> Line {
    var line = line.drop(while: isSpace)
    if line.isEmpty { return .nothing }
    if line.starts(with: "[pid".utf8) {
      guard let end = line.firstIndex(of: UInt8(ascii: "]")) else { return .malformed }
      line = line[(end + 1)...].drop(while: isSpace)
    } else if let word = line.split(separator: 0x20).first, word.allSatisfy(isDigit) {
      // "1234 1716600000.1 openat(…": a time has decimals, a process number has none.
      line = line.dropFirst(word.count).drop(while: isSpace)
    }
    guard let (time, call) = takeTime(line) else { return .malformed }
    guard let quote = call.firstIndex(of: UInt8(ascii: "\"")),
      let (path, rest) = unescaped(call[(quote + 1)...]), !path.isEmpty
    else { return .nothing }
    // "…) = -1 ENOENT (No such file or directory)"
    if firstOfResult(in: rest) == UInt8(ascii: "-") { return .nothing }
    return .path(TimedPath(time: time, path: path))
  }

  /// The first byte of a call's result, after the last ` = `.
  private static func firstOfResult(in rest: ArraySlice<UInt8>) -> UInt8? {
    let end = rest.indices.last { rest[...$0].suffix(3).elementsEqual(" = ".utf8) }
    return end.flatMap { rest[($0 + 1)...].first }
  }

  /// Decodes a C string up to its closing quote, and returns the rest; nil if it isn't closed, or
  /// is abbreviated.
  private static func unescaped(
    _ text: ArraySlice<UInt8>
  ) -> (bytes: [UInt8], rest: ArraySlice<UInt8>)? {
    var bytes: [UInt8] = []
    var rest = text
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "\"") {
        return rest.starts(with: "...".utf8) ? nil : (bytes, rest)
      }
      guard byte == UInt8(ascii: "\\"), let letter = rest.popFirst() else {
        bytes.append(byte)
        continue
      }
      switch letter {
      case UInt8(ascii: "n"): bytes.append(0x0A)
      case UInt8(ascii: "t"): bytes.append(0x09)
      case UInt8(ascii: "r"): bytes.append(0x0D)
      case UInt8(ascii: "v"): bytes.append(0x0B)
      case UInt8(ascii: "f"): bytes.append(0x0C)
      case 0x30...0x37:
        var value = UInt32(letter - 0x30)
        for _ in 0..<2 {
          guard let digit = rest.first, 0x30...0x37 ~= digit else { break }
          value = value * 8 + UInt32(digit - 0x30)
          rest = rest.dropFirst()
        }
        bytes.append(UInt8(truncatingIfNeeded: value))
      default: bytes.append(letter)
      }
    }
    return nil
  }

  /// Parses the time at the beginning of a line, and returns the rest after one white space.
  private static func takeTime(
    _ line: ArraySlice<UInt8>
  ) -> (time: Int64, rest: ArraySlice<UInt8>)? {
    let line = line.drop(while: isSpace)
    let word = line.prefix { !isSpace($0) }
    let rest = line.dropFirst(word.count)
    let path = rest.dropFirst()
    if rest.isEmpty { return nil }
    let time: Int64
    if word.contains(UInt8(ascii: "-")) {
      guard let parsed = Moment.milliseconds(parsing: Array(word)) else { return nil }
      time = parsed
    } else {
      let parts = word.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
      guard parts.count <= 2, let seconds = Int64(wholeNumber: parts[0]), seconds < 1 << 40
      else { return nil }
      let decimals = parts.count == 2 ? parts[1] : []
      guard decimals.allSatisfy(isDigit) else { return nil }
      time = (Array(decimals.prefix(3)) + [0x30, 0x30, 0x30]).prefix(3).reduce(seconds) {
        $0 * 10 + Int64($1 - 0x30)
      }
    }
    return (time, path)
  }

  private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }
  private static func isDigit(_ byte: UInt8) -> Bool { 0x30...0x39 ~= byte }
}
