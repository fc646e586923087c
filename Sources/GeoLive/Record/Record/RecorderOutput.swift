/// Takes the events of a recording.
package protocol RecorderOutput: AnyObject {
  /// An event has happened.
  func add(_ event: RecordedEvent, at time: Int64)

  /// Nothing more has happened for now.
  func rest(at time: Int64)
}
