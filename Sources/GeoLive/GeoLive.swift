// A tree kept up to date in memory, and recordings of what happens in it.
// In: reports of the file system. Out: changes, samples, events and alerts.
// `Watch/` follows the tree, `Tree/` keeps its totals, `Record/` writes, reads and replays recordings.
// `Schedule/` writes the files of timers.
// Start with `Watch/TreeWatcher.swift`, then `Tree/LiveTree.swift` and `Record/Recorder.swift`.
