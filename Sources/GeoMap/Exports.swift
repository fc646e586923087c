// The library that maps folders: nodes as an asynchronous sequence, questions, and a model for views.
// In: folders as URLs or paths. Out: `GeoNode`s, answers about paths and places, files in every format.
// Start with `GeoWorld`, then `GeoNode`; the articles are in `GeoMap.docc`.

// The types of other modules that appear in this library's interface, so that clients import only
// GeoMap. A check compares this list with the interface (Tests/Outside/check_library.py).

// Names and facts of entries
@_exported import enum GeoCore.EntryKind
@_exported import enum GeoCore.EntryName
@_exported import enum GeoCore.ExclusionReason
@_exported import enum GeoCore.RootError
@_exported import struct GeoCore.EntryFacts
@_exported import struct GeoCore.ExclusionCounts
@_exported import struct GeoCore.FolderTotals
@_exported import struct GeoCore.LeftOutEntry
@_exported import struct GeoCore.NameRecord
@_exported import struct GeoCore.NameTable

// Values of your own
@_exported import enum GeoCore.LayerValue
@_exported import struct GeoSources.MapLayer

// Drawings
@_exported import enum GeoDraw.GeoDrawingError

// The system
@_exported import enum GeoSystem.ReadingMethod
@_exported import struct GeoSystem.Errno
@_exported import struct GeoSystem.FactFailure
@_exported import struct GeoSystem.FileIdentity
@_exported import struct GeoSystem.FileStorage

// Scans and their visitors
@_exported import class GeoTree.DiskSource
@_exported import class GeoTree.FileSystemScanner
@_exported import enum GeoTree.TraversalDecision
@_exported import protocol GeoTree.ScanVisitor
@_exported import struct GeoTree.FileVersion
@_exported import struct GeoTree.FileVersions
@_exported import struct GeoTree.FolderDecision
@_exported import struct GeoTree.FolderState
@_exported import struct GeoTree.FolderVisit
@_exported import struct GeoTree.ObjectID
@_exported import struct GeoTree.ScanBatch
@_exported import struct GeoTree.ScanBatches
@_exported import struct GeoTree.ScanFault
@_exported import struct GeoTree.ScanRoot
@_exported import struct GeoTree.TemporaryEntry

// Sources of trees
@_exported import class GeoSources.GitRevision
@_exported import class GeoSources.Snapshot
@_exported import enum GeoSources.GitError
@_exported import enum GeoSources.ListError
@_exported import enum GeoSources.SnapshotError
@_exported import enum GeoTree.ContentKnowledge
@_exported import enum GeoTree.FolderReference
@_exported import enum GeoTree.TreeOrigin
@_exported import protocol GeoTree.FolderReader
@_exported import protocol GeoTree.KeptFolder
@_exported import protocol GeoTree.ReaderListener
@_exported import protocol GeoTree.TreeSession
@_exported import protocol GeoTree.TreeSource
@_exported import struct GeoSources.ListFormat
@_exported import struct GeoSources.ListSource
@_exported import struct GeoSources.SnapshotCheck
@_exported import struct GeoSources.SnapshotHeader
@_exported import struct GeoTree.FactKnowledge
@_exported import struct GeoTree.FolderFacts
@_exported import struct GeoTree.FolderListing
@_exported import struct GeoTree.ListingStamp
@_exported import struct GeoTree.SourceRecord

// Selections and sums
@_exported import enum GeoTree.GlobError
@_exported import enum GeoTree.SizeCondition
@_exported import struct GeoTree.Selection
@_exported import struct GeoTree.FileExtension
@_exported import struct GeoTree.TreeStats

// Places
@_exported import enum GeoProjection.BoundingBoxError
@_exported import enum GeoProjection.Layout
@_exported import enum GeoProjection.NodeKind
@_exported import struct GeoProjection.BoundingBox
@_exported import struct GeoProjection.City
@_exported import struct GeoProjection.Coordinate
@_exported import struct GeoProjection.FilePlace
@_exported import struct GeoProjection.FolderPlace
@_exported import struct GeoProjection.GeoProjectionEngine
@_exported import struct GeoProjection.LotSet
@_exported import struct GeoProjection.MapFilter
@_exported import struct GeoProjection.PlanPoint
@_exported import struct GeoProjection.Quad

// Maps
@_exported import class GeoPipeline.MapChunk
@_exported import enum GeoPipeline.LookupObstacle
@_exported import enum GeoPipeline.MapError
@_exported import enum GeoPipeline.MapOption
@_exported import enum GeoPipeline.MapVerification
@_exported import enum GeoPipeline.VerificationError
@_exported import struct GeoAtlas.TileFormat
@_exported import struct GeoCore.FormatTraits
@_exported import enum GeoFormats.NodeChange
@_exported import struct GeoFormats.ChangeCounts
@_exported import struct GeoFormats.MapSummary
@_exported import struct GeoFormats.UnmatchedValues
@_exported import struct GeoFormats.OutputFormat
@_exported import struct GeoPipeline.MapConflict
@_exported import struct GeoPipeline.MapStream
@_exported import struct GeoPipeline.SnapshotStream
@_exported import struct GeoPipeline.TreeVerification
@_exported import struct GeoVerify.MapChecker
@_exported import struct GeoVerify.MapFault
@_exported import struct GeoVerify.MapVerifier
@_exported import struct GeoVerify.VerifiedCounts
