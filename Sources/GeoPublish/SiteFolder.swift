import GeoPath
import GeoSystem

/// The folder of a site: it has the files that a manifest in it names, and is changed file by file.
///
/// Nothing else in it is touched. A file whose bytes stay is left alone, its time of change too; any
/// other takes the place of the one before in one step. What is of no use any more stays until the next run,
/// for whoever has the page open still reads it. The manifest names all that may be there while it is being
/// changed, so that whatever happens, the next run knows what is its own.
package struct SiteFolder {
  /// Why a folder can't be used.
  package enum Failure: Error {
    /// It holds what no run has put there.
    case foreign
    /// A sub-folder of it is none, or a link.
    case misplaced(String)
    /// The system refuses.
    case system(Errno)
  }

  /// What the manifest is called.
  package static let manifest = ".geomapper-site"
  private static let title = "geomapper site 1"
  /// What a line of the manifest begins with that names a file of the run before.
  private static let oldMark = "old "
  /// The most bytes of a manifest, and of a file that is compared in memory.
  private static let largest = 64 << 20

  private let path: [UInt8]
  private let handle: FolderHandle
  private let subfolders: [String: FolderHandle]
  /// What was there.
  private let before: Manifest

  /// The files of a site.
  private struct Manifest {
    var names: Set<String> = []
    /// Those of the run before, which are of no use to who comes now.
    var old: Set<String> = []
  }

  /// The sub-folders of a site.
  private static let places = ["assets", "folders", "names", "search"]

  /// Opens a folder that is empty, or has a manifest; makes it if it isn't there.
  package init(_ path: [UInt8]) throws(Failure) {
    self.path = path
    do throws(Errno) {
      handle = try Self.open(path)
    } catch {
      throw .system(error)
    }
    before = try Self.readManifest(in: path, handle)
    var subfolders: [String: FolderHandle] = [:]
    for name in Self.places {
      do throws(Errno) {
        let bytes = Array(name.utf8)
        do throws(Errno) { try handle.makeFolder(bytes) } catch .exists {}
        if try handle.facts(of: bytes, following: false).kind == .directory {
          subfolders[name] = try FolderHandle(at: bytes, from: handle)
        }
      } catch {
        throw .system(error)
      }
      if subfolders[name] == nil { throw .misplaced(name) }
    }
    self.subfolders = subfolders
  }

  private static func open(_ path: [UInt8]) throws(Errno) -> FolderHandle {
    do throws(Errno) {
      return try FolderHandle(at: path)
    } catch .noEntry {
      var path = path
      while path.count > 1, path.last == UInt8(ascii: "/") { path.removeLast() }
      let start = path.lastIndex(of: UInt8(ascii: "/")).map { $0 + 1 } ?? 0
      let above = start == 0 ? [UInt8(ascii: ".")] : Array(path[..<start])
      let parent = try FolderHandle(at: above)
      try parent.makeFolder(Array(path[start...]))
      return try FolderHandle(at: Array(path[start...]), from: parent)
    }
  }

  /// The names that a manifest has; none of an empty folder.
  private static func readManifest(
    in path: [UInt8], _ handle: FolderHandle
  ) throws(Failure) -> Manifest {
    let text: String
    do throws(Errno) {
      if try handle.isEmpty() { return Manifest() }
      let file = path + Array("/\(manifest)".utf8)
      text = String(decoding: try FileSystem.readInput(file, limit: largest), as: UTF8.self)
    } catch {
      if error == .noEntry { throw .foreign }
      throw .system(error)
    }
    let lines = text.split(separator: "\n")
    guard lines.first == title[...] else { throw .foreign }
    // What comes from a file is not believed: it may only name what a site can have.
    var manifest = Manifest()
    for line in lines.dropFirst() {
      let isOld = line.hasPrefix(oldMark)
      let name = String(isOld ? line.dropFirst(oldMark.count) : line)
      if !isName(name) { continue }
      if isOld { manifest.old.insert(name) } else { manifest.names.insert(name) }
    }
    return manifest
  }

  /// Whether a name can be that of a site's file: one, or one in a sub-folder.
  static func isName(_ name: String) -> Bool {
    let parts = name.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 1 || parts.count == 2 && places.contains(String(parts[0])) else {
      return false
    }
    guard let last = parts.last, let first = last.utf8.first, first != UInt8(ascii: ".") else {
      return false
    }
    return last.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
        UInt8(ascii: "_"):
        true
      default: false
      }
    }
  }

  /// Begins to change the folder: the manifest names what was there and what will be.
  package func begin(_ names: [String]) throws(Failure) {
    let all = before.names.union(names)
    try writeManifest(Manifest(names: all, old: before.old.subtracting(all)))
  }

  /// Ends it: what was of no use before is removed, and the manifest names what is there.
  package func end(_ names: [String]) throws(Failure) {
    for name in before.old.subtracting(before.names).subtracting(names) {
      do throws(Errno) {
        let (folder, last) = place(of: name)
        try folder.remove(last)
      } catch {
        if error != .noEntry { throw .system(error) }
      }
    }
    try writeManifest(Manifest(names: Set(names), old: before.names.subtracting(names)))
  }

  private func writeManifest(_ manifest: Manifest) throws(Failure) {
    let old = manifest.old.sorted().map { Self.oldMark + $0 }
    let lines = [Self.title] + manifest.names.sorted() + old
    _ = try put(Self.manifest, Array((lines.joined(separator: "\n") + "\n").utf8))
  }

  private func place(of name: String) -> (FolderHandle, [UInt8]) {
    let parts = name.split(separator: "/")
    if parts.count == 2, let folder = subfolders[String(parts[0])] {
      return (folder, Array(parts[1].utf8))
    }
    return (handle, Array(name.utf8))
  }

  /// Writes a file, unless it is there with the same bytes.
  ///
  /// - Returns: Whether it was written.
  package func put(_ name: String, _ bytes: [UInt8]) throws(Failure) -> Bool {
    try put(name, length: Int64(bytes.count)) { (output) throws(Errno) in
      try output.write(bytes.span)
    }
  }

  /// Writes a file, unless it is there with the same bytes.
  ///
  /// - Parameters:
  ///   - length: How many bytes there will be.
  ///   - content: Writes them.
  /// - Returns: Whether it was written.
  package func put(
    _ name: String, length: Int64, _ content: (borrowing Descriptor) throws(Errno) -> Void
  ) throws(Failure) -> Bool {
    let (folder, last) = place(of: name)
    let temporary = Array(
      ".geomapper-\(ThisProcess.number)-\(String(UInt64.random(in: 0...(.max)), radix: 36)).tmp"
        .utf8)
    do throws(Errno) {
      folder.rememberTemporary(temporary)
      defer { FolderHandle.forgetTemporary() }
      do throws(Errno) {
        let output = try folder.create(temporary, permissions: 0o666)
        try content(output)
        try output.finish()
        let parent = name.contains("/") ? Array("/\(name.split(separator: "/")[0])/".utf8) : [0x2F]
        if try Self.isSame(path + parent + temporary, path + Array("/\(name)".utf8), length) {
          try folder.remove(temporary)
          return false
        }
        try folder.rename(temporary, to: last)
        return true
      } catch {
        try? folder.remove(temporary)
        throw error
      }
    } catch {
      throw .system(error)
    }
  }

  /// Whether a file is there with the bytes of another one.
  private static func isSame(
    _ new: [UInt8], _ old: [UInt8], _ length: Int64
  ) throws(Errno) -> Bool {
    guard let facts = try? FileSystem.rootFacts(old), facts.kind == .regular, facts.size == length,
      let old = try ReadableFile.open(old), let new = try ReadableFile.open(new)
    else { return false }
    var (one, other) = ([UInt8](), [UInt8]())
    var place = 0
    while place < Int(length) {
      let count = min(1 << 20, Int(length) - place)
      try old.read(count, at: place, into: &one)
      try new.read(count, at: place, into: &other)
      if one.count != count || one != other { return false }
      place += count
    }
    return true
  }
}
