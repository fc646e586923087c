import GeoCore
import GeoSystem

/// Reads all runs of sorted entries as one.
struct MergeCursor: EntryCursor {
  private var merge: RunMerge<StoredRun<EntryRecord>>

  init(_ entries: SortedRuns<EntryRecord>) { merge = entries.cursor() }

  mutating func advance() throws(ListError) -> Bool {
    do throws(Errno) {
      return try merge.advance()
    } catch {
      throw .noScratch(error)
    }
  }

  var rank: UInt32 { UInt32(truncatingIfNeeded: merge.first.key >> 32) }

  var facts: ListedFacts {
    EntryRecord.facts(merge.first.bytes.span, at: merge.first.range.lowerBound)
  }

  var position: UInt64 {
    EntryRecord.position(merge.first.bytes.span, at: merge.first.range.lowerBound)
  }

  func isNamed(_ name: [UInt8]) -> Bool {
    merge.first.bytes[nameRange].elementsEqual(name)
  }

  func copyName(to name: inout [UInt8]) {
    name.removeAll(keepingCapacity: true)
    name.append(contentsOf: merge.first.bytes[nameRange])
  }

  /// Where the name is.
  private var nameRange: Range<Int> {
    let range = merge.first.range
    return (range.lowerBound + EntryRecord.header)..<range.upperBound
  }
}
