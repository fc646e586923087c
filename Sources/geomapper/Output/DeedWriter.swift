import GeoDeed
import GeoPath
import GeoSystem

/// Writes the deeds of a split: a line each to standard output, or a file each into a folder.
struct DeedWriter {
  private let folder: [UInt8]?

  /// Finds out where the deeds go; a folder is made now, before the tree that it may be in is read.
  init(_ output: [UInt8]) throws(Failure) {
    if output.elementsEqual("-".utf8) {
      folder = nil
      return
    }
    let shown = TerminalText.escaped(output)
    if output.isEmpty { throw .usage("--output needs the name of a folder; it is empty") }
    do throws(Errno) {
      try FolderHandle.makeFolder(at: output)
    } catch {
      if error != .exists { throw .output("can't make the folder '\(shown)': \(error)") }
    }
    do throws(Errno) {
      var reader = DirectoryReader()
      var names = NameTable()
      var folders = NameTable()
      let folder = try FileSystem.openRoot(output)
      if let error = reader.read(folder.rawValue, files: &names, folders: &folders) { throw error }
      if names.isEmpty, folders.isEmpty {
        self.folder = output
        return
      }
    } catch {
      throw .usage("can't write deeds into '\(shown)': \(error)")
    }
    throw .usage("the folder '\(shown)' is not empty; deeds of another split may be in it")
  }

  func write(_ deeds: [Deed]) throws(Failure) {
    guard let folder else {
      return try OutputFile.write(deeds.flatMap(\.text), to: .standardOutput)
    }
    let width = "\(deeds.count - 1)".count
    for deed in deeds {
      let number = "\(deed.number)"
      let name = "/" + String(repeating: "0", count: width - number.count) + number + ".deed"
      try OutputFile.write(deed.text, to: OutputPlace(folder + Array(name.utf8)))
    }
  }
}
