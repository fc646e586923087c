import GeoCore
import GeoSystem

/// A folder that gets all of a command's files at once, or stays as it was.
struct OutputFolder {
  /// The folder as it was given, for messages.
  let shown: String
  private let draft: FolderDraft
  private let temporary: [UInt8]

  /// Makes the folder, or takes an empty one.
  ///
  /// It is made now, before what it may be in is read.
  ///
  /// - Parameters:
  ///   - path: Its path.
  ///   - option: The option that gave it.
  ///   - refusal: Why there must be nothing in it.
  init(_ path: [UInt8], option: String, refusal: String) throws(Failure) {
    shown = TerminalText.escaped(path)
    if path.isEmpty { throw .usage("\(option) needs the name of a folder; it is empty") }
    var isForeign = false
    var isThere = false
    do throws(Errno) {
      let target = try OutputPlace.folder(path, shown)
      isForeign = OutputPlace.leadsThroughForeignLink(target)
      if isForeign { throw Errno.accessDenied }
      isThere = try OutputPlace.facts(of: target, following: false) != nil
      temporary = try OutputPlace.temporary(for: target).name
      draft = try FolderDraft(target.name, in: target.folder)
    } catch .exists {
      throw .usage("the folder '\(shown)' is not empty; \(refusal)")
    } catch .noEntry {
      throw isThere
        ? OutputPlace.danglingLink(shown)
        : .usage("the folder around '\(shown)' does not exist; make it first")
    } catch .notDirectory {
      throw .usage("can't make the folder '\(shown)': \(Errno.notDirectory)")
    } catch {
      if isForeign { throw OutputPlace.foreignLink(shown) }
      throw .output("can't make the folder '\(shown)': \(error)")
    }
  }

  /// Writes all files.
  ///
  /// - Parameters:
  ///   - names: Their names.
  ///   - things: What they are, for messages.
  ///   - content: Makes the bytes of one of them; if it can't, none are written.
  func write(
    _ names: [[UInt8]], things: String, _ content: (Int) throws(Failure) -> [UInt8]
  ) throws(Failure) {
    var failure: Failure?
    do throws(Errno) {
      try draft.write(names, temporary: temporary) { (index) throws(Errno) in
        do throws(Failure) {
          return try content(index)
        } catch {
          failure = error
          throw Errno.inputOutput
        }
      }
    } catch {
      throw failure ?? .output("can't write the \(things) into '\(shown)': \(error)")
    }
  }

  /// Leaves no folder behind that was made for files that there won't be.
  func discard() { draft.discard() }
}
