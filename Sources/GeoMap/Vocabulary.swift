import Foundation
import GeoAtlas
import GeoCore
import GeoFormats
import GeoPipeline
import GeoProjection
import GeoSources
import GeoSystem
import GeoTree
import GeoVerify

// The types of the stages that appear in this library's interface, so that one import will do.

/// What an entry is in the file system.
public typealias EntryKind = GeoCore.EntryKind
/// Why a map could not be begun.
public typealias MapError = GeoPipeline.MapError
/// Checks a map in a file.
public typealias MapVerification = GeoPipeline.MapVerification
/// Checks the maps of a tree.
public typealias TreeVerification = GeoPipeline.TreeVerification
/// Why a map or a tree is not what it has to be, or why nobody can tell.
public typealias VerificationError = GeoPipeline.VerificationError
/// Checks the bytes of a map, which come twice.
public typealias MapVerifier = GeoVerify.MapVerifier
/// What was checked, and how often.
public typealias VerifiedCounts = GeoVerify.VerifiedCounts
/// Something in a map that is not as it has to be: a counterexample.
public typealias MapFault = GeoVerify.MapFault
/// Why a world can't be asked about single paths and places.
public typealias LookupObstacle = GeoPipeline.LookupObstacle
/// A map as it is being made: chunks of bytes.
public typealias MapStream = GeoPipeline.MapStream
/// Part of a map, as bytes.
public typealias MapChunk = GeoPipeline.MapChunk
/// The formats a map is written in.
public typealias OutputFormat = GeoFormats.OutputFormat
/// All that is below a folder.
public typealias FolderTotals = GeoCore.FolderTotals
/// All that is needed to map one part of a world without the rest.
public typealias ShardManifest = GeoPipeline.ShardManifest
/// Why a text is not a shard manifest.
public typealias ShardManifestError = GeoPipeline.ShardManifestError
/// The shard manifests of a world that was split.
public typealias ShardSet = GeoPipeline.ShardSet
/// What a tree consists of.
public typealias TreeStats = GeoTree.TreeStats
/// What is wrong with the roots of a map.
public typealias RootError = GeoCore.RootError
/// The reason why a system call failed.
public typealias Errno = GeoSystem.Errno
/// By which system calls folders are read.
public typealias ReadingMethod = GeoSystem.ReadingMethod
/// How sub-folders come by their land.
public typealias Layout = GeoProjection.Layout
/// The rank of a node on the map.
public typealias NodeKind = GeoProjection.NodeKind
/// Where trees are read from, a listing at a time.
public typealias TreeSource = GeoTree.TreeSource
/// The folders of this machine.
public typealias DiskSource = GeoTree.DiskSource
/// A snapshot in a file.
public typealias Snapshot = GeoSources.Snapshot
/// Why a snapshot can't be read.
public typealias SnapshotError = GeoSources.SnapshotError
/// A snapshot as it is being written.
public typealias SnapshotStream = GeoPipeline.SnapshotStream
/// A revision of a git repository.
public typealias GitRevision = GeoSources.GitRevision
/// Why a revision can't be read.
public typealias GitError = GeoSources.GitError
/// Reads trees of folders.
public typealias FileSystemScanner = GeoTree.FileSystemScanner
/// An entry that could not be shown as it is.
public typealias ScanFault = GeoTree.ScanFault
/// A list of paths that is read in place of a disk.
public typealias ListSource = GeoSources.ListSource
/// How a list is written.
public typealias ListFormat = GeoSources.ListFormat
/// Why a list can't be mapped at all.
public typealias ListError = GeoSources.ListError
/// A box of the map.
public typealias BoundingBox = GeoProjection.BoundingBox
/// Why four numbers are no box of the map.
public typealias BoundingBoxError = GeoProjection.BoundingBoxError
/// How a tile is written.
public typealias TileFormat = GeoAtlas.TileFormat
/// Which nodes of a world are shown.
public typealias MapFilter = GeoProjection.MapFilter
/// Which entries of a world are shown, wherever they are.
public typealias Selection = GeoTree.Selection
/// How many bytes a file must have.
public typealias SizeCondition = GeoTree.SizeCondition
/// Why a glob is none.
public typealias GlobError = GeoTree.GlobError
/// Why an entry is left out.
public typealias ExclusionReason = GeoCore.ExclusionReason
/// How many entries were left out, by reason.
public typealias ExclusionCounts = GeoCore.ExclusionCounts

extension GeoPipeline.MapError: LocalizedError {
  /// The error's description, so that `localizedDescription` says what is wrong.
  public var errorDescription: String? { description }
}
