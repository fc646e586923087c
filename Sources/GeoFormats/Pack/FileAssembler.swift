import GeoSystem

/// Makes a file of a map whose beginning depends on what comes last: an index, counts, an order.
///
/// The threads that read the tree write each node as a record, by the ``FormatWriter`` of the format. An
/// assembler takes the records in the order of the map, in scratch files where they don't fit into
/// memory; when all have come it gives the file, part by part. So a map in such a format is a stream like any other,
/// and its bytes are the same for any number of threads.
///
/// A format adds a subclass, and a line to ``make(for:_:_:threads:)``.
package class FileAssembler {
  /// What the map says of itself.
  package let header: MapHeader
  /// What its records say.
  package let options: WriterOptions
  /// How many threads may work at once.
  let threads: Int

  /// An assembler that has got nothing yet.
  package init(_ header: MapHeader, _ options: WriterOptions, threads: Int) {
    self.header = header
    self.options = options
    self.threads = max(threads, 1)
  }

  /// What assembles a format; nil if its features are written as they come.
  ///
  /// - Parameter threads: How many threads may work at once.
  package static func make(
    for format: OutputFormat, _ header: MapHeader, _ options: WriterOptions, threads: Int
  ) -> FileAssembler? {
    switch format {
    case .flatgeobuf where options.isIndexed:
      FlatGeobufAssembler(header, options, threads: threads)
    case .parquet: ParquetAssembler(header, options, threads: threads)
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

  /// Writes the next part of the file, some 100 to 800 KiB, to an empty buffer, or puts a buffer that has it in the place of
  /// that one.
  ///
  /// - Returns: Whether there was any.
  /// - Throws: Why a scratch file could not be read.
  package func write(to buffer: inout OutputBuffer) throws(Errno) -> Bool { false }
}
