import GeoCore
import GeoFormats
import GeoPipeline
import GeoProjection
import GeoSources
import GeoSystem
import GeoTree
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

  /// The output of the command.
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

  /// One line: what is correct, and what was not checked.
  private var summary: String {
    let folders = Quantity.count(checked.reduce(0) { $0 + $1.counts.folders }, "folder")
    let files = Quantity.count(checked.reduce(0) { $0 + $1.counts.files }, "file")
    let right = checked.isEmpty ? "nothing" : "\(folders) and \(files)"
    return "found right: \(right); not checked: \(unchecked.joined(separator: ", "))\n"
  }

  /// The parts that were not checked, in words.
  private var unchecked: [String] {
    var words: [String] = []
    if let fault { words.append("the rest of \(fault.subject)") }
    let places = checked.reduce(0) { $0 + $1.counts.nodes - $1.counts.places }
    if places > 0 { words.append(Quantity.count(places, "place")) }
    let zooms = checked.reduce(0) { $0 + $1.counts.unknownZooms }
    if zooms > 0 { words.append(Quantity.count(zooms, "minzoom")) }
    if checked.contains(where: { $0.counts.hasExclusions }) {
      words.append("the number of entries left out")
    }
    return words + ["sizes and times, which only the disk knows"]
  }

  private var json: [UInt8] {
    var json = JSONBuilder()
    json.object { json in
      json.member("right", fault == nil)
      json.key("checked")
      json.array { json in
        for (subject, counts, threads) in checked {
          json.object { Self.put(subject, counts, threads, to: &$0) }
        }
      }
      if let fault {
        json.key("fault")
        json.object { Self.put(fault.fault, in: fault.subject, to: &$0) }
      }
      json.member("unchecked", each: unchecked) { word, json in json.value(text: Array(word.utf8)) }
    }
    return json.bytes + [UInt8(ascii: "\n")]
  }

  private static func put(
    _ subject: String, _ counts: VerifiedCounts, _ threads: [Int]?, to json: inout JSONBuilder
  ) {
    json.member("subject", text: Array(subject.utf8))
    for (name, number) in [
      ("folders", counts.folders), ("files", counts.files), ("places", counts.places),
      ("openPlaces", counts.openPlaces), ("containments", counts.containments),
      ("separations", counts.separations), ("shuffles", counts.shuffles),
      ("unknownZooms", counts.unknownZooms), ("incompleteFolders", counts.incompleteFolders),
    ] {
      json.member(name, Int64(number))
    }
    json.member("partial", counts.isPartial)
    guard let threads else { return }
    json.member("threads", each: threads) { number, json in json.value(Int64(number)) }
  }

  private static func put(_ fault: MapFault, in subject: String, to json: inout JSONBuilder) {
    json.member("subject", text: Array(subject.utf8))
    if fault.line > 0 { json.member("line", Int64(fault.line)) }
    if let path = fault.path { json.member("path", text: path, raw: "rawPath") }
    json.member("what", text: Array(fault.what.utf8))
    if let expected = fault.expected { json.member("expected", text: expected) }
    if let found = fault.found { json.member("found", text: found) }
  }
}

/// The text that `geomapper verify` prints.
enum VerifyText {
  /// The checks of a subject, with their numbers.
  ///
  /// - Parameters:
  ///   - subject: A file or a layout.
  ///   - threads: The numbers of threads of the runs; nil for a file.
  static func report(_ subject: String, _ counts: VerifiedCounts, threads: [Int]?) -> String {
    let folders = Quantity.count(counts.folders, "folder")
    let files = Quantity.count(counts.files, "file")
    var lines = ["\(subject): \(folders) and \(files) are as they have to be"]
    lines.append("\(Quantity.count(counts.places, "place")) from names alone, to the last digit")
    lines.append(
      "\(Quantity.count(counts.containments, "node")) strictly inside the land that holds them")
    if counts.separations > 0 {
      lines.append("\(Quantity.count(counts.separations, "pair")) of neighbours apart")
    }
    if let threads {
      lines.append(
        "\(Quantity.count(counts.shuffles, "listing")) in shuffled order, the same places")
      let numbers = threads.dropLast().map { "\($0)" }.joined(separator: ", ")
      lines.append("the same bytes with \(numbers) and \(threads[threads.count - 1]) threads")
    }
    lines += unchecked(counts)
    return lines.joined(separator: "\n  ") + "\n"
  }

  /// The parts that could not be checked.
  private static func unchecked(_ counts: VerifiedCounts) -> [String] {
    var lines: [String] = []
    if counts.isPartial {
      lines.append(
        "part of a map: \(Quantity.count(counts.incompleteFolders, "folder")) with entries that are "
          + "not in it")
    }
    let unplaced = counts.nodes - counts.places - counts.openPlaces
    if unplaced > 0 {
      lines.append(
        "not checked: \(Quantity.count(unplaced, "place")), which need names that are not in it")
    }
    if counts.openPlaces > 0 {
      let places = Quantity.count(counts.openPlaces, "place")
      lines.append(
        "not confirmed: \(places) of files, each of them one of two, by folders that may not be in it"
      )
    }
    if counts.unknownZooms > 0 {
      lines.append(
        "not checked: \(Quantity.count(counts.unknownZooms, "minzoom")), which need the number of "
          + "entries that are not in it")
    }
    if counts.hasExclusions {
      lines.append("not checked: how many entries were left out")
    }
    return lines
  }

  /// A counterexample in full.
  static func fault(_ fault: MapFault, in subject: String) -> String {
    var place = subject
    if fault.line > 0 { place += ", line \(fault.line)" }
    if let path = fault.path { place += ", \(TerminalText.escaped(path))" }
    var text = "\(place): \(fault.what)\n"
    if let expected = fault.expected { text += "  must be \(shown(expected))\n" }
    if let found = fault.found { text += "  is      \(shown(found))\n" }
    return text
  }

  private static func shown(_ bytes: [UInt8]) -> String {
    TerminalText.escaped(bytes.last == UInt8(ascii: "\n") ? Array(bytes.dropLast()) : bytes)
  }
}
