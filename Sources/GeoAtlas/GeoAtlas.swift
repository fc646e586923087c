// Answers about single paths and places, without reading the whole tree: nodes, tiles, search.
// In: an open world and a question. Out: nodes, vector tiles and matches.
// Only folders on the way to the answer are read; a cache keeps them while their version stamp holds.
// Start with `World.swift`, then `Tiles/TileWalk.swift`.
