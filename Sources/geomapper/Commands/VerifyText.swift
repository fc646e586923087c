import GeoCore
import GeoVerify

enum VerifyText {
  static func report(_ subject: String, _ counts: VerifiedCounts, threads: [Int]?) -> String {
    let folders = Quantity.count(counts.folders, "folder")
    let files = Quantity.count(counts.files, "file")
    var lines = [
      "\(subject): \(folders) and \(files) "
        + (counts.unplaced == 0
          ? "are as they have to be"
          : "were checked as far as the map has what decides their places")
    ]
    lines.append("\(Quantity.count(counts.places, "place")) from names alone, to the last digit")
    lines.append(
      "\(Quantity.count(counts.containments, "node")) strictly inside the land that holds them")
    if counts.separations > 0 {
      lines.append("\(Quantity.count(counts.separations, "pair")) of neighbours apart")
    }
    if counts.layerSums > 0 {
      lines.append(
        "\(Quantity.count(counts.layerSums, "value")) of layers at folders, from those of the files"
      )
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

  private static func unchecked(_ counts: VerifiedCounts) -> [String] {
    var lines: [String] = []
    if counts.isPartial {
      lines.append(
        "part of a map: \(Quantity.count(counts.incompleteFolders, "folder")) with entries that are "
          + "not in it")
    }
    if counts.unplaced > 0 {
      lines.append(
        "not checked: \(Quantity.count(counts.unplaced, "place")), which need names that are not in it"
      )
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
    if counts.ownLayerValues > 0 {
      lines.append(
        "not checked: \(Quantity.count(counts.ownLayerValues, "value")) of layers at folders that "
          + "differ from those of the files, as a folder's own can")
    }
    if counts.uncheckedLayerValues > 0 {
      lines.append(
        "not checked: \(Quantity.count(counts.uncheckedLayerValues, "value")) of layers at folders, "
          + "which need files or sizes that are not in it")
    }
    if counts.hasExclusions {
      lines.append("not checked: how many entries were left out")
    }
    return lines
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
