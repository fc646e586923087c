import Foundation
import GeoCore
import GeoPipeline
import GeoProjection
import GeoSources
import GeoSystem
import GeoTree

/// Why a file or a site can't be written.
public struct GeoWritingError: Error, Hashable, Sendable, CustomStringConvertible, LocalizedError {
  /// The kind of failure.
  public enum Kind: Hashable, Sendable {
    /// The URL is not a file URL, or the file's name says no format.
    case badName
    /// The folder of a site holds other files.
    case foreign
    /// Another process writes the same site.
    case busy
    /// A system call failed.
    case system(Errno)
  }

  /// The kind of failure.
  public let kind: Kind
  /// What is wrong and what to do, in words.
  public let description: String
  /// The same, so that `localizedDescription` says it.
  public var errorDescription: String? { description }

  /// The error for the folder of a site.
  init(_ failure: Failure) {
    let reason = failure.cause as? Errno
    kind = reason == .wouldBlock ? .busy : reason.map(Kind.system) ?? .foreign
    description = failure.message
  }

  init(kind: Kind, description: String) {
    (self.kind, self.description) = (kind, description)
  }

  static func system(_ path: [UInt8], _ reason: Errno) -> GeoWritingError {
    GeoWritingError(
      kind: .system(reason), description: "can't write '\(TerminalText.escaped(path))': \(reason)")
  }

  /// - Parameter things: What the file would hold.
  static func noFormat(_ path: [UInt8], of things: String) -> GeoWritingError {
    GeoWritingError(
      kind: .badName,
      description: "the name '\(TerminalText.escaped(path))' says no format of \(things)")
  }
}

/// A folder that a lookup can't list.
public struct GeoLookupError: Error, Hashable, Sendable, CustomStringConvertible, LocalizedError {
  /// The path on the map, which is empty if no thread could be started; and the reason.
  public let fault: ScanFault

  /// What is wrong, in words.
  public var description: String {
    fault.path.isEmpty
      ? "can't start a thread: \(fault.reason.text)"
      : fault.description
  }
  /// The same, so that `localizedDescription` says it.
  public var errorDescription: String? { description }
}

// Errors of lower modules, so that `localizedDescription` says what is wrong.

extension MapError: LocalizedError {
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

extension BoundingBox.Fault: LocalizedError {
  /// What is wrong and what to do, so that `localizedDescription` says it.
  public var errorDescription: String? { description }
}

extension GeoDrawingError: LocalizedError {
  /// What is wrong and what to do, so that `localizedDescription` says it.
  public var errorDescription: String? { description }
}

extension Selection.GlobError: LocalizedError {
  /// What is wrong and what to do, so that `localizedDescription` says it.
  public var errorDescription: String? { description }
}
