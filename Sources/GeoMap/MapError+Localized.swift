import Foundation
import GeoPipeline

extension GeoPipeline.MapError: LocalizedError {
  /// The error's description, so that `localizedDescription` says what is wrong.
  public var errorDescription: String? { description }
}
