import GeoCore
import GeoSystem

/// The folder of a site: it contains the files that its manifest names, and is updated file by
/// file.
///
/// Other files in it are not touched. Unchanged files keep their modification times, and changed
/// ones are replaced atomically. Files that are no longer needed stay until the next run, because
/// open pages may still read them.
package struct SiteFolder {
  private static let largest = 64 << 20

  private let path: [UInt8]
  private let handle: FolderHandle
  private let lock: FolderLock
  /// The parent folder and the name in it, if this run created the folder.
  private let made: (parent: FolderHandle, name: [UInt8])?
  private let before: SiteManifest
  private let hadManifest: Bool
  private let temporary = SiteManifest.temporaryName(
    process: Int(ThisProcess.identifier), random: .random(in: 0...(.max)))
  private var subfolders: [String: FolderHandle] = [:]
  private var names: Set<String> = []
  private var isAnnounced = false
  private var added: Set<String> = []
  private var addedSubfolders: [String] = []
  private var hasReplaced = false

  /// Opens a folder that is empty or has a manifest; creates it if it is missing.
  package init(_ path: [UInt8]) throws(Failure) {
    self.path = path
    let shown = TerminalText.escaped(path)
    do throws(Errno) {
      (handle, made) = try Self.open(path)
    } catch .exists {
      throw .danglingLink(shown)
    } catch {
      throw Self.failure(path, error)
    }
    do throws(Errno) {
      lock = try FolderLock(on: handle)
    } catch .wouldBlock {
      throw .output(
        "another geomapper is writing the site '\(shown)': wait until it has ended, or give another "
          + "folder", cause: Errno.wouldBlock)
    } catch {
      throw Self.failure(path, error)
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
        throw Self.failure(path, error)
      }
      if !isFolder { throw .usage("'\(shown)/\(name)' is not a folder of a site: remove it") }
    }
  }

  func failure(_ reason: Errno) -> Failure { Self.failure(path, reason) }

  private static func failure(_ path: [UInt8], _ reason: Errno) -> Failure {
    let shown = TerminalText.escaped(path)
    var failure =
      switch reason {
      case .noEntry: Failure.missingParent(of: shown)
      case .notDirectory: Failure.usage("'\(shown)' is not a folder")
      default: Failure.output("can't write the site '\(shown)': \(reason)")
      }
    failure.cause = reason
    return failure
  }

  /// The folder contains files that no run has written.
  private static func foreign(_ path: [UInt8]) -> Failure {
    .usage(
      "'\(TerminalText.escaped(path))' holds something else than a site of geomapper: give a folder "
        + "that is empty, or isn't there")
  }

  /// Removes the folder if this run created it and it is empty.
  package func leave() {
    // A folder that is not empty stays.
    if let made { try? made.parent.removeFolder(made.name) }
  }

  /// - Throws: ``Errno/exists`` if the path is a dangling link.
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
        // Another run has just created it, unless it is a dangling link.
        guard let other = try? FolderHandle(at: name, from: parent) else { throw .exists }
        return (other, nil)
      }
      return (try FolderHandle(at: name, from: parent), (parent, name))
    }
  }

  /// Reads the manifest; nil if the folder is empty.
  private static func readManifest(
    in path: [UInt8], _ handle: FolderHandle
  ) throws(Failure) -> SiteManifest? {
    let bytes: [UInt8]?
    do throws(Errno) {
      if try handle.isEmpty(but: SiteManifest.isTemporary) { return nil }
      let file = path + Array("/\(SiteManifest.name)".utf8)
      bytes = try FileSystem.readFile(file, following: true, limit: largest)
    } catch {
      throw error == .noEntry ? foreign(path) : failure(path, error)
    }
    guard let bytes, let manifest = SiteManifest(String(decoding: bytes, as: UTF8.self)) else {
      throw foreign(path)
    }
    return manifest
  }

  /// Starts an update, and removes temporary files of runs that were killed.
  package mutating func begin(_ names: [String]) throws(Failure) {
    self.names = Set(names)
    do throws(Errno) {
      let there = try handle.fileNames()
      for index in there.records.indices where SiteManifest.isTemporary(there.name(at: index)) {
        do throws(Errno) { try handle.remove(there.name(at: index)) } catch .noEntry {}
      }
    } catch {
      throw failure(error)
    }
  }

  /// Writes a manifest of the old and new files, before the first change.
  private mutating func announce() throws(Failure) {
    if isAnnounced { return }
    isAnnounced = true
    let all = before.names.union(names)
    try write(SiteManifest(names: all, old: before.old.subtracting(all)))
    for name in SiteManifest.places where subfolders[name] == nil {
      let bytes = Array(name.utf8)
      try rethrowing(handle.makeFolder(bytes), as: failure)
      addedSubfolders.append(name)
      subfolders[name] = try rethrowing(FolderHandle(at: bytes, from: handle), as: failure)
    }
  }

  /// Ends the update: removes files that the previous run no longer needed, and writes the new
  /// manifest.
  package func end() throws(Failure) {
    try remove(before.old.subtracting(before.names).subtracting(names))
    try write(SiteManifest(names: names, old: before.names.subtracting(names)))
  }

  /// Removes the files that a failed run has added, because the disk may be full.
  ///
  /// After a file was replaced, everything stays, because the new file may need the added ones.
  package func withdraw() {
    if !isAnnounced || hasReplaced { return }
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
        if error != .noEntry { throw failure(error) }
      }
    }
  }

  private func write(_ manifest: SiteManifest) throws(Failure) {
    let bytes = Array(manifest.text.utf8)
    let content = { (take: Taker) throws(Errno) in try take(bytes.span) }
    if try isThere(SiteManifest.name, length: Int64(bytes.count), content) { return }
    try replace(SiteManifest.name, content)
  }

  private func place(of name: String) -> (FolderHandle, [UInt8]) {
    let parts = name.split(separator: "/")
    if parts.count == 2, let folder = subfolders[String(parts[0])] {
      return (folder, Array(parts[1].utf8))
    }
    return (handle, Array(name.utf8))
  }

  package mutating func put(_ name: String, _ bytes: [UInt8]) throws(Failure) -> Bool {
    try put(name, length: Int64(bytes.count)) { (take) throws(Errno) in try take(bytes.span) }
  }

  package typealias Taker = (Span<UInt8>) throws(Errno) -> Void

  /// Writes a file, unless it exists with the same bytes; returns whether it was written. `content`
  /// may be called twice.
  package mutating func put(
    _ name: String, length: Int64, _ content: (Taker) throws(Errno) -> Void
  ) throws(Failure) -> Bool {
    if try isThere(name, length: length, content) { return false }
    try announce()
    try replace(name, content)
    if before.names.contains(name) || before.old.contains(name) {
      hasReplaced = true
    } else {
      added.insert(name)
    }
    return true
  }

  /// Writes a temporary file, and renames it.
  private func replace(
    _ name: String, _ content: (Taker) throws(Errno) -> Void
  ) throws(Failure) {
    let (folder, last) = place(of: name)
    let temporary = Array(temporary.utf8)
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
      throw failure(error)
    }
  }

  /// Whether a file exists with the same bytes.
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
      throw failure(error)
    }
    return isSame && place == Int(length)
  }
}
