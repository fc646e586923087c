import GeoCore
import GeoTree
import GeoSystem

extension OutputPlace {
  /// As many links as Linux follows.
  private static let mostLinks = 40

  /// What stands at a target; `nil` if nothing does.
  static func facts(of target: Target, following: Bool) throws(Errno) -> FileSystem.Facts? {
    do throws(Errno) {
      return try target.folder.facts(of: target.name, following: following)
    } catch .noEntry {
      return nil
    }
  }

  /// The target at the end of a chain of links, which need not exist; its folder must.
  static func follow(_ start: Target) throws(Errno) -> Target {
    var target = start
    for _ in 0..<mostLinks {
      guard let next = try next(after: target) else { return target }
      target = next
    }
    throw .linkLoop
  }

  /// Where a target leads; `nil` if it is no link.
  private static func next(after target: Target) throws(Errno) -> Target? {
    guard try facts(of: target, following: false)?.kind == .symlink else { return nil }
    let (folder, name) = try split(try target.folder.target(ofLink: target.name))
    return Target(
      folder: try FolderHandle(at: folder, from: target.folder), name: name, shown: target.shown)
  }

  /// Whether a chain of links has one that somebody else put where everybody may put things.
  ///
  /// Whoever follows it writes where that one wants. Linux can refuse that itself, but doesn't
  /// everywhere.
  static func leadsThroughForeignLink(_ start: Target) -> Bool {
    var target = start
    for _ in 0..<mostLinks {
      if (try? target.folder.isForeignLink(target.name)) == true { return true }
      // What can't be followed is told by who follows it.
      guard let next = try? next(after: target) else { return false }
      target = next
    }
    return false
  }

  /// A path's folder, and the name in it.
  ///
  /// - Throws: ``Errno/isDirectory`` if it can only be the path of a folder.
  static func split(_ path: [UInt8]) throws(Errno) -> (folder: [UInt8], name: [UInt8]) {
    let name = path.lastComponent
    if name.isEmpty || name.elementsEqual(".".utf8) || name.elementsEqual("..".utf8) {
      throw .isDirectory
    }
    let folder = path[..<name.startIndex]
    return (folder.isEmpty ? [UInt8(ascii: ".")] : Array(folder), Array(name))
  }

  /// The temporary file beside a target, and the time that its folder shows without it.
  static func temporary(for target: Target) throws(Errno) -> TemporaryEntry {
    // 64 random bits: that somebody else has the name is no case to provide for.
    let tail = Array(
      (".geomapper-\(ThisProcess.number)-" + String(UInt64.random(in: 0...(.max)), radix: 36)
        + ".tmp").utf8)
    let room = min(255, target.folder.longestName() ?? 255) - tail.count - 1
    var stem = target.name.prefix(max(0, room))
    if stem.count < target.name.count {
      // Not in the midst of a character: some systems refuse names that are no UTF-8.
      while let last = stem.last, last & 0xC0 == 0x80 { stem.removeLast() }
      if let last = stem.last, last >= 0xC0 { stem.removeLast() }
    }
    let folder = try target.folder.facts()
    return TemporaryEntry(
      name: [UInt8(ascii: ".")] + stem + tail, folder: folder.identity,
      folderModified: folder.modified, folderNanoseconds: folder.modifiedNanoseconds)
  }
}
