import GeoPipeline
import GeoProjection
import GeoTree
import GeoSystem

extension Recorder {
  /// What is to be recorded.
  package struct Configuration: Sendable {
    /// Folders of this machine.
    package var roots: [ScanRoot]
    package var layout = Layout.settled
    package var selection = Selection()
    /// Files that are treated as not there, and folders that are not entered.
    package var ignored: Set<FileSystem.Identity> = []
    /// How often samples are taken, in nanoseconds; nil for never.
    package var sampling: Int64?
    /// Whether what changes is recorded; if not, samples and alerts are all.
    package var recordsChanges = true
    /// When it ends by itself, in nanoseconds after its beginning.
    package var duration: Int64?
    /// After how many events it ends by itself.
    package var mostEvents: Int?
    /// When somebody wants to be told.
    package var alerts: [AlertRule] = []
    /// Whether folders of another file system than their root's are not entered.
    package var staysOnFileSystem = false
    /// Whether what was lost is looked for; if not, nothing is kept of the trees, and there can be no
    /// samples, alerts and selection.
    package var repairs = true
    /// In which way changes are found out; nil for the best that there is here.
    package var way: WatchWay?
    /// How long an alert is not raised again, in nanoseconds.
    package var cooldown: Int64 = 600_000_000_000

    /// What happens in some folders.
    package init(roots: [ScanRoot]) { self.roots = roots }
  }
}

/// Why nothing can be recorded.
package enum RecorderError: Error {
  case unmappable(MapError)
  case unwatchable(Errno)
  case noThread(Errno)
}
