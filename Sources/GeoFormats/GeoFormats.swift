// How a feature becomes bytes: one record of a feature, and a writer for each format.
// In: nodes with their places. Out: bytes in an output buffer, in batches.
// `FeatureRecord.swift` lists the members of a feature, `Formats/` has the writers, `Pack/` assembles binary
// files that need an index, `Buffer/` is the output buffer (one of the two places with unsafe pointers).
// Start with `FeatureWriter.swift`.
