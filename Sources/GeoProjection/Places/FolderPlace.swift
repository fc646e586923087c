/// Where a folder is: all that is needed to place whatever is in it.
@frozen public struct FolderPlace: BitwiseCopyable, Hashable, Sendable {
  /// The hash of its path.
  public var seed: UInt64
  /// Its territory on the plan; of a landless folder, the frame of the city that takes it in.
  public var land: Quad
  /// 0 for a root, 1 for its sub-folders, and so on.
  public var depth: Int32
  /// Decimals of its coordinates, 6 to 13.
  public var digits: UInt8
  /// The first zoom at which it is visible.
  public var minzoom: UInt8
  /// Whether it owns land; if not it is a point in the city of its nearest ancestor that does.
  public var isLanded: Bool

  /// A place of the given parts.
  @inlinable
  public init(
    seed: UInt64, land: Quad, depth: Int32, digits: UInt8, minzoom: UInt8, isLanded: Bool
  ) {
    self.seed = seed
    self.land = land
    self.depth = depth
    self.digits = digits
    self.minzoom = minzoom
    self.isLanded = isLanded
  }

  /// The node's 53-bit identifier, exact in a JSON number.
  @inlinable public var id: UInt64 { seed >> 11 }

  /// Its rank on the map.
  public var kind: NodeKind { NodeKind(folderAtDepth: Int(depth)) }
}
