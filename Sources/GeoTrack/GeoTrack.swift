// Tracks: GPX and other forms, read, measured, filtered and written.
// In: bytes of a track. Out: a `TrackDocument`, and bytes again.
// `XML/` is a strict reader without entities, `Read/` and `Write/` are the forms, `Filter/` changes tracks.
// Start with `Model/TrackDocument.swift`.
