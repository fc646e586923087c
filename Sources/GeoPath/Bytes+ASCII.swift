extension [UInt8] {
  /// The bytes with ASCII's capitals made small.
  package var lowercased: [UInt8] { map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 } }
}
