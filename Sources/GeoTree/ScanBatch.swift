import GeoSystem

/// An entry that could not be shown as it is.
public struct ScanFault: Sendable, Hashable {
  /// What became of the entry.
  public enum Reason: Sendable, Hashable {
    /// Its listing or its metadata could not be read.
    case unreadable(Errno)
    /// It was gone, or another kind of entry, when it was looked at.
    case vanished
    /// What a list that is read in place of a disk says of it is wrong or missing, in words.
    case listed(String)
  }

  /// The root's label, then names, joined by `/`.
  public let path: [UInt8]
  /// What became of the entry.
  public let reason: Reason

  /// A fault of the given parts.
  public init(path: [UInt8], reason: Reason) {
    self.path = path
    self.reason = reason
  }
}

/// Part of a scan: what a visitor made of some folders and files that follow each other.
public struct ScanBatch<Content: Sendable>: Sendable {
  /// What the visitor made of them.
  public let content: Content
  /// What could not be read among them, in the order of the scan.
  public var faults: [ScanFault]
  /// The path of the folder that the batch ends in.
  public let place: [UInt8]
  /// How many folders and files were looked at for it.
  package var lookedAt = ScanReach()

  /// A part of the given parts.
  package init(content: Content, faults: [ScanFault], place: [UInt8]) {
    self.content = content
    self.faults = faults
    self.place = place
  }
}

/// How far a scan has come.
package struct ScanReach: Sendable, Hashable {
  /// Folders and files that were looked at, shown or not.
  package var folders = 0
  package var files = 0

  package init() {}

  /// Adds the reach of another part.
  package static func += (total: inout Self, part: Self) {
    total.folders += part.folders
    total.files += part.files
  }
}
