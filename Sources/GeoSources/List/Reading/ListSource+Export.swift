extension ListSource {
  /// The path of the folder that an export is of; nil if there is nothing in it.
  ///
  /// - Throws: ``ListError`` if it can't be read.
  public var topOfExport: [UInt8]? {
    get throws(ListError) {
      var parser = ExportParser(try ListInput(opening: self), self)
      var entry = ListedEntry()
      var faults: [ListFault] = []
      guard try parser.next(into: &entry, faults: &faults) == .entry else { return nil }
      return entry.path
    }
  }
}
