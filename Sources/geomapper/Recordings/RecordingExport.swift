import GeoCore
import GeoLive
import GeoSystem

/// `geomapper recordings export`: a recording in another format, or in its own, whole.
enum RecordingExport {
  static func run(_ name: [UInt8], _ low: LowArguments) throws(Failure) -> ExitStatus {
    try run(name, to: try OutputPlace(low.output ?? [UInt8(ascii: "-")]), low)
  }

  /// Exports all recordings with the tags that were given, each into a file of a folder.
  static func runAll(_ low: LowArguments) throws(Failure) -> ExitStatus {
    let folder = low.output ?? []
    do throws(Errno) {
      try FolderHandle.makeFolders(folder)
    } catch {
      throw .output("can't make the folder '\(TerminalText.escaped(folder))': \(error)")
    }
    let place = try RecordingPlace.directory(low)
    let entries = try RecordingsCommand.call(place) {
      (folder) throws(RecordingFolder.Failure) in try folder.list()
    }(try RecordingPlace.open(low))
    let ending = Array(".\(low.format ?? .json)".utf8)
    var status = ExitStatus.success
    for entry in entries where low.record.tags.allSatisfy(entry.metadata.tags.contains) {
      let name = Array(entry.name.dropLast(5)) + ending
      let target = try OutputPlace(folder.appending(component: name))
      if try run(entry.name, to: target, low) == .incomplete { status = .incomplete }
    }
    return status
  }

  private static func run(
    _ name: [UInt8], to place: OutputPlace, _ low: LowArguments
  ) throws(Failure) -> ExitStatus {
    let input = try RecordingsCommand.call(name) { (folder) throws(RecordingFolder.Failure) in
      try folder.open(name)
    }(try RecordingPlace.open(low))
    let file = RecordingFile(input, shown: "'\(TerminalText.escaped(name))'")
    _ = try file.read()
    let output = try OutputFile(opening: place)
    var obstacle: OutputError?
    let fault: RecordingError?
    do throws(RecordingError) {
      fault = try EventExport(low.format ?? .json).run(opening: { () throws(RecordingError) in
        try file.reader()
      }) { bytes in
        if obstacle != nil { return }
        do throws(OutputError) {
          try output.write(bytes)
        } catch {
          obstacle = error
        }
      }
    } catch {
      output.discard()
      throw .usage("can't use \(file.shown): \(error)")
    }
    do throws(OutputError) {
      if let obstacle { throw obstacle }
      try output.complete()
    } catch {
      output.discard()
      if case .failed(let failure) = error { throw failure }
      return .success
    }
    guard let fault else { return .success }
    Messages.note("\(file.shown) breaks off: \(fault)")
    return .incomplete
  }
}
