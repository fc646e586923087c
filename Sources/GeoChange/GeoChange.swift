// Several states of a tree: read as one tree, compared, or followed through a history.
// In: two or more sources. Out: differences, moves, lives and events, as lists or as maps.
// `Union/` lists a folder in all states at once, `Compare/` finds what changed, `History/` follows each file,
// `Store/` keeps what exceeds memory in a scratch file.
// Start with `Compare/Comparison.swift`.
