/// How files are told apart where a pass adds up each class of them.
public struct FileClasses: Sendable {
  /// How many classes there are, at most 256.
  public let count: Int
  /// The class of a file of a name, from 0 on.
  let classify: @Sendable (Span<UInt8>) -> Int

  /// Classes by the names of files.
  public init(count: Int, of classify: @escaping @Sendable (Span<UInt8>) -> Int) {
    self.count = count
    self.classify = classify
  }
}
