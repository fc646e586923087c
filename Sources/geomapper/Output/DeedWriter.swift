import GeoPipeline

/// Writes the deeds of a split: a line each to standard output, or a file each into a folder.
struct DeedWriter {
  private let folder: OutputFolder?

  /// Finds out where the deeds go; a folder is made now, before the tree that it may be in is read.
  init(_ output: [UInt8]) throws(Failure) {
    let isStandard = output.elementsEqual("-".utf8)
    folder =
      isStandard
      ? nil
      : try OutputFolder(
        output, option: "--output", refusal: "deeds of another split may be in it")
  }

  /// Writes all deeds, or none.
  func write(_ deeds: [Deed]) throws(Failure) {
    guard let folder else {
      return try OutputFile.write(deeds.flatMap(\.text), to: .standardOutput)
    }
    let width = "\(deeds.count - 1)".count
    let files = deeds.map { deed in
      let number = "\(deed.number)"
      return Array(
        (String(repeating: "0", count: width - number.count) + number + ".deed").utf8)
    }
    try folder.write(files, things: "deeds") { deeds[$0].text }
  }

  /// Leaves no folder behind that was made for deeds that there won't be.
  func discard() { folder?.discard() }
}
