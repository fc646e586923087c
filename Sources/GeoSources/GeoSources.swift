// Trees that are not on this disk: lists of paths, exports of other programs, git revisions, snapshots.
// In: a file, a pipe or a repository. Out: a `TreeSource` that the scan reads like a disk.
// Start with `Snapshot/SnapshotSource.swift`; `List/` and `Git/` are the other readers.
