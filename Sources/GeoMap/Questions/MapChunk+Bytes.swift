import GeoPipeline

extension MapChunk {
  /// A copy of the bytes, for where the lent ones won't do.
  public var bytes: [UInt8] {
    withBytes { span in
      var bytes: [UInt8] = []
      bytes.reserveCapacity(span.count)
      for index in span.indices { bytes.append(span[index]) }
      return bytes
    }
  }
}
