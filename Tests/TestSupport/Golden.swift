import Foundation

/// Expected outputs, which were recorded once and checked by hand.
public enum Golden {
  /// Where a text differs from a file; nil if they are equal.
  ///
  /// With GEOMAPPER_RECORD_GOLDEN set to a folder, the text is written there instead.
  ///
  /// - Parameter folder: The folder that contains the file.
  public static func difference(
    of text: [UInt8], from name: String, in folder: URL
  ) throws -> String? {
    if let folder = ProcessInfo.processInfo.environment["GEOMAPPER_RECORD_GOLDEN"] {
      try Data(text).write(to: URL(fileURLWithPath: folder).appendingPathComponent(name))
      return nil
    }
    let golden = [UInt8](try Data(contentsOf: folder.appendingPathComponent(name)))
    guard text != golden else { return nil }
    let lines = text.split(separator: 10, omittingEmptySubsequences: false)
    let goldenLines = golden.split(separator: 10, omittingEmptySubsequences: false)
    let line = zip(lines, goldenLines).enumerated().first { $0.element.0 != $0.element.1 }
    return """
      \(name) differs in line \((line?.offset ?? min(lines.count, goldenLines.count)) + 1)
      written:  \(String(decoding: line?.element.0 ?? [], as: UTF8.self))
      expected: \(String(decoding: line?.element.1 ?? [], as: UTF8.self))
      """
  }
}
