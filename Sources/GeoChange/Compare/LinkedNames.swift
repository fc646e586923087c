import GeoSystem

/// A name of a file that may have several, or may be reached by several links, in two states.
struct LinkedName: Sendable {
  struct Version: Sendable {
    let identity: FileIdentity
    let size, allocated: Int64
  }

  /// Nil if the state lacks it, or if the file has one name there; so for `new`.
  var old: Version?
  var new: Version?
  /// Number of the file; −1 if it is not kept, as it doesn't differ.
  var file: Int32
  /// Whether both states have the name.
  var stays: Bool
  var isCompared: Bool
}

/// The files with several names in one state, to count each once.
///
/// Memory: 32 to 64 bytes for each.
struct LinkedNames {
  private struct Known {
    var folder: Int32
    /// Number of its first name that the other state lacks; −1 without one.
    var first: Int32 = -1
    var stays = false
    var hasChanged = false
  }

  private var known: [FileIdentity: Known] = [:]

  /// `folder` ascends in the order of the map. Returns the folder of the previous name, nil for the
  /// first, and the number of a file that isn't counted, as it has another name; −1 for none.
  mutating func add(
    _ identity: FileIdentity, in folder: Int32, _ name: LinkedName
  ) -> (before: Int32?, uncounted: Int32) {
    guard var file = known[identity] else {
      known[identity] = Known(
        folder: folder, first: name.stays ? -1 : name.file, stays: name.stays,
        hasChanged: name.stays && name.file >= 0)
      return (nil, -1)
    }
    var uncounted: Int32 = -1
    if name.stays {
      // The file existed before, so its earlier names added nothing.
      (uncounted, file.first) = (file.first, -1)
      if name.file >= 0 {
        if file.hasChanged { uncounted = name.file }
        file.hasChanged = true
      }
    } else if file.stays || file.first >= 0 {
      uncounted = name.file
    } else {
      file.first = name.file
    }
    file.stays = file.stays || name.stays
    let before = file.folder
    file.folder = folder
    known[identity] = file
    return (before, uncounted)
  }

  mutating func removeAll() { known.removeAll(keepingCapacity: true) }
}
