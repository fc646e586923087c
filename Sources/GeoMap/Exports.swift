// The library that maps folders: nodes as an asynchronous sequence, questions, and a model for views.
// In: folders as URLs or paths. Out: `GeoNode`s, answers about paths and places, files in every format.
// Start with `GeoWorld`, then `GeoNode`; the articles are in `GeoMap.docc`.

// The types of other modules that appear in this library's interface, so that clients import only
// GeoMap. A check compares this list with the interface (Tests/Outside/check_library.py).

// Names and facts of entries
@_exported import enum GeoCore.EntryKind
@_exported import struct GeoCore.FolderTotals

// Values of your own
@_exported import enum GeoCore.LayerValue
@_exported import struct GeoSources.MapLayer

// Errors
@_exported import enum GeoCore.ErrorGroup
@_exported import protocol GeoCore.GeoError

// The system
@_exported import struct GeoSystem.Errno

// Scans and their visitors
@_exported import struct GeoTree.ScanFault

// Sources of trees
@_exported import struct GeoSources.ListFormat
@_exported import struct GeoSources.ListSource

// Selections and sums
@_exported import struct GeoTree.Selection
@_exported import struct GeoTree.TreeStats

// Places
@_exported import enum GeoProjection.Layout
@_exported import enum GeoProjection.NodeKind
@_exported import struct GeoProjection.BoundingBox
@_exported import struct GeoProjection.MapFilter

// Maps
@_exported import struct GeoAtlas.TileFormat
@_exported import struct GeoFormats.OutputFormat
