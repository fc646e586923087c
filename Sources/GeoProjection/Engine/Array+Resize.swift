extension Array {
  /// Cuts the array off or fills it up to a number of elements; what was there stays.
  ///
  /// For buffers whose elements are all written anew: faster than emptying and appending.
  mutating func resize(to count: Int, _ filler: Element) {
    if self.count > count { removeLast(self.count - count) }
    reserveCapacity(count)
    while self.count < count { append(filler) }
  }
}
