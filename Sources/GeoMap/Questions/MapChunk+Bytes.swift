import GeoCore
import GeoPipeline

extension MapChunk {
  /// A copy of the bytes, for where the lent ones won't do.
  public var bytes: [UInt8] {
    withBytes { Array(copying: $0) }
  }
}
