/// A place of a track, as far as the file tells.
package struct TrackPoint: BitwiseCopyable, Hashable, Sendable {
  /// Degrees east, −180 to 180.
  package var longitude: Double
  /// Degrees north, −90 to 90.
  package var latitude: Double
  /// Metres above the ground that the file counts from; nil if it doesn't say.
  package var elevation: Double?
  /// Unix time in milliseconds; nil if the file doesn't say.
  package var time: Int64?

  /// The times that files can hold: those of the years 1 to 9999.
  package static let times: ClosedRange<Int64> = -62_135_596_800_000...253_402_300_799_999

  /// A point of the given parts.
  package init(longitude: Double, latitude: Double, elevation: Double? = nil, time: Int64? = nil) {
    self.longitude = longitude
    self.latitude = latitude
    self.elevation = elevation
    self.time = time
  }
}
