import GeoChange
import GeoCore
import GeoWeb
import Synchronization

/// The data of `geomapper serve --history`: every node that ever existed, and the time line.
enum ServedHistory {
  static func configuration(_ low: LowArguments) throws(Failure) -> ServerConfiguration {
    var reading = HistoryReading(low)
    reading.readsSubjects = true
    // If this fails, reading the history reports why.
    let head = try? reading.head()
    let source = HistorySource(try reading.world().0)
    return configuration(
      of: source, HistoryFilter(), low, renewal(of: source, reading, since: head))
  }

  static func configuration(
    of source: HistorySource, _ filter: HistoryFilter, _ low: LowArguments,
    _ renew: @escaping @Sendable () -> ServedDocument.Renewal?
  ) -> ServerConfiguration {
    var configuration = ServerConfiguration(roots: source.roots)
    configuration.layout = low.chosenLayout
    configuration.assets = PageAsset.all(of: .history)
    configuration.documents = [
      ServedDocument(
        path: "/history", event: "history", bytes: HistoryTimeline(source, filter: filter).text(),
        renew: renew)
    ]
    return configuration
  }

  /// Makes a check that reads the history again if the revision's commit has changed.
  private static func renewal(
    of source: HistorySource, _ reading: HistoryReading, since head: [UInt8]?
  ) -> @Sendable () -> ServedDocument.Renewal? {
    var quiet = reading
    quiet.isQuiet = true
    let (reading, known) = (quiet, KnownHead(head))
    return {
      // A pull or `git gc` may hide the commit for a moment; the next check finds it.
      guard let head = try? reading.head(), known.isNew(head), let read = try? reading.world()
      else { return nil }
      known.set(head)
      let next = HistorySource(read.0)
      return ServedDocument.Renewal(
        bytes: HistoryTimeline(next, filter: HistoryFilter()).text(), roots: next.roots
      ) { source.replace(by: read.0) }
    }
  }

  private final class KnownHead: Sendable {
    private let head: Mutex<[UInt8]?>

    init(_ head: [UInt8]?) { self.head = Mutex(head) }

    func isNew(_ other: [UInt8]) -> Bool { head.withLock { $0 != other } }

    func set(_ other: [UInt8]) { head.withLock { $0 = other } }
  }
}
