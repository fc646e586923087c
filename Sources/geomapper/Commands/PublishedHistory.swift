import GeoChange
import GeoPipeline

/// What `geomapper publish --history` writes a site of: all that was ever there, and what happened to it.
struct PublishedHistory {
  /// What is shown.
  let request: MapRequest
  /// The rows that the page plays.
  let timeline: [UInt8]
  /// Whether all of it can be shown.
  let isWhole: Bool

  init(_ low: LowArguments) throws(Failure) {
    try ServedHistory.refuseSelection(low)
    if low.redaction.isAsked || low.redaction.keyFile != nil {
      throw .usage("a history tells of all names: drop --redact, or --history")
    }
    var reading = HistoryReading(low)
    reading.readsSubjects = true
    let (world, faults) = try reading.world()
    let source = HistorySource(world)
    var request = MapRequest(roots: source.roots)
    request.layout = low.layout ?? .settled
    request.scan.threads = low.threads
    self.request = request
    timeline = HistoryTimeline(source, filter: HistoryFilter()).text()
    isWhole = faults == 0
  }
}
