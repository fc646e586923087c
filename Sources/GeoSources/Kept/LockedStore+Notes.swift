import GeoSystem

/// Small files in the store besides the states.
extension LockedStore {
  /// The contents of a file; nil if it doesn't exist.
  package func note(_ name: [UInt8], limit: Int) throws(KeptError) -> [UInt8]? {
    do throws(Errno) {
      return try files.read(name, limit: limit)
    } catch {
      if error == .noEntry { return nil }
      throw .unreadable(store: files.path, error)
    }
  }

  /// Writes a file whole.
  package func write(_ bytes: [UInt8], asNote name: [UInt8]) throws(KeptError) {
    do throws(Errno) {
      let file = try StoreFile(in: files)
      try file.append(bytes.span)
      try file.finish(as: name)
    } catch {
      throw .unwritable(store: files.path, error)
    }
  }
}
