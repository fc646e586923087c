// Where everything is: the land of a folder, the point of a file, the zoom at which each appears.
// In: names and the place of the parent. Out: places, outlines and degrees, equal to the bit on every machine.
// Integer arithmetic only, no state, no file system.
// `Land/` shares a folder's land among its sub-folders, `Places/` puts files into cities, `Chart/` turns the
// world into degrees, `Tier/` decides what a zoom or a box shows.
// Start with `Engine/GeoProjectionEngine.swift`; `Projection.md` defines every step.
