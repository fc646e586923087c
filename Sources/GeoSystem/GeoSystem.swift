// System calls: each is wrapped once, retried once, and differs between Linux and macOS only here.
// In: paths, descriptors and programs. Out: directory records, bytes, threads, or an `Errno`.
// `Reading/` and `Writing/` are files and folders, `Watching/` reports changes, `Process/` starts programs and
// threads, `Sort/` sorts more than fits into memory.
// Start with `Errno.swift`, then `Reading/DirectoryReader.swift`.
