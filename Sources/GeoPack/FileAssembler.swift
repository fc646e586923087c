import GeoEmit
import GeoSystem

/// Makes a file of a map whose beginning depends on what comes last: an index, counts, an order.
///
/// The threads that read the tree write each node as a record, by the ``FormatWriter`` of the format. An
/// assembler takes the records in the order of the map, in scratch files where they don't fit into
/// memory; when all have come it gives the file, part by part. So a map in such a format is a stream like any other,
/// and its bytes are the same for any number of threads.
///
/// A format adds a subclass, and a line to ``make(for:_:)``.
package class FileAssembler {
  /// What the map says of itself.
  package let header: MapHeader
  /// What its records say.
  package let options: WriterOptions

  /// An assembler that has got nothing yet.
  package init(_ header: MapHeader, _ options: WriterOptions) {
    self.header = header
    self.options = options
  }

  /// What assembles a format; nil if its features are written as they come.
  package static func make(
    for format: OutputFormat, _ header: MapHeader, _ options: WriterOptions
  ) -> FileAssembler? {
    switch format {
    case .flatgeobuf where options.isIndexed: FlatGeobufAssembler(header, options)
    case .parquet: ParquetAssembler(header, options)
    default: nil
    }
  }

  /// Takes records, whole ones, in the order of the map.
  ///
  /// - Throws: Why a scratch file could not be written.
  package func take(_ records: Span<UInt8>) throws(Errno) {}

  /// All records have come.
  ///
  /// - Throws: Why a scratch file could not be written or read.
  package func finish() throws(Errno) {}

  /// Adds the next part of the file to a buffer, some 100 KiB at most.
  ///
  /// - Returns: Whether there was any.
  /// - Throws: Why a scratch file could not be read.
  package func write(to buffer: inout OutputBuffer) throws(Errno) -> Bool { false }
}
