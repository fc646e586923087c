/// The part of a folder's land where its own files are.
@frozen public struct City: BitwiseCopyable, Hashable, Sendable {
  /// The seed of the folder whose files these are: it begins their hashes.
  public var folderSeed: UInt64
  /// The quad that the files are spread over, on the plan.
  public var frame: Quad
  /// Decimals of its files' coordinates, 6 to 13.
  public var digits: UInt8
  /// The first zoom at which its files are visible.
  public var minzoom: UInt8

  /// A city of the given parts.
  @inlinable
  public init(folderSeed: UInt64, frame: Quad, digits: UInt8, minzoom: UInt8) {
    self.folderSeed = folderSeed
    self.frame = frame
    self.digits = digits
    self.minzoom = minzoom
  }
}
