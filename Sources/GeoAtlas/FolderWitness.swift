import GeoProjection
import GeoSystem
import Synchronization

/// What is remembered of a folder that was read, without its listing: which one it was, where it is
/// on the map, and when it was changed.
///
/// It says whether something that was made of listings still holds, and keeps none of them in memory.
package final class FolderWitness: Sendable {
  /// What a listing is held to be good for: the folder itself and when it was changed.
  package struct Stamp: Sendable, Hashable {
    var identity: FileSystem.Identity
    var seconds: Int64
    var nanoseconds: UInt32

    init(_ facts: FileSystem.Facts) {
      identity = facts.identity
      seconds = facts.modified
      nanoseconds = facts.modifiedNanoseconds
    }
  }

  /// The root's label and names, joined by `/`.
  package let path: [UInt8]
  /// Which root it belongs to.
  package let root: Int
  package let place: FolderPlace
  /// nil if the listing must not be kept: nobody could tell whether it still holds.
  package let stamp: Stamp?
  /// When it was last found to be as it was, in nanoseconds of the steady clock.
  private let checked: Atomic<Int64>

  init(path: [UInt8], root: Int, place: FolderPlace, stamp: Stamp?) {
    self.path = path
    self.root = root
    self.place = place
    self.stamp = stamp
    checked = Atomic(ThisProcess.nanoseconds)
  }

  /// Whether it was found to be as it was at a time or later.
  func wasChecked(since time: Int64) -> Bool { checked.load(ordering: .relaxed) >= time }

  func noteChecked() { checked.store(ThisProcess.nanoseconds, ordering: .relaxed) }
}
