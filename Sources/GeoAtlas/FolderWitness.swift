import GeoProjection
import GeoTree
import GeoSystem
import Synchronization

/// What is remembered of a folder that was read, without its listing: which one it was, where it is
/// on the map, and when it was changed.
///
/// It says whether something that was made of listings still holds, and keeps none of them in memory.
package final class FolderWitness: Sendable {
  /// The root's label and names, joined by `/`.
  package let path: [UInt8]
  /// Which root it belongs to.
  package let root: Int
  package let place: FolderPlace
  /// nil if the listing must not be kept: nobody could tell whether it still holds.
  package let stamp: ListingWitness?
  /// By which its source finds it; nil if its path is enough.
  let mark: UInt64?
  /// What the file of git's rules in it was, if they count.
  let rules: ListingWitness?
  /// When it was last found to be as it was, in nanoseconds of the steady clock.
  private let checked: Atomic<Int64>

  init(
    path: [UInt8], root: Int, place: FolderPlace, stamp: ListingWitness?, mark: UInt64?,
    rules: ListingWitness? = nil
  ) {
    self.path = path
    self.root = root
    self.place = place
    self.stamp = stamp
    self.mark = mark
    self.rules = rules
    checked = Atomic(ThisProcess.nanoseconds)
  }

  /// Whether it was found to be as it was at a time or later.
  func wasChecked(since time: Int64) -> Bool { checked.load(ordering: .relaxed) >= time }

  func noteChecked() { checked.store(ThisProcess.nanoseconds, ordering: .relaxed) }
}
