/// What is answered beside the map, of a folder or of all.
public struct ServedAnswer: Sendable {
  /// Where it is asked for, such as `/samples`.
  public let path: String
  let make: @Sendable (_ folder: [UInt8]?) -> [UInt8]?

  /// An answer that is made each time.
  ///
  /// - Parameters:
  ///   - path: Where it is asked for.
  ///   - make: Gives the answer, as JSON, to what `path=` names, or to all without it; nil if there is none.
  ///     May block.
  public init(
    path: String, _ make: @escaping @Sendable (_ folder: [UInt8]?) -> [UInt8]?
  ) {
    self.path = path
    self.make = make
  }
}
