import GeoCore
import GeoProjection

/// One format: a header, features with a separator between them, and a footer.
///
/// The loop over a batch is generic, so that the compiler makes one for each format in which every
/// call below is direct. A text format says how a folder and a file are put and, where it has them,
/// what stands around all of them.
protocol FormatWriter: Sendable {
  /// What each feature begins with to be told from the one before.
  var separator: [UInt8] { get }

  /// Writes what stands before the first feature.
  func writeHeader(_ header: MapHeader, to buffer: inout OutputBuffer)

  /// Writes what follows the last feature.
  func writeFooter(_ summary: MapSummary, to buffer: inout OutputBuffer)

  /// Writes what stands before files of the folder entered.
  ///
  /// - Parameter range: Which of the folder's names are going to be written.
  func writeLead(_ batch: FileBatch, before range: Range<Int>, to buffer: inout OutputBuffer)

  /// Takes what the features written next say of several states; most formats have no place for it.
  mutating func say(_ parts: FeatureParts?)

  /// Prepares what the features of a folder and its files have in common.
  mutating func enterFolder(path: [UInt8])

  /// Prepares what the features of a batch have in common.
  mutating func prepare(_ batch: FileBatch)

  /// An upper bound of the bytes that a file's feature takes, but for its name.
  var roomForFile: Int { get }

  /// How many bytes one byte of a file's name can become in its feature, at most.
  static var roomForByteOfName: Int { get }

  /// Puts a file of the folder entered and of the batch prepared.
  ///
  /// - Parameters:
  ///   - name: Where its name lies in the arena.
  ///   - arena: The bytes of all names.
  ///   - place: Where it is.
  ///   - facts: What is known of it.
  ///   - cursor: Where to put it.
  func put(
    fileNamed name: Range<Int>, of arena: Span<UInt8>, at place: FilePlace, _ facts: EntryFacts,
    to cursor: inout OutputCursor)

  /// Whether features say which ground is whose: of folders, what their lands were cut out of, of files, on
  /// what they stand.
  static var takesCells: Bool { get }

  /// An upper bound of the bytes that the feature of the folder entered takes.
  func room(forRing ring: [Coordinate]) -> Int

  /// Puts the folder entered.
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
  /// It changes nothing, but is mutating so that a writer in a box is used in place: to read it would
  /// be to copy all of its texts.
  @inline(__always)
  mutating func writeFolder(
    _ folder: FolderFeature, ring: [Coordinate], to buffer: inout OutputBuffer
  ) {
    var cursor = buffer.cursor(reserving: room(forRing: ring))
    put(folder, ring: ring, to: &cursor)
    buffer.commit(cursor)
  }

  /// Writes the files of a range of names that are to be shown, and counts them.
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
