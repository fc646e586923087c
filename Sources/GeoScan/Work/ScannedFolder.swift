import GeoPath
import GeoSystem
import Synchronization

/// A folder whose contents are still to be visited.
///
/// It is kept as long as there is work in it, and closes its descriptor when the last of it is done.
final class ScannedFolder: Sendable {
  /// The root's label, then names, joined by `/`; empty for the folder of all roots.
  let path: [UInt8]
  /// Which root it is below.
  let root: Int
  /// What the visitor knows of its sub-folders: a `Plan` of the scan's visitors. Its type is left
  /// open, so that the work in hand is plain values, which no generic code has to look up.
  let plan: any AnyObject & Sendable
  /// The sub-folders that are not hidden.
  let folders: NameTable
  /// What becomes of each of them.
  let admissions: [Admission]
  /// The folder itself; nil for the folder of all roots.
  let handle: ReopenableFolder?
  /// What it was reached through, if somebody asked for it.
  let lineage: Lineage?

  init(
    path: [UInt8], root: Int, plan: any AnyObject & Sendable, folders: NameTable,
    admissions: [Admission],
    handle: ReopenableFolder?, lineage: Lineage? = nil
  ) {
    self.path = path
    self.root = root
    self.plan = plan
    self.folders = folders
    self.admissions = admissions
    self.handle = handle
    self.lineage = lineage
  }
}
