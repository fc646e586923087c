import GeoPipeline

extension MapChunk {
  /// A copy of the bytes, for where the lent ones won't do.
  public var bytes: [UInt8] {
    withBytes { span in span.withUnsafeBufferPointer { Array($0) } }
  }
}
