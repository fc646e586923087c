import GeoSystem

/// Standard output, for short texts.
enum StandardOutput {
  /// Prints a text as it is.
  static func print(_ text: String) throws(Failure) {
    do throws(OutputError) {
      let output = try OutputFile.standard()
      try output.write(Array(text.utf8).span)
      try output.complete()
    } catch {
      if case .failed(let failure) = error { throw failure }
    }
  }
}

extension OutputFile {
  fileprivate static func standard() throws(OutputError) -> OutputFile {
    do throws(Failure) {
      return try OutputFile(opening: .standardOutput)
    } catch {
      throw .failed(error)
    }
  }
}
