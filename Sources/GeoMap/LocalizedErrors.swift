import Foundation
import GeoCore
import GeoPipeline
import GeoProjection
import GeoSources
import GeoSystem
import GeoTree

// Errors of lower modules, so that `localizedDescription` says what is wrong.

extension MapError: LocalizedError {
  /// What is wrong and what to do, so that `localizedDescription` says it.
  public var errorDescription: String? { description }
}

extension VerificationError: LocalizedError {
  /// What is wrong and what to do, so that `localizedDescription` says it.
  public var errorDescription: String? { description }
}

extension ShardManifestError: LocalizedError {
  /// What is wrong and what to do, so that `localizedDescription` says it.
  public var errorDescription: String? { description }
}

extension RootError: LocalizedError {
  /// What is wrong and what to do, so that `localizedDescription` says it.
  public var errorDescription: String? { description }
}

extension Errno: LocalizedError {
  /// What is wrong and what to do, so that `localizedDescription` says it.
  public var errorDescription: String? { description }
}

extension SnapshotError: LocalizedError {
  /// What is wrong and what to do, so that `localizedDescription` says it.
  public var errorDescription: String? { description }
}

extension GitError: LocalizedError {
  /// What is wrong and what to do, so that `localizedDescription` says it.
  public var errorDescription: String? { description }
}

extension ListError: LocalizedError {
  /// What is wrong and what to do, so that `localizedDescription` says it.
  public var errorDescription: String? { description }
}

extension BoundingBoxError: LocalizedError {
  /// What is wrong and what to do, so that `localizedDescription` says it.
  public var errorDescription: String? { description }
}

extension GlobError: LocalizedError {
  /// What is wrong and what to do, so that `localizedDescription` says it.
  public var errorDescription: String? { description }
}
