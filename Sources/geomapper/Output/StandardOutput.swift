import GeoSystem

/// Standard output, for a short text: it is closed after it, to tell whether all was written.
enum StandardOutput {
  /// Prints a text as it is.
  static func print(_ text: String) throws(Failure) {
    try OutputFile.write(Array(text.utf8), to: .standardOutput)
  }
}

extension OutputFile {
  /// Writes bytes that are all there already.
  static func write(_ bytes: [UInt8], to place: OutputPlace) throws(Failure) {
    let output = try OutputFile(opening: place)
    do throws(OutputError) {
      try output.write(bytes.span)
      try output.complete()
    } catch {
      output.discard()
      if case .failed(let failure) = error { throw failure }
    }
  }
}
