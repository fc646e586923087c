import GeoCore
import GeoFormats
import GeoVerify

/// The results of `geomapper verify`, as text or JSON.
struct VerifyReport {
  /// The correct subjects: a file or a layout, and the numbers of threads of its runs.
  private var checked: [(subject: String, counts: VerifiedCounts, threads: [Int]?)] = []
  private var fault: (subject: String, fault: MapFault)?

  mutating func add(_ subject: String, _ counts: VerifiedCounts, threads: [Int]?) {
    checked.append((subject, counts, threads))
  }

  mutating func add(_ fault: MapFault, in subject: String) { self.fault = (subject, fault) }

  func text(as format: FileFormat, isQuiet: Bool) -> [UInt8] {
    if format == .json { return json }
    var text = ""
    if !isQuiet {
      for (subject, counts, threads) in checked {
        text += VerifyText.report(subject, counts, threads: threads)
      }
    }
    if let fault { text += VerifyText.fault(fault.fault, in: fault.subject) }
    if !isQuiet { text += summary }
    return Array(text.utf8)
  }

  private var summary: String {
    let folders = Quantity.count(sum(\.folders), "folder")
    let files = Quantity.count(sum(\.files), "file")
    let (places, nodes) = (sum(\.places), sum(\.nodes))
    let right =
      checked.isEmpty
      ? "nothing"
      : places == nodes
        ? "\(folders) and \(files)" : "\(places.grouped) of \(Quantity.count(nodes, "place"))"
    return "found right: \(right); not checked: \(unchecked.joined(separator: ", "))\n"
  }

  private func sum(_ number: (VerifiedCounts) -> Int) -> Int {
    checked.reduce(0) { $0 + number($1.counts) }
  }

  private var unchecked: [String] {
    var words: [String] = []
    if let fault { words.append("the rest of \(fault.subject)") }
    let places = sum { $0.nodes - $0.places }
    if places > 0 { words.append(Quantity.count(places, "place")) }
    let zooms = sum(\.unknownZooms)
    if zooms > 0 { words.append(Quantity.count(zooms, "minzoom")) }
    let values = sum { $0.ownLayerValues + $0.uncheckedLayerValues }
    if values > 0 { words.append("\(Quantity.count(values, "value")) of layers at folders") }
    if checked.contains(where: { $0.counts.hasExclusions }) {
      words.append("the number of entries left out")
    }
    return words + ["sizes and times, which only the disk knows"]
  }

  private var json: [UInt8] {
    return JSONBuilder.line { json in
      json.member("right", fault == nil && sum(\.unplaced) == 0)
      json.member("checked", objects: checked) { Self.put($0.0, $0.1, $0.2, to: &$1) }
      if let fault {
        json.member("fault") { Self.put(fault.fault, in: fault.subject, to: &$0) }
      }
      json.member("unchecked", words: unchecked)
    }
  }

  private static func put(
    _ subject: String, _ counts: VerifiedCounts, _ threads: [Int]?, to json: inout JSONBuilder
  ) {
    json.member("subject", word: subject)
    for (name, number) in [
      ("folders", counts.folders), ("files", counts.files), ("places", counts.places),
      ("openPlaces", counts.openPlaces), ("containments", counts.containments),
      ("separations", counts.separations), ("shuffles", counts.shuffles),
      ("unknownZooms", counts.unknownZooms), ("incompleteFolders", counts.incompleteFolders),
    ] {
      json.member(name, Int64(number))
    }
    if counts.hasLayers {
      json.member("layerSums", Int64(counts.layerSums))
      json.member("ownLayerValues", Int64(counts.ownLayerValues))
      json.member("uncheckedLayerValues", Int64(counts.uncheckedLayerValues))
    }
    json.member("partial", counts.isPartial)
    guard let threads else { return }
    json.member("threads", each: threads) { number, json in json.value(Int64(number)) }
  }

  private static func put(_ fault: MapFault, in subject: String, to json: inout JSONBuilder) {
    json.member("subject", word: subject)
    if fault.line > 0 { json.member("line", Int64(fault.line)) }
    if let path = fault.rawPath { json.member("path", text: path, raw: "rawPath") }
    json.member("what", word: fault.what)
    if let expected = fault.expected { json.member("expected", text: expected) }
    if let found = fault.found { json.member("found", text: found) }
  }
}
