import GeoCore
import GeoSystem
import GeoVerify

/// Why a map or a tree is not what it has to be, or why nobody can tell.
public enum VerificationError: Error, Sendable {
  /// Something is wrong with the map: the first counterexample.
  case fault(MapFault)
  /// The file can't be read.
  case unreadable(file: [UInt8], Errno)
  /// The file is none that could be read twice.
  case notRegular(file: [UInt8])
  /// The tree can't be mapped.
  case unmappable(MapError)
  /// The tree was changed meanwhile, so that two maps of it need not be equal.
  case changed
  /// It was broken off.
  case cancelled
}
