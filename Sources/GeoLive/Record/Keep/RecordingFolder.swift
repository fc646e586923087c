import GeoCore
import GeoSystem

/// The folder with recordings.
package struct RecordingFolder: Sendable {
  private let folder: FolderHandle

  /// A recording in a few words.
  package struct Entry: Sendable {
    package var name: [UInt8]
    /// Bytes of the file.
    package var size: Int64
    package var metadata: RecordingMetadata
  }

  /// Why something can't be done with a recording.
  package enum Failure: Error, Hashable, Sendable {
    /// The name is none of a file in the folder.
    case badName
    /// It is no regular file.
    case notRegular
    case system(Errno)
    case recording(RecordingError)
  }

  /// Opens a folder.
  package init(at path: [UInt8]) throws(Errno) { folder = try FolderHandle(at: path) }

  /// The recordings, in the byte order of their names; what is none is passed over.
  package func list() throws(Failure) -> [Entry] {
    let names: NameTable
    do throws(Errno) {
      names = try folder.fileNames()
    } catch {
      throw .system(error)
    }
    var entries: [Entry] = []
    for index in 0..<names.count {
      let name = names.name(at: index)
      guard name.count > 5, name.suffix(5).elementsEqual(".json".utf8),
        let size = try? size(of: name), let reader = try? read(name)
      else { continue }
      entries.append(Entry(name: name, size: size, metadata: reader.metadata))
    }
    return entries
  }

  /// Opens a recording, and nothing but a regular file of the folder.
  package func open(_ name: [UInt8]) throws(Failure) -> InputFile {
    _ = try size(of: name)
    do throws(Errno) {
      return try folder.openRegular(name)
    } catch {
      throw .system(error)
    }
  }

  /// Begins to read a recording.
  package func read(_ name: [UInt8]) throws(Failure) -> RecordingReader {
    let file = try open(name)
    do throws(RecordingError) {
      return try RecordingReader(RecordingInput(file))
    } catch {
      throw .recording(error)
    }
  }

  /// Bytes of a recording.
  package func size(of name: [UInt8]) throws(Failure) -> Int64 {
    if !RecordingName.isValid(name) { throw .badName }
    do throws(Errno) {
      let facts = try folder.facts(of: name, following: false)
      if facts.kind == .regular { return facts.size }
    } catch {
      throw .system(error)
    }
    throw .notRegular
  }

  /// Removes a recording.
  package func delete(_ name: [UInt8]) throws(Failure) {
    // What is no recording is not removed by its name alone.
    _ = try read(name)
    do throws(Errno) {
      try folder.remove(name)
    } catch {
      throw .system(error)
    }
  }

  /// Gives a recording another name, which nobody may have.
  package func rename(_ name: [UInt8], to other: [UInt8]) throws(Failure) {
    _ = try size(of: name)
    if !RecordingName.isValid(other) { throw .badName }
    do throws(Errno) {
      try folder.rename(name, toNew: other)
    } catch {
      throw .system(error)
    }
  }

  /// Makes a file for a recording that begins.
  ///
  /// - Parameter seconds: Unix time.
  /// - Returns: The file and its name, which nobody had.
  package func make(seconds: Int64) throws(Errno) -> (file: KeptFile, name: [UInt8]) {
    for number in 1...1000 {
      let name = RecordingName.of(seconds: seconds, number: number)
      do throws(Errno) {
        return (try KeptFile(making: name, in: folder), name)
      } catch {
        if error != .exists { throw error }
      }
    }
    throw .exists
  }
}

extension RecordingFolder.Failure: CustomStringConvertible {
  /// What is wrong, in words.
  package var description: String {
    switch self {
    case .badName:
      "a recording is called by the name of its file alone: no '/', no '.' and no '..'"
    case .notRegular: "it is no regular file"
    case .system(let error): "\(error)"
    case .recording(let error): "\(error)"
    }
  }
}
