import GeoCore
import GeoProjection

/// A writer of one format: a header, features with a separator between them, and a footer.
///
/// The loop over a batch is generic, so that the compiler makes one for each format, with direct
/// calls. A format defines how a folder and a file are put and, if it has them, header and footer.
protocol FormatWriter: Sendable {
  /// What precedes each feature but the first.
  var separator: [UInt8] { get }

  /// Writes the header before the first feature.
  func writeHeader(_ header: MapHeader, to buffer: inout OutputBuffer)

  /// Writes the footer after the last feature.
  func writeFooter(_ summary: MapSummary, to buffer: inout OutputBuffer)

  /// Writes what precedes the files of the folder entered.
  ///
  /// - Parameter range: The indices of the names that are written next.
  func writeLead(_ batch: FileBatch, before range: Range<Int>, to buffer: inout OutputBuffer)

  /// Sets the members about several states for the features written next; most formats ignore them.
  mutating func say(_ parts: FeatureParts?)

  /// Prepares the text that the features of a folder and its files share.
  mutating func enterFolder(path: [UInt8])

  /// Prepares the text that the files of a batch share.
  mutating func prepare(_ batch: FileBatch)

  /// An upper bound of the bytes that a file's feature takes, without its name.
  var roomForFile: Int { get }

  /// The maximum number of bytes that one byte of a file's name becomes in its feature.
  static var roomForByteOfName: Int { get }

  /// Puts a file of the folder entered and of the batch prepared.
  ///
  /// - Parameters:
  ///   - name: The range of its name in the arena.
  ///   - arena: The bytes of all names.
  ///   - place: Its place.
  ///   - facts: Its metadata.
  ///   - cursor: The output.
  func put(
    fileNamed name: Range<Int>, of arena: Span<UInt8>, at place: FilePlace, _ facts: EntryFacts,
    to cursor: inout OutputCursor)

  /// Whether folders have the outline of their cell, and files the ground that they share.
  static var takesCells: Bool { get }

  /// An upper bound of the bytes that the feature of the folder entered takes.
  func room(forRing ring: [Coordinate]) -> Int

  func put(_ folder: FolderFeature, ring: [Coordinate], to cursor: inout OutputCursor)
}

extension FormatWriter {
  var separator: [UInt8] { [] }

  mutating func say(_ parts: FeatureParts?) {}

  static var takesCells: Bool { false }

  func writeHeader(_ header: MapHeader, to buffer: inout OutputBuffer) {}

  func writeFooter(_ summary: MapSummary, to buffer: inout OutputBuffer) {}

  @inline(__always)
  func writeLead(_ batch: FileBatch, before range: Range<Int>, to buffer: inout OutputBuffer) {}

  /// Writes the folder entered.
  ///
  /// It changes nothing, but is mutating so that a boxed writer is used in place: reading it would
  /// copy all of its texts.
  @inline(__always)
  mutating func writeFolder(
    _ folder: FolderFeature, ring: [Coordinate], to buffer: inout OutputBuffer
  ) {
    var cursor = buffer.cursor(reserving: room(forRing: ring))
    put(folder, ring: ring, to: &cursor)
    buffer.commit(cursor)
  }

  /// Writes the files of a range of names that are not hidden, and counts them.
  @inline(__always)
  mutating func writeFiles(
    _ names: NameTable, _ range: Range<Int>, places: [FilePlace], facts: [EntryFacts],
    _ batch: FileBatch, to buffer: inout OutputBuffer
  ) -> MapSummary {
    precondition(places.count == range.count && facts.count == range.count)
    writeLead(batch, before: range, to: &buffer)
    prepare(batch)
    return writePrepared(names, range, places: places, facts: facts, to: &buffer)
  }

  @inline(__always)
  private func writePrepared(
    _ names: NameTable, _ range: Range<Int>, places: [FilePlace], facts: [EntryFacts],
    to buffer: inout OutputBuffer
  ) -> MapSummary {
    let arena = names.bytes.span
    let records = names.records.span
    let roomForFile = roomForFile
    var summary = MapSummary()
    var cursor = buffer.cursor(reserving: 0)
    for index in 0..<range.count {
      let facts = facts[index]
      switch facts.status {
      case .hidden, .vanished: continue
      case .unreadable: summary.unreadable += 1
      case .known, .sized, .unasked: break
      }
      summary.files += 1
      let name = records[range.lowerBound + index].range
      precondition(name.upperBound <= arena.count)
      let room = roomForFile + name.count * Self.roomForByteOfName
      if room > cursor.room {
        buffer.commit(cursor)
        cursor = buffer.cursor(reserving: room)
      }
      put(fileNamed: name, of: arena, at: places[index], facts, to: &cursor)
    }
    buffer.commit(cursor)
    return summary
  }
}
