import GeoSources
import GeoSystem
import GeoVerify

/// The kind of a file given in place of a folder or a list, judged by its first bytes.
enum FileKind: Sendable, Equatable {
  case map
  case export
  case recording
  case track
  /// An archive, perhaps compressed, and the command that lists it.
  case archive(lister: String)

  /// Number of first bytes that are enough to detect the kind.
  static let beginning = 1 << 16
  static let whitespace: Set<UInt8> = [0x20, 0x09, 0x0A, 0x0D]

  init?(_ bytes: [UInt8]) {
    if MapReader.isMap(bytes) {
      self = .map
      return
    }
    if let lister = Self.lister(ofArchive: bytes) {
      self = .archive(lister: lister)
      return
    }
    let text = ListFormat.text(of: bytes).filter { !Self.whitespace.contains($0) }
    if text.starts(with: "[1,".utf8) {
      self = .export
    } else if text.starts(with: "{\"metadata\":".utf8) {
      self = .recording
    } else if text.starts(with: "<".utf8), text.prefix(200).firstIndex(of: "<gpx") != nil {
      self = .track
    } else {
      return nil
    }
  }

  private static func lister(ofArchive bytes: [UInt8]) -> String? {
    let beginnings: [(bytes: [UInt8], lister: String)] = [
      ([0x50, 0x4B, 3, 4], "unzip -l"), ([0x50, 0x4B, 5, 6], "unzip -l"),
      ([0x1F, 0x8B], "tar -tvf"), (Array("BZh".utf8), "tar -tvf"),
      ([0xFD, 0x37, 0x7A, 0x58, 0x5A, 0], "tar -tvf"), ([0x28, 0xB5, 0x2F, 0xFD], "tar -tvf"),
      ([0x37, 0x7A, 0xBC, 0xAF, 0x27, 0x1C], "bsdtar -tvf"), (Array("Rar!".utf8), "bsdtar -tvf"),
    ]
    if bytes.dropFirst(257).starts(with: "ustar".utf8) { return "tar -tvf" }
    return beginnings.first { bytes.starts(with: $0.bytes) }?.lister
  }

  /// Detects the kind of a file; nil for other files, and for unreadable or special ones.
  init?(at path: [UInt8]) {
    guard let facts = try? FileSystem.rootFacts(path), facts.kind == .regular,
      let file = try? ReadableFile.open(path)
    else { return nil }
    var bytes: [UInt8] = []
    try? file.read(min(Self.beginning, file.size), at: 0, into: &bytes)
    self.init(bytes)
  }

  var advice: String {
    switch self {
    case .map: "a map; 'geomapper verify' checks it, and 'geomapper diff' compares it"
    case .export: "an export; give it as --files-from FILE --list-format ncdu"
    case .recording: "a recording; 'geomapper replay' plays it"
    case .track: "a track; see 'geomapper track'"
    case .archive(let lister):
      "an archive or compressed; of an archive give what '\(lister)' lists, as a file or as "
        + "<(\(lister) FILE)"
    }
  }
}
