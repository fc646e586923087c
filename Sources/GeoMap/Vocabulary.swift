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

// The types of other modules that appear in this library's interface, so that clients import only
// GeoMap.

/// The kind of an entry in the file system.
public typealias EntryKind = GeoCore.EntryKind
/// Why a map could not be started.
public typealias MapError = GeoPipeline.MapError
/// Checks a map file.
public typealias MapVerification = GeoPipeline.MapVerification
/// Checks the maps of a tree.
public typealias TreeVerification = GeoPipeline.TreeVerification
/// Why a map or a tree is wrong, or could not be checked.
public typealias VerificationError = GeoPipeline.VerificationError
/// Checks the bytes of a map, which it reads twice.
public typealias MapVerifier = GeoVerify.MapVerifier
/// Counts of the checks that were made.
public typealias VerifiedCounts = GeoVerify.VerifiedCounts
/// A fault of a map: a counterexample to what the map must fulfil.
public typealias MapFault = GeoVerify.MapFault
/// Why a world doesn't allow lookups of single paths and places.
public typealias LookupObstacle = GeoPipeline.LookupObstacle
/// A map as a stream of chunks of bytes.
public typealias MapStream = GeoPipeline.MapStream
/// A chunk of a map's bytes.
public typealias MapChunk = GeoPipeline.MapChunk
/// A format of maps.
public typealias OutputFormat = GeoFormats.OutputFormat
/// The totals of a folder: what it contains at any depth.
public typealias FolderTotals = GeoCore.FolderTotals
/// A manifest with all that is needed to map one part of a world without the rest.
public typealias ShardManifest = GeoPipeline.ShardManifest
/// Why a shard manifest is invalid.
public typealias ShardManifestError = GeoPipeline.ShardManifestError
/// All shard manifests of a world that was split.
public typealias ShardSet = GeoPipeline.ShardSet
/// Statistics of a tree.
public typealias TreeStats = GeoTree.TreeStats
/// Why the roots of a map are invalid.
public typealias RootError = GeoCore.RootError
/// An error number of the system.
public typealias Errno = GeoSystem.Errno
/// Which system calls read folders.
public typealias ReadingMethod = GeoSystem.ReadingMethod
/// How sub-folders get their land.
public typealias Layout = GeoProjection.Layout
/// The rank of a node on the map.
public typealias NodeKind = GeoProjection.NodeKind
/// A source of trees, read one listing at a time.
public typealias TreeSource = GeoTree.TreeSource
/// The source that reads this machine's disk.
public typealias DiskSource = GeoTree.DiskSource
/// A snapshot file.
public typealias Snapshot = GeoSources.Snapshot
/// Why a snapshot can't be read.
public typealias SnapshotError = GeoSources.SnapshotError
/// A snapshot as a stream of chunks of bytes.
public typealias SnapshotStream = GeoPipeline.SnapshotStream
/// A revision of a git repository.
public typealias GitRevision = GeoSources.GitRevision
/// Why a revision can't be read.
public typealias GitError = GeoSources.GitError
/// Scans trees of folders.
public typealias FileSystemScanner = GeoTree.FileSystemScanner
/// An entry that could not be read or mapped as it is.
public typealias ScanFault = GeoTree.ScanFault
/// A list of paths to map in place of a disk.
public typealias ListSource = GeoSources.ListSource
/// The format of a list of paths.
public typealias ListFormat = GeoSources.ListFormat
/// Why a list of paths can't be mapped.
public typealias ListError = GeoSources.ListError
/// A box on the map, in degrees.
public typealias BoundingBox = GeoProjection.BoundingBox
/// Why four numbers are not a valid box.
public typealias BoundingBoxError = GeoProjection.BoundingBoxError
/// The encoding of a tile.
public typealias TileFormat = GeoAtlas.TileFormat
/// Which nodes of a world are shown.
public typealias MapFilter = GeoProjection.MapFilter
/// Which entries of a world are shown, wherever they are.
public typealias Selection = GeoTree.Selection
/// A condition on the size of files.
public typealias SizeCondition = GeoTree.SizeCondition
/// Why a glob is invalid.
public typealias GlobError = GeoTree.GlobError
/// Why an entry is left out.
public typealias ExclusionReason = GeoCore.ExclusionReason
/// How many entries were left out, by reason.
public typealias ExclusionCounts = GeoCore.ExclusionCounts

extension GeoPipeline.MapError: LocalizedError {
  /// What is wrong and what to do, so that `localizedDescription` says it.
  public var errorDescription: String? { description }
}

extension GeoPipeline.VerificationError: LocalizedError {
  /// What is wrong and what to do, so that `localizedDescription` says it.
  public var errorDescription: String? { description }
}

extension GeoPipeline.ShardManifestError: LocalizedError {
  /// What is wrong and what to do, so that `localizedDescription` says it.
  public var errorDescription: String? { description }
}

extension GeoCore.RootError: LocalizedError {
  /// What is wrong and what to do, so that `localizedDescription` says it.
  public var errorDescription: String? { description }
}

extension GeoSystem.Errno: LocalizedError {
  /// What is wrong and what to do, so that `localizedDescription` says it.
  public var errorDescription: String? { description }
}

extension GeoSources.SnapshotError: LocalizedError {
  /// What is wrong and what to do, so that `localizedDescription` says it.
  public var errorDescription: String? { description }
}

extension GeoSources.GitError: LocalizedError {
  /// What is wrong and what to do, so that `localizedDescription` says it.
  public var errorDescription: String? { description }
}

extension GeoSources.ListError: LocalizedError {
  /// What is wrong and what to do, so that `localizedDescription` says it.
  public var errorDescription: String? { description }
}

extension GeoProjection.BoundingBoxError: LocalizedError {
  /// What is wrong and what to do, so that `localizedDescription` says it.
  public var errorDescription: String? { description }
}

extension GeoTree.GlobError: LocalizedError {
  /// What is wrong and what to do, so that `localizedDescription` says it.
  public var errorDescription: String? { description }
}
