import GeoCore
import GeoSystem
import GeoVerify

/// What a file is that was given in place of a folder, or of a list, as far as its first bytes tell.
enum FileKind: Sendable {
  /// A map that geomapper wrote.
  case map
  /// An export of ncdu or gdu.
  case export
  /// A recording of what happened in folders.
  case recording
  /// GPX.
  case track

  /// By how many of its first bytes a file is known.
  static let beginning = 1 << 16
  /// What stands between the words of JSON.
  static let whitespace: Set<UInt8> = [0x20, 0x09, 0x0A, 0x0D]

  /// The kind that some first bytes are of; nil if it is none of these.
  init?(_ bytes: [UInt8]) {
    if MapReader.isMap(bytes) {
      self = .map
      return
    }
    let text = bytes.filter { !Self.whitespace.contains($0) }
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

  /// The kind of a file; nil if it is none of these, no regular file, or can't be read.
  init?(at path: [UInt8]) {
    guard let facts = try? FileSystem.rootFacts(path), facts.kind == .regular,
      let file = try? ReadableFile.open(path)
    else { return nil }
    var bytes: [UInt8] = []
    try? file.read(min(Self.beginning, file.size), at: 0, into: &bytes)
    self.init(bytes)
  }

  /// What it is, and what to do with it.
  var advice: String {
    switch self {
    case .map: "a map; 'geomapper verify' checks it, and 'geomapper diff' compares it"
    case .export: "an export; give it as --files-from FILE --list-format ncdu"
    case .recording: "a recording; 'geomapper replay' plays it"
    case .track: "a track; see 'geomapper track'"
    }
  }
}
