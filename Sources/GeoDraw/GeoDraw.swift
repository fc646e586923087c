// How a poster looks: land, borders, relief, names and legend as one SVG.
// In: the folders of a view with their sums. Out: the bytes of a sheet, equal on every machine.
// `Ground/` draws land on a grid, `Names/` places names, `Picture/` paints, `Sheet/` arranges the sheet.
// Start with `Sheet/Poster.swift`.
