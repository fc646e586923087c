import GeoChange
import GeoSources
import GeoPage
import GeoCore
import GeoWeb
import Synchronization

/// What `geomapper serve --history` shows: all that was ever there, and the time line of it.
enum ServedHistory {
  static func configuration(_ low: LowArguments) throws(Failure) -> ServerConfiguration {
    if low.serve.recording != nil {
      throw .usage("--history and --replay both say what is played: drop one of them")
    }
    try refuseSelection(low)
    var reading = HistoryReading(low)
    reading.readsSubjects = true
    // If it can't be found out, reading says why.
    let head = try? reading.head()
    let source = HistorySource(try reading.world().0)
    var configuration = ServerConfiguration(roots: source.roots)
    configuration.layout = low.layout ?? .settled
    configuration.assets = PageAsset.all(of: .history)
    configuration.documents = [
      ServedDocument(
        path: "/history", event: "history",
        bytes: HistoryTimeline(source, filter: HistoryFilter()).text(),
        renew: renewal(of: source, reading, since: head))
    ]
    return configuration
  }

  /// Reads the history again if the revision is another one.
  private static func renewal(
    of source: HistorySource, _ reading: HistoryReading, since head: [UInt8]?
  ) -> @Sendable () -> ServedDocument.Renewal? {
    var quiet = reading
    quiet.isQuiet = true
    let (reading, known) = (quiet, KnownHead(head))
    return {
      // While somebody pulls or gc runs it may be gone for a moment; the next look finds it.
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

  /// What is shown is all of a history.
  static func refuseSelection(_ low: LowArguments) throws(Failure) {
    if try MapPlan.selection(low).isActive || low.list.file != nil {
      throw .usage("--history shows all of a history: drop the options that choose some of a tree")
    }
  }
}
