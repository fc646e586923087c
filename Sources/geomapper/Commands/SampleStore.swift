import GeoCore
import GeoLive
import GeoProjection
import GeoSystem
import GeoWeb

/// The file with the samples of a server, next to the recordings.
struct SampleStore: Sendable {
  private let folder: [UInt8]
  private let name: [UInt8]
  /// The identity of the sampled tree: layout, roots and selection.
  private let key: [UInt8]

  private var shown: String { folder.appending(component: name).shown }

  /// The file for a configuration; nil, with a note, if the folder of recordings is unknown.
  init?(of configuration: ServerConfiguration, _ low: LowArguments) {
    guard let folder = try? RecordingPlace.directory(low) else {
      Messages.note("the samples won't outlive the server: neither XDG_DATA_HOME nor HOME is set")
      return nil
    }
    self.folder = folder
    // Zero separates: labels and paths can't contain it.
    let roots = configuration.roots.map { root in
      root.label + [0] + ((try? ThisProcess.realPath(root.directory)) ?? root.directory) + [0]
    }
    let key =
      Array("\(configuration.layout) ".utf8)
      + roots.sorted { $0.lexicographicallyPrecedes($1) }.joined()
      + configuration.selection.signature
    let hash = String(XXH64.hash(key.span, seed: 0), radix: 16)
    self.key = key
    name = Self.stem + Array(rightAligned(hash, 16, "0").utf8) + Self.ending
  }

  /// The parts of the file names before and after 16 hexadecimal digits.
  private static let stem = Array("samples_".utf8)
  private static let ending = Array(".geosamples".utf8)

  private func removeOld(now: Int64) throws(Errno) {
    let folder = try FolderHandle(at: folder)
    let names = try folder.fileNames()
    for index in 0..<names.count {
      let other = names.name(at: index)
      guard other.count == name.count, other.starts(with: Self.stem),
        other.suffix(Self.ending.count).elementsEqual(Self.ending), other != name,
        let facts = try? folder.facts(of: other, following: false), facts.kind == .regular,
        facts.modified < now - SampleSeries.span
      else { continue }
      try folder.remove(other)
    }
  }

  /// Loads the samples of an earlier run; nil without a file, or, with a note, if it can't be used.
  func load() -> SampleBook? {
    let now = ThisProcess.unixNanoseconds / 1_000_000_000
    // Failing to remove old files does no harm.
    try? removeOld(now: now)
    do {
      return try SampleFile.book(try read(), key: key, now: now)
    } catch {
      if error as? Errno == .noEntry { return nil }
      Messages.note("can't use the samples in '\(shown)': \(error); starting without them")
      return nil
    }
  }

  private func read() throws(Errno) -> [UInt8] {
    let file = try FolderHandle(at: folder).openRegular(name)
    var bytes: [UInt8] = []
    while try file.read(upTo: 1 << 20, appendingTo: &bytes) > 0 {
      if bytes.count > SampleFile.maximumBytes { throw .fileTooLarge }
    }
    return bytes
  }

  /// Replaces the file, readable by its owner only; returns its size in bytes.
  func save(_ book: SampleBook) throws(Failure) -> Int {
    let bytes = SampleFile.bytes(of: book, key: key)
    let place = try explaining("can't write '\(shown)'", as: .output) {
      try FolderHandle.makeFolders(folder)
      let file = FileTarget(folder: try FolderHandle(at: folder), name: name)
      let target = OutputPlace.Target(file: file, shown: shown)
      return OutputPlace.replacing(
        target, permissions: 0o600, temporary: try OutputPlace.temporary(for: target))
    }
    try OutputFile.write(bytes, to: place)
    return bytes.count
  }
}
