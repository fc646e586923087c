import GeoDeed
import GeoPath
import GeoSystem

/// Writes the deeds of a split: a line each to standard output, or a file each into a folder.
struct DeedWriter {
  private let draft: FolderDraft?
  private let temporary: [UInt8]
  private let shown: String

  /// Finds out where the deeds go; a folder is made now, before the tree that it may be in is read.
  init(_ output: [UInt8]) throws(Failure) {
    shown = TerminalText.escaped(output)
    if output.elementsEqual("-".utf8) {
      draft = nil
      temporary = []
      return
    }
    if output.isEmpty { throw .usage("--output needs the name of a folder; it is empty") }
    var isForeign = false
    do throws(Errno) {
      let target = try OutputPlace.folder(output, shown)
      isForeign = OutputPlace.leadsThroughForeignLink(target)
      if isForeign { throw Errno.accessDenied }
      temporary = try OutputPlace.temporary(for: target).name
      draft = try FolderDraft(target.name, in: target.folder)
    } catch .exists {
      throw .usage("the folder '\(shown)' is not empty; deeds of another split may be in it")
    } catch .notDirectory {
      throw .usage("can't write deeds into '\(shown)': \(Errno.notDirectory)")
    } catch {
      if isForeign { throw OutputPlace.foreignLink(shown) }
      throw .output("can't make the folder '\(shown)': \(error)")
    }
  }

  /// Writes all deeds, or none.
  func write(_ deeds: [Deed]) throws(Failure) {
    guard let draft else {
      return try OutputFile.write(deeds.flatMap(\.text), to: .standardOutput)
    }
    let width = "\(deeds.count - 1)".count
    let files = deeds.map { deed in
      let number = "\(deed.number)"
      return Array(
        (String(repeating: "0", count: width - number.count) + number + ".deed").utf8)
    }
    do throws(Errno) {
      try draft.write(files, temporary: temporary) { deeds[$0].text }
    } catch {
      throw .output("can't write the deeds into '\(shown)': \(error)")
    }
  }

  /// Leaves no folder behind that was made for deeds that there won't be.
  func discard() { draft?.discard() }
}
