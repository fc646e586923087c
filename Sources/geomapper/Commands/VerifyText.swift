import GeoCore
import GeoVerify

enum VerifyText {
  static func report(_ subject: String, _ counts: VerifiedCounts, threads: [Int]?) -> String {
    let folders = Quantity.count(counts.folders, "folder")
    let files = Quantity.count(counts.files, "file")
    let verdict =
      counts.unplaced == 0
      ? "are as they have to be" : "were checked as far as the map has what decides their places"
    var lines = [
      "\(subject): \(folders) and \(files) \(verdict)",
      "\(Quantity.count(counts.places, "place")) from names alone, to the last digit",
      "\(Quantity.count(counts.containments, "node")) strictly inside the land that holds them",
    ]
    lines += counted([
      (counts.separations, "", "pair", " of neighbours apart"),
      (counts.layerSums, "", "value", " of layers at folders, from those of the files"),
    ])
    if let threads {
      lines.append(
        "\(Quantity.count(counts.shuffles, "listing")) in shuffled order, the same places")
      let numbers = threads.dropLast().map { "\($0)" }.joined(separator: ", ")
      lines.append("the same bytes with \(numbers) and \(threads[threads.count - 1]) threads")
    }
    return (lines + unchecked(counts)).joined(separator: "\n  ") + "\n"
  }

  /// Lines with the numbers that are not 0.
  private static func counted(
    _ lines: [(number: Int, start: String, thing: String, end: String)]
  ) -> [String] {
    lines.filter { $0.number > 0 }.map { $0.start + Quantity.count($0.number, $0.thing) + $0.end }
  }

  private static func unchecked(_ counts: VerifiedCounts) -> [String] {
    let folders = Quantity.count(counts.incompleteFolders, "folder")
    let part = "part of a map: \(folders) with entries that are not in it"
    return (counts.isPartial ? [part] : [])
      + counted([
        (counts.unplaced, "not checked: ", "place", ", which need names that are not in it"),
        (
          counts.openPlaces, "not confirmed: ", "place",
          " of files, each of them one of two, by folders that may not be in it"
        ),
        (
          counts.unknownZooms, "not checked: ", "minzoom",
          ", which need the number of entries that are not in it"
        ),
        (
          counts.ownLayerValues, "not checked: ", "value",
          " of layers at folders that differ from those of the files, as a folder's own can"
        ),
        (
          counts.uncheckedLayerValues, "not checked: ", "value",
          " of layers at folders, which need files or sizes that are not in it"
        ),
      ])
      + (counts.hasExclusions ? ["not checked: how many entries were left out"] : [])
  }

  static func fault(_ fault: MapFault, in subject: String) -> String {
    var place = subject
    if fault.line > 0 { place += ", line \(fault.line)" }
    if let path = fault.rawPath { place += ", \(path.shown)" }
    var text = "\(place): \(fault.what)\n"
    if let expected = fault.expected { text += "  must be \(shown(expected))\n" }
    if let found = fault.found { text += "  is      \(shown(found))\n" }
    return text
  }

  private static func shown(_ bytes: [UInt8]) -> String {
    TerminalText.escaped(bytes.last == UInt8(ascii: "\n") ? Array(bytes.dropLast()) : bytes)
  }
}
