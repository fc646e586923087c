// The library for programs that read trees in their own way: sources, scans with visitors, snapshots
// and revisions as objects, places without a disk, checks of maps.
// In: what GeoMap takes, and trees of the client's own. Out: worlds of them, batches of visitors.
// Start with `TreeSource` or `ScanVisitor`; the articles are in `GeoScan.docc`. It includes GeoMap.

@_exported import GeoMap

// The types of other modules that appear in this library's interface, so that clients import only
// GeoScan. A check compares this list with the interface (Tests/Outside/check_library.py).

// Names and facts of entries
@_exported import enum GeoCore.EntryName
@_exported import enum GeoCore.ExclusionReason
@_exported import struct GeoCore.EntryFacts
@_exported import struct GeoCore.LeftOutEntry
@_exported import struct GeoCore.NameRecord
@_exported import struct GeoCore.NameTable

// The system
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
@_exported import struct GeoTree.FolderVisit
@_exported import struct GeoTree.ObjectID
@_exported import struct GeoTree.ScanBatch
@_exported import struct GeoTree.ScanBatches
@_exported import struct GeoTree.ScanRoot
@_exported import struct GeoTree.TemporaryEntry

// Sources of trees
@_exported import class GeoSources.GitRevision
@_exported import class GeoSources.Snapshot
@_exported import enum GeoTree.ContentKnowledge
@_exported import enum GeoTree.FolderReference
@_exported import enum GeoTree.TreeOrigin
@_exported import protocol GeoTree.FolderReader
@_exported import protocol GeoTree.KeptFolder
@_exported import protocol GeoTree.ReaderListener
@_exported import protocol GeoTree.TreeSession
@_exported import protocol GeoTree.TreeSource
@_exported import struct GeoSources.SnapshotCheck
@_exported import struct GeoSources.SnapshotHeader
@_exported import struct GeoTree.FactKnowledge
@_exported import struct GeoTree.FolderFacts
@_exported import struct GeoTree.FolderListing
@_exported import struct GeoTree.ListingStamp
@_exported import struct GeoTree.SourceRecord

// Places
@_exported import struct GeoProjection.City
@_exported import struct GeoProjection.Coordinate
@_exported import struct GeoProjection.FilePlace
@_exported import struct GeoProjection.FolderPlace
@_exported import struct GeoProjection.GeoProjectionEngine

// Maps
@_exported import enum GeoPipeline.MapVerification
@_exported import struct GeoPipeline.TreeVerification
@_exported import struct GeoVerify.MapFault
@_exported import struct GeoVerify.VerifiedCounts
