import GeoCore
import GeoFormats
import GeoPipeline
import GeoProjection
import GeoSystem
import GeoTree

package struct ComparisonBatches: Sendable {
  let comparison: Comparison
  let batches: ScanBatches<ComparePart>
  package let engine: GeoProjectionEngine
  let roots: [ScanRoot]

  /// The comparison can be read once.
  package func makeAsyncIterator() -> Iterator {
    Iterator(
      base: batches.makeAsyncIterator(), roots: roots,
      builder: ChangeTreeBuilder(comparison, of: roots))
  }

  package struct Progress: Sendable {
    package let folders, files: Int
    /// Faults since the last report.
    package let faults: [ScanFault]
    package let place: [UInt8]
  }

  package struct Iterator {
    fileprivate var base: ScanBatches<ComparePart>.Iterator
    fileprivate let roots: [ScanRoot]
    fileprivate var builder: ChangeTreeBuilder

    /// - Throws: `CancellationError` if the task was cancelled; `MapError` of the scratch file.
    package mutating func next(isolation actor: isolated (any Actor)?) async throws -> Progress? {
      guard let batch = try await base.next(isolation: actor) else { return try readPassedOver() }
      try rethrowing(builder.add(batch.content), as: MapError.noScratch)
      return progress(faults: batch.faults, at: batch.place)
    }

    private func progress(faults: [ScanFault], at place: [UInt8]) -> Progress {
      Progress(
        folders: builder.counted.folders, files: builder.counted.files, faults: faults,
        place: place)
    }

    /// Reads the files in skipped folders, if files may have moved or the measure depends on them.
    private mutating func readPassedOver() throws(MapError) -> Progress? {
      let contents = builder.takePassedOver()
      guard !contents.isEmpty, let root = roots.first else { return nil }
      var digests: [UInt64] = []
      var seen = RoomSeen()
      // All roots of a union have one source.
      let knowledge = root.source.knowledge
      let reason = root.source.readFiles(in: contents) { file in
        seen.see(file)
        if let key = FileKey(file, knowledge) { digests.append(key.digest) }
      }
      try rethrowing(builder.add(unmoved: digests, seen), as: MapError.noScratch)
      return progress(
        faults: reason.map { [ScanFault(rawPath: root.label, reason: $0)] } ?? [], at: root.label)
    }

    /// Once ``next(isolation:)`` has returned nil.
    package mutating func finish() throws(MapError) -> ChangeTree {
      try rethrowing(builder.finish(), as: MapError.noScratch)
    }
  }
}
