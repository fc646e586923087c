// The stages together: scan → project → tier → emit, for maps, parts of maps and snapshots.
// In: a request (sources, selection, format, filter). Out: a stream of bytes or of nodes.
// Start with `MapRequest.swift`, then `MapStream.swift`; `Parts/` maps one tree on several machines,
// `Redaction/` hides names.
