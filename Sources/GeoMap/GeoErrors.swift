import Foundation
import GeoCore
import GeoDraw
import GeoFormats
import GeoPipeline
import GeoProjection
import GeoSources
import GeoSystem
import GeoTree

// What `localizedDescription` says of the errors of lower modules.

extension GeoError where Self: LocalizedError {
  /// What is wrong and what to do, so that `localizedDescription` says it.
  public var errorDescription: String? { description }
}

extension Failure: LocalizedError {}
extension MapError: LocalizedError {}
extension RootError: LocalizedError {}
extension SnapshotError: LocalizedError {}
extension GitError: LocalizedError {}
extension ListError: LocalizedError {}
extension BoundingBox.Fault: LocalizedError {}
extension GeoDrawingError: LocalizedError {}
extension Selection.GlobError: LocalizedError {}

extension Errno: LocalizedError {
  /// What is wrong, so that `localizedDescription` says it.
  public var errorDescription: String? { description }
}

extension OutputFormat {
  /// Throws unless the format is one of those that hold the things.
  func file(among formats: [OutputFormat], of things: String) throws(Failure) -> FileFormat {
    if formats.contains(self) { return file }
    throw .usage(
      "\(rawValue) is no format of \(things): pass \(formats.map(\.rawValue).listed(by: "or"))")
  }
}

extension ScanFault.Reason {
  fileprivate var errno: Errno? {
    if case .unreadable(let errno) = self { errno } else { nil }
  }
}

extension Failure {
  static func unwritable(_ path: [UInt8], _ reason: Errno) -> Failure {
    .output("can't write '\(TerminalText.escaped(path))': \(reason)", cause: reason)
  }

  static func noFormat(_ path: [UInt8], of things: String) -> Failure {
    .usage("the name '\(TerminalText.escaped(path))' says no format of \(things)")
  }

  static func unlistable(_ fault: ScanFault) -> Failure {
    Failure(.source, fault.description, cause: fault.reason.errno)
  }
}
