import Foundation
import GeoTree

/// Unix times in whole seconds, as file systems have them and the map tells them.
enum UnixTime {
  /// The second that a date is in; a date beyond 2^63 seconds of 1970 counts as the last there is.
  static func seconds(of date: Date) -> Int64 {
    let seconds = date.timeIntervalSince1970.rounded(.down)
    if let exact = Int64(exactly: seconds) { return exact }
    return seconds < 0 ? .min : .max
  }

  /// The beginning of a second.
  static func date(of seconds: Int64) -> Date { Date(timeIntervalSince1970: Double(seconds)) }
}

extension GeoNode {
  /// When it was changed, to the second; nil if that is not known.
  public var modificationDate: Date? { modified.map(UnixTime.date) }
}

extension Selection {
  /// The date after whose second a file must have been changed; ``newer`` as a `Date`.
  public var modifiedAfter: Date? {
    get { newer.map(UnixTime.date) }
    set { newer = newValue.map(UnixTime.seconds) }
  }

  /// The date before whose second a file must have been changed; ``older`` as a `Date`.
  public var modifiedBefore: Date? {
    get { older.map(UnixTime.date) }
    set { older = newValue.map(UnixTime.seconds) }
  }
}
