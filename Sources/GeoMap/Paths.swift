import Foundation
import GeoCore
import GeoSources
import GeoSystem
import GeoTree

/// What names a file or folder of a world: a path on the map as text or bytes, or a file of this
/// machine as its `URL` or absolute path.
///
/// A path on the map is a root's label, then names, joined by `/`: `share/vim` in a world of
/// `/usr/share`. A path that begins with `/`, such as `/usr/share/vim`, is one on this machine.
///
/// Text stands for its UTF-8. A name that isn't UTF-8 is found by its bytes, as a node and a change
/// have them.
public protocol MapPath: Sendable {
  /// The path on the map, or the absolute one on this machine.
  var rawPath: [UInt8] { get }
}

extension GeoNode: MapPath {}
extension GeoChange: MapPath {}
extension GeoHistory.Life: MapPath {}
extension GeoRoute.Stop: MapPath {}
extension TreeStats.Entry: MapPath {}
extension TreeStats.Region: MapPath {}

extension [UInt8]: MapPath {
  /// The bytes themselves.
  public var rawPath: [UInt8] { self }
}

extension String: MapPath {
  /// The text as UTF-8.
  public var rawPath: [UInt8] { Array(utf8) }
}

extension URL: MapPath {
  /// The absolute path; empty if it is not a file URL.
  public var rawPath: [UInt8] {
    isFileURL ? Array(absoluteURL.path(percentEncoded: false).utf8) : []
  }
}

extension MapPath {
  /// Without slashes at its end; nil if it names nothing in the world.
  package func bytes(in lookup: GeoLookup) -> [UInt8]? {
    var path = rawPath
    if path.first == .slash {
      return lookup.path(of: URL(filePath: String(decoding: path, as: UTF8.self)))
    }
    while path.last == .slash { path.removeLast() }
    return path
  }
}

extension GeoLookup {
  /// The path on the map of a file or folder of this machine; nil if it is in no root.
  ///
  /// Links within the path are followed, as the system does; a link at its end counts as a file on
  /// the map. Of several roots that contain the path, the nearest is used, then the first. The file
  /// need not exist.
  package func path(of url: URL) -> [UInt8]? {
    guard url.isFileURL else { return nil }
    let names = Self.namedPath(url)
    var nearest: (label: [UInt8], rest: ArraySlice<String>)?
    for (label, folder) in zip(labels, folders) {
      // A root may be a link: its contents are found by their real path, too.
      for above in [Self.realPath(folder), Self.namedPath(folder)] {
        guard names.starts(with: above) else { continue }
        let rest = names[above.count...]
        if nearest.map({ rest.count < $0.rest.count }) ?? true { nearest = (label, rest) }
      }
    }
    return nearest.map { $0.label + $0.rest.flatMap { [.slash] + Array($0.utf8) } }
  }

  private static func realPath(_ url: URL) -> [String] {
    url.resolvingSymlinksInPath().standardizedFileURL.pathComponents
  }

  /// The path with all links resolved except one in its last name.
  private static func namedPath(_ url: URL) -> [String] {
    let url = url.absoluteURL
    let name = url.lastPathComponent
    if name.isEmpty || name == "/" || name == "." || name == ".." { return realPath(url) }
    return realPath(url.deletingLastPathComponent()) + [name]
  }
}

extension URL {
  var pathToWrite: [UInt8] {
    get throws(Failure) {
      if isFileURL { return Array(path(percentEncoded: false).utf8) }
      throw .usage("can't write '\(absoluteString)': not a file URL")
    }
  }
}

// Paths and names as URLs and text, where lower modules take bytes.

extension URL {
  /// The text of a URL of no file.
  package var pathBytes: [UInt8] {
    Array((isFileURL ? path(percentEncoded: false) : absoluteString).utf8)
  }
}

extension ListSource {
  /// Makes a list from a file.
  ///
  /// - Parameters:
  ///   - url: The file.
  ///   - format: Its format.
  public init(file url: URL, format: ListFormat = .lines) {
    self.init(file: url.pathBytes)
    self.format = format
  }
}

extension Selection {
  /// Leaves out entries that match a glob; folders with all their contents.
  ///
  /// - Parameter glob: As in `.gitignore`: without a `/` before another character it matches names
  ///   at any depth, otherwise paths below the root.
  /// - Throws: `GeoError`.
  public mutating func exclude(_ glob: String) throws {
    try exclude(Array(glob.utf8))
  }

  /// Keeps entries that match a glob.
  ///
  /// - Parameters:
  ///   - glob: As in `.gitignore`.
  ///   - selectively: Whether to leave out files that match no glob, if this is the first glob.
  /// - Throws: `GeoError`.
  public mutating func include(
    _ glob: String, selectively: Bool = true
  ) throws {
    try include(Array(glob.utf8), selectively: selectively)
  }

  /// Shows only files whose name matches this glob or another one given this way.
  ///
  /// - Parameters:
  ///   - glob: A name with `*`, `?` or `[`.
  ///   - ignoresCase: Whether ASCII letters match in both cases.
  /// - Throws: `GeoError`.
  public mutating func requireName(
    _ glob: String, ignoresCase: Bool = false
  ) throws {
    try requireName(Array(glob.utf8), ignoresCase: ignoresCase)
  }
}
