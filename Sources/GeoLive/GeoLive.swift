// A tree kept up to date in memory, and recordings of what happens in it.
// In: reports of the file system. Out: changes, samples, events and alerts.
// `Watch/` follows whole trees for recordings and samples. `Tree/` follows the folders in view, and keeps the
// totals of all folders. If both run, they share a watcher, and totals follow whole trees.
// `Record/` writes, reads and replays recordings.
// `Schedule/` writes the files of timers.
// Start with `Watch/TreeWatcher.swift`, then `Tree/LiveTree.swift` and `Record/Recorder.swift`.
