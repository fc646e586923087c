import GeoSystem

/// Programs that make a PNG of a drawing.
enum PictureProgram {
  /// The picture of a drawing, by whichever program there is.
  static func png(of svg: [UInt8]) throws(Failure) -> [UInt8] {
    throw .usage("not yet")
  }
}
