import GeoFormats
import GeoCore
import GeoProjection

/// A small map with every member of every format, present and absent.
let sampleHeader = MapHeader(
  layout: .settled, labels: [Array("a \"b\"".utf8), Array("usr".utf8), [0x7A, 0xFF]],
  isPartial: false)

let sampleWorld: [SampleFolder] = [
  SampleFolder(
    path: Array("usr".utf8),
    feature: FeatureRecord(
      place: folderPlace(seed: 5_629_499_534_213_119 << 11, depth: 0),
      coordinate: Coordinate(longitude: -12_500_000, latitude: 44_250_000), entries: 412,
      modified: 1_763_640_000, isUnreadable: false),
    shape: FolderShape(
      ring: ring([(-20, 40), (-5.5, 40.25), (-5, 48), (-19.999999, 47.75)], unit: 1_000_000)),
    files: ordinaryFiles + specialFiles, fileDigits: 6, fileMinzoom: 3),
  SampleFolder(
    path: Array("usr/share".utf8),
    feature: FeatureRecord(
      place: folderPlace(seed: .max, depth: 1, digits: 7, minzoom: 1),
      coordinate: Coordinate(longitude: 0, latitude: 1), entries: 0, modified: -1,
      isUnreadable: false),
    shape: FolderShape(ring: ring([(0, -1), (0.5, 0), (0, 1), (-0.0000001, 0)], unit: 10_000_000)),
    files: awkwardFiles, fileDigits: 7, fileMinzoom: 24),
  SampleFolder(
    path: Array("usr/share/no, \"entry\"".utf8),
    feature: FeatureRecord(
      place: folderPlace(seed: 0, depth: 2, digits: 9, minzoom: 25),
      coordinate: Coordinate(longitude: 179_999_999_999, latitude: -83_123_456_789),
      entries: nil, modified: nil, isUnreadable: true),
    shape: FolderShape(ring: ring([(179, -84), (180, -83), (179, -82.25)], unit: 1_000_000_000)),
    files: [file("plain", 60), file("com,ma", 61)], fileDigits: 9, fileMinzoom: 64),
  SampleFolder(
    path: Array("usr/share/x/".utf8) + [0xE2, 0x82],
    feature: FeatureRecord(
      place: folderPlace(seed: 2048, depth: 3, digits: 13, minzoom: 40),
      coordinate: Coordinate(longitude: 1_234_567_890_123_456, latitude: 10_000_000_000_000),
      entries: 3, modified: 0, isUnreadable: true),
    shape: FolderShape(
      ring: ring([(123, 1), (124, 1), (124, 2), (123, 2)], unit: 10_000_000_000_000)),
    files: [file("valid", 70), file([0xAC, 0xFF], 71)], fileDigits: 13, fileMinzoom: 41),
  SampleFolder(
    path: Array(("usr" + String(repeating: "/d", count: 299) + "/deep\tsea").utf8),
    feature: FeatureRecord(
      place: folderPlace(seed: 4096, depth: 300, digits: 13, minzoom: 41, isLanded: false),
      coordinate: Coordinate(longitude: -1_799_999_999_999_999, latitude: -1), entries: 2,
      modified: 253_402_300_800, isUnreadable: false),
    files: [file("bottom", 80)], fileDigits: 13, fileMinzoom: 41),
]

private let ordinaryFiles = [
  file("empty", 10, EntryFacts(size: 0, modified: 0, status: .known)),
  file("huge", 11, EntryFacts(size: .max, modified: 253_402_300_799, status: .known)),
  file("year one", 12, EntryFacts(size: 1, modified: -62_135_596_800, status: .known)),
  file("before year one", 13, EntryFacts(size: 12, modified: -62_135_596_801, status: .known)),
  file("big bang", 14, EntryFacts(size: 123_456_789, modified: .min, status: .known)),
  file("leap day", 15, EntryFacts(size: 99, modified: 951_782_400, status: .known)),
  file("1969", 16, EntryFacts(size: 99_999_999, modified: -1, status: .known)),
  file("gone", 17, EntryFacts(status: .vanished)),
  file("hidden", 18, EntryFacts(status: .hidden)),
]

private let specialFiles: [SampleFile] = [
  file("link", 20, EntryFacts(size: 7, modified: 1, status: .known, kind: .symlink)),
  file("pipe", 21, EntryFacts(size: 0, modified: 1, status: .known, kind: .fifo)),
  file("socket", 22, EntryFacts(size: 0, modified: 1, status: .known, kind: .socket)),
  file("disk", 23, EntryFacts(size: 0, modified: 1, status: .known, kind: .block)),
  file("null", 24, EntryFacts(status: .unasked, kind: .character)),
  file("unasked", 25, EntryFacts(status: .unasked)),
  file("unreadable", 26, EntryFacts(size: 5, modified: 5, status: .unreadable)),
  file("unreadable link", 27, EntryFacts(status: .unreadable, kind: .symlink)),
  file("unknown", 28, EntryFacts(status: .unreadable, kind: .unknown)),
]

private let awkwardFiles: [SampleFile] = [
  file("quote\"comma,back\\slash", 30),
  file("two\nlines", 31), file("carriage\rreturn", 32), file("tab\tbell\u{7}", 33),
  file("\u{8}\u{C}\u{1}\u{1E}\u{1F}\u{7F}", 34), file("\u{80}\u{9F}\u{A0}", 35),
  file("<b>&amp;'</b>", 36), file("\u{FFFE}\u{FFFF}\u{FEFF}\u{1FFFE}", 37),
  file("\u{2028}\u{2029}\u{202E}", 38), file("Ångström 日本 🗺️", 39), file("é", 40),
  file([0xFF], 41), file(Array("long enough ".utf8) + [0xC3, 0x28, 0xE2, 0x82], 42),
  file([0xED, 0xA0, 0x80, 0xF0, 0x9F, 0x97, 0x41], 43), file("100% ~sure_-.", 44),
  file(String(repeating: "n", count: 255), 45), file("=1+1", 46), file(" ", 47),
]

private func ring(_ degrees: [(Double, Double)], unit: Double) -> [Coordinate] {
  degrees.map {
    Coordinate(
      longitude: Int64(($0.0 * unit).rounded()), latitude: Int64(($0.1 * unit).rounded()))
  }
}

private func file(
  _ name: String, _ id: UInt64,
  _ facts: EntryFacts = EntryFacts(size: 1, modified: 1, status: .known)
) -> SampleFile {
  file(Array(name.utf8), id, facts)
}

private func file(
  _ name: [UInt8], _ id: UInt64,
  _ facts: EntryFacts = EntryFacts(size: 1, modified: 1, status: .known)
) -> SampleFile {
  let coordinate = Coordinate(longitude: Int64(id) * 1_000_003, latitude: Int64(id) * -50_000)
  return SampleFile(
    name: name, facts: facts, place: FilePlace(seed: id << 11 | 5, coordinate: coordinate))
}
