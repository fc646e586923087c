// Names, paths, text and numbers as bytes, without Foundation and without system calls.
// In: raw bytes. Out: name tables, parsed JSON, compressed or checked bytes.
// `Names/` holds the names of a listing in one arena, `Bytes/` compares and merges runs of bytes,
// `Compress/` is DEFLATE with its checksums, `Text/` reads JSON and times and lists the formats.
// Start with `Names/NameTable.swift`: everything that scans or maps uses it.
