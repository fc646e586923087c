import Foundation
import GeoCore
import GeoSources
import GeoSystem
import GeoTree

/// What names a file or folder of a world: a path on the map as text or bytes, or a file of this
/// machine as its `URL` or absolute path.
///
/// A path on the map is a root's label, then names, joined by `/`: `share/vim` in a world of
/// `/usr/share`. Text that begins with `/`, such as `/usr/share/vim`, is a path on this machine.
///
/// Other types of paths conform with one line:
///
/// ```swift
/// struct Place: MapPath {
///   var names: [String]
///   func bytes(in lookup: GeoLookup) -> [UInt8]? { Array(names.joined(separator: "/").utf8) }
/// }
/// ```
public protocol MapPath: Sendable {
  /// Returns the path on the map: a root's label, then names, joined by `/`. Returns nil if the
  /// value names nothing in the world.
  func bytes(in lookup: GeoLookup) -> [UInt8]?
}

extension [UInt8]: MapPath {
  /// Returns the bytes themselves.
  public func bytes(in lookup: GeoLookup) -> [UInt8]? { self }
}

extension ArraySlice<UInt8>: MapPath {
  /// Returns the bytes themselves.
  public func bytes(in lookup: GeoLookup) -> [UInt8]? { Array(self) }
}

extension String: MapPath {
  /// Returns the text as UTF-8, without slashes at its end. An absolute path is that of a file, as
  /// ``GeoLookup/path(of:)``.
  public func bytes(in lookup: GeoLookup) -> [UInt8]? {
    if utf8.first == .slash { return lookup.path(of: URL(filePath: self)) }
    var bytes = Array(utf8)
    while bytes.last == .slash { bytes.removeLast() }
    return bytes
  }
}

extension Substring: MapPath {
  /// Returns the text as UTF-8. An absolute path is that of a file, as ``GeoLookup/path(of:)``.
  public func bytes(in lookup: GeoLookup) -> [UInt8]? { String(self).bytes(in: lookup) }
}

extension URL: MapPath {
  /// Returns the path on the map of a file of this machine, as ``GeoLookup/path(of:)``.
  public func bytes(in lookup: GeoLookup) -> [UInt8]? { lookup.path(of: self) }
}

extension GeoLookup {
  /// Returns the path on the map of a file or folder of this machine; nil if it is in no root.
  ///
  /// Links within the path are followed, as the system does; a link at its end is not, because it
  /// counts as a file on the map. If several roots contain the path, the nearest is used, and of
  /// equally near ones the first. The file need not exist.
  public func path(of url: URL) -> [UInt8]? {
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
  /// The path of a file URL, as bytes.
  var pathToWrite: [UInt8] {
    get throws(GeoWritingError) {
      if isFileURL { return Array(path(percentEncoded: false).utf8) }
      throw GeoWritingError(
        kind: .badName, description: "can't write '\(absoluteString)': not a file URL")
    }
  }
}

// Paths and names as URLs and text, where lower modules take bytes.

extension URL {
  /// The path of a file URL as bytes; the text of another URL, which names no file.
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

extension TreeStats.Entry {
  /// The path as text; invalid UTF-8 becomes U+FFFD.
  public var pathText: String { String(decoding: path, as: UTF8.self) }
}

extension TreeStats.Region {
  /// The path as text; invalid UTF-8 becomes U+FFFD.
  public var pathText: String { String(decoding: path, as: UTF8.self) }
}

extension Selection {
  /// Leaves out entries that match a glob; folders with all their contents.
  ///
  /// - Parameter glob: As in `.gitignore`: without a `/` before another character it matches names
  ///   at any depth, otherwise paths below the root.
  /// - Throws: `GlobError`.
  public mutating func exclude(_ glob: String) throws(GlobError) {
    try exclude(Array(glob.utf8))
  }

  /// Keeps entries that match a glob.
  ///
  /// - Parameters:
  ///   - glob: As in `.gitignore`.
  ///   - selectively: Whether to leave out files that match no glob, if this is the first glob.
  /// - Throws: `GlobError`.
  public mutating func include(
    _ glob: String, selectively: Bool = true
  ) throws(GlobError) {
    try include(Array(glob.utf8), selectively: selectively)
  }

  /// Shows only files whose name matches this glob or another one given this way.
  ///
  /// - Parameters:
  ///   - glob: A name with `*`, `?` or `[`.
  ///   - ignoresCase: Whether ASCII letters match in both cases.
  /// - Throws: `GlobError`.
  public mutating func requireName(
    _ glob: String, ignoresCase: Bool = false
  ) throws(GlobError) {
    try requireName(Array(glob.utf8), ignoresCase: ignoresCase)
  }
}
