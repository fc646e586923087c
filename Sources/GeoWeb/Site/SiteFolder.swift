import GeoCore
import GeoSystem

/// The folder of a site: it has the files that a manifest in it names, and is changed file by file.
///
/// Nothing else in it is touched. A file whose bytes stay is left alone, its time of change too; any
/// other takes the place of the one before in one step. What is of no use any more stays until the next run,
/// for whoever has the page open still reads it.
package struct SiteFolder {
  /// Why a folder can't be used.
  package enum Failure: Error {
    /// It holds what no run has put there.
    case foreign
    /// A sub-folder of it is none, or a link.
    case misplaced(String)
    /// It is a symbolic link to a folder that isn't there.
    case dangling
    /// Another process writes into it.
    case busy
    /// The system refuses.
    case system(Errno)
  }

  /// The most bytes of a manifest.
  private static let largest = 64 << 20

  private let path: [UInt8]
  private let handle: FolderHandle
  /// Keeps other processes from writing into it.
  private let lock: FolderLock
  /// The folder around it and its name there, if it was made here.
  private let made: (parent: FolderHandle, name: [UInt8])?
  /// What was there, and whether a manifest said so.
  private let before: SiteManifest
  private let hadManifest: Bool
  /// What a file is called until it is whole.
  private let temporary = SiteManifest.temporaryName(
    process: Int(ThisProcess.number), random: .random(in: 0...(.max)))
  /// The sub-folders that are there.
  private var subfolders: [String: FolderHandle] = [:]
  /// What there will be.
  private var names: Set<String> = []
  /// Whether the manifest says what is being changed.
  private var isTold = false
  /// What this run has put where nothing was.
  private var added: Set<String> = []
  private var addedSubfolders: [String] = []
  /// Whether it has put something in the place of another.
  private var hasReplaced = false

  /// Opens a folder that is empty, or has a manifest; makes it if it isn't there.
  package init(_ path: [UInt8]) throws(Failure) {
    self.path = path
    do throws(Errno) {
      (handle, made) = try Self.open(path)
    } catch .exists {
      throw .dangling
    } catch {
      throw .system(error)
    }
    do throws(Errno) {
      lock = try FolderLock(on: handle)
    } catch .wouldBlock {
      throw .busy
    } catch {
      throw .system(error)
    }
    let manifest = try Self.readManifest(in: path, handle)
    before = manifest ?? SiteManifest()
    hadManifest = manifest != nil
    for name in SiteManifest.places {
      var isFolder = false
      do throws(Errno) {
        isFolder = try handle.facts(of: Array(name.utf8), following: false).kind == .directory
        if isFolder { subfolders[name] = try FolderHandle(at: Array(name.utf8), from: handle) }
      } catch .noEntry {
        continue
      } catch {
        throw .system(error)
      }
      if !isFolder { throw .misplaced(name) }
    }
  }

  /// Removes the folder again, if it was made here and nothing is in it.
  package func leave() {
    // What is in it stays, and the folder with it.
    if let made { try? made.parent.removeFolder(made.name) }
  }

  /// - Throws: ``Errno/exists`` if the path is that of a link that leads nowhere.
  private static func open(
    _ path: [UInt8]
  ) throws(Errno) -> (FolderHandle, made: (parent: FolderHandle, name: [UInt8])?) {
    do throws(Errno) {
      return (try FolderHandle(at: path), nil)
    } catch .noEntry {
      var path = path
      while path.count > 1, path.last == UInt8(ascii: "/") { path.removeLast() }
      let start = path.lastIndex(of: UInt8(ascii: "/")).map { $0 + 1 } ?? 0
      let above = start == 0 ? [UInt8(ascii: ".")] : Array(path[..<start])
      let parent = try FolderHandle(at: above)
      let name = Array(path[start...])
      do throws(Errno) {
        try parent.makeFolder(name)
      } catch .exists {
        // Another run has just made it, unless what is there leads nowhere.
        guard let other = try? FolderHandle(at: name, from: parent) else { throw .exists }
        return (other, nil)
      }
      return (try FolderHandle(at: name, from: parent), (parent, name))
    }
  }

  /// The manifest; nil if nothing is in the folder.
  private static func readManifest(
    in path: [UInt8], _ handle: FolderHandle
  ) throws(Failure) -> SiteManifest? {
    let bytes: [UInt8]?
    do throws(Errno) {
      if try handle.isEmpty(but: SiteManifest.isTemporary) { return nil }
      let file = path + Array("/\(SiteManifest.name)".utf8)
      bytes = try FileSystem.readFile(file, following: true, limit: largest)
    } catch {
      if error == .noEntry { throw .foreign }
      throw .system(error)
    }
    guard let bytes, let manifest = SiteManifest(String(decoding: bytes, as: UTF8.self)) else {
      throw .foreign
    }
    return manifest
  }

  /// Begins to bring the folder to what will be in it; what a run has left that was killed is removed.
  package mutating func begin(_ names: [String]) throws(Failure) {
    self.names = Set(names)
    do throws(Errno) {
      let there = try handle.fileNames()
      for index in there.records.indices where SiteManifest.isTemporary(there.name(at: index)) {
        do throws(Errno) { try handle.remove(there.name(at: index)) } catch .noEntry {}
      }
    } catch {
      throw .system(error)
    }
  }

  /// Before anything is changed, the manifest names what was there and what will be.
  private mutating func tell() throws(Failure) {
    if isTold { return }
    isTold = true
    let all = before.names.union(names)
    try write(SiteManifest(names: all, old: before.old.subtracting(all)))
    for name in SiteManifest.places where subfolders[name] == nil {
      do throws(Errno) {
        let bytes = Array(name.utf8)
        try handle.makeFolder(bytes)
        addedSubfolders.append(name)
        subfolders[name] = try FolderHandle(at: bytes, from: handle)
      } catch {
        throw .system(error)
      }
    }
  }

  /// Ends it: what was of no use before is removed, and the manifest names what is there.
  package func end() throws(Failure) {
    try remove(before.old.subtracting(before.names).subtracting(names))
    try write(SiteManifest(names: names, old: before.names.subtracting(names)))
  }

  /// Takes out again what a run has added that can't go on, so that it takes no room on a disk that may be full.
  ///
  /// A run that has replaced a file leaves all as it is: what it has added belongs to that.
  package func withdraw() {
    if !isTold || hasReplaced { return }
    try? remove(added)
    for name in addedSubfolders { try? handle.removeFolder(Array(name.utf8)) }
    if hadManifest {
      try? write(before)
    } else {
      try? handle.remove(Array(SiteManifest.name.utf8))
    }
  }

  private func remove(_ names: Set<String>) throws(Failure) {
    for name in names {
      do throws(Errno) {
        let (folder, last) = place(of: name)
        try folder.remove(last)
      } catch {
        if error != .noEntry { throw .system(error) }
      }
    }
  }

  private func write(_ manifest: SiteManifest) throws(Failure) {
    let bytes = Array(manifest.text.utf8)
    let isSame = try isThere(SiteManifest.name, length: Int64(bytes.count)) {
      (take) throws(Errno) in try take(bytes.span)
    }
    if isSame { return }
    try replace(SiteManifest.name) { (take) throws(Errno) in try take(bytes.span) }
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
  package mutating func put(_ name: String, _ bytes: [UInt8]) throws(Failure) -> Bool {
    try put(name, length: Int64(bytes.count)) { (take) throws(Errno) in try take(bytes.span) }
  }

  /// Takes bytes that follow those before.
  package typealias Taker = (Span<UInt8>) throws(Errno) -> Void

  /// Writes a file, unless it is there with the same bytes.
  ///
  /// - Parameters:
  ///   - length: How many bytes there will be.
  ///   - content: Gives them, each time that it is called.
  /// - Returns: Whether it was written.
  package mutating func put(
    _ name: String, length: Int64, _ content: (Taker) throws(Errno) -> Void
  ) throws(Failure) -> Bool {
    if try isThere(name, length: length, content) { return false }
    try tell()
    try replace(name, content)
    if before.names.contains(name) || before.old.contains(name) {
      hasReplaced = true
    } else {
      added.insert(name)
    }
    return true
  }

  /// Has a file written, and takes it for the one of a name.
  private func replace(
    _ name: String, _ content: (Taker) throws(Errno) -> Void
  ) throws(Failure) {
    let (folder, last) = place(of: name)
    let temporary = Array(temporary.utf8)
    do throws(Errno) {
      handle.rememberTemporary(temporary)
      defer { FolderHandle.forgetTemporary() }
      do throws(Errno) {
        let output = try handle.create(temporary, permissions: 0o666)
        let number = output.rawValue
        try content { (bytes) throws(Errno) in try Descriptor.write(bytes, to: number) }
        try output.finish()
        try handle.rename(temporary, to: last, in: folder)
      } catch {
        try? handle.remove(temporary)
        throw error
      }
    } catch {
      throw .system(error)
    }
  }

  /// Whether a file is there with some bytes.
  private func isThere(
    _ name: String, length: Int64, _ content: (Taker) throws(Errno) -> Void
  ) throws(Failure) -> Bool {
    let file = path + Array("/\(name)".utf8)
    guard let facts = try? FileSystem.rootFacts(file), facts.kind == .regular,
      facts.size == length, let old = try? ReadableFile.open(file)
    else { return false }
    var isSame = true
    var place = 0
    var part: [UInt8] = []
    do throws(Errno) {
      try content { (bytes) throws(Errno) in
        if !isSame { return }
        try old.read(bytes.count, at: place, into: &part)
        place += bytes.count
        isSame = part.span.equals(bytes)
      }
    } catch {
      throw .system(error)
    }
    return isSame && place == Int(length)
  }
}
