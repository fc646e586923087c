import GeoEmit
import GeoPath
import GeoProjection

extension MapHeader {
  /// Reads a header loosely; it has to be written anew and compared.
  ///
  /// The labels are those of the text, with U+FFFD in place of what was no UTF-8.
  init?(reading line: [UInt8]) {
    var scanner = ByteScanner(line)
    guard scanner.skip(through: "\"layout\":\""), let word = scanner.string(),
      let layout = Layout(rawValue: String(decoding: word, as: UTF8.self)),
      scanner.skip(through: "\"roots\":[")
    else { return nil }
    var labels: [[UInt8]] = []
    while scanner.take("\"") {
      guard let label = scanner.string() else { return nil }
      labels.append(label)
      if !scanner.take(",") { break }
    }
    guard scanner.take("]") else { return nil }
    self.init(
      layout: layout, labels: labels, isPartial: scanner.isAt(",\"partial\":true"))
  }
}

extension ExclusionCounts {
  /// Reads the counts of a map's last line loosely; they have to be written anew and compared.
  init(reading line: [UInt8]) {
    self.init()
    for reason in ExclusionReason.allCases {
      var scanner = ByteScanner(line)
      guard scanner.skip(through: "\"excluded\":{"), scanner.skip(through: Self.member(reason)),
        let count = scanner.number().flatMap({ Int(exactly: $0) }), count >= 0
      else { continue }
      add(count, for: reason)
    }
  }

  private static func member(_ reason: ExclusionReason) -> StaticString {
    switch reason {
    case .pattern: "\"pattern\":"
    case .hidden: "\"hidden\":"
    case .gitignore: "\"gitignore\":"
    case .type: "\"type\":"
    case .name: "\"name\":"
    case .size: "\"size\":"
    case .newer: "\"newer\":"
    case .older: "\"older\":"
    }
  }
}
