import GeoCore

/// Values of paths that occur more than once in a source.
struct PathTally<Value: Sendable>: Sendable {
  static var maximum: Int { 1 << 23 }

  /// A path of the map; or, if it is not below a root, as in the source.
  struct Place: Hashable, Sendable {
    let path: [UInt8]
    var isForeign = false
  }

  private var numbers: [Place: Int] = [:]
  private(set) var entries: [(place: Place, value: Value)] = []

  init() {}

  /// Adds a path that is new. The source is named in messages.
  mutating func index(
    of place: Place, _ source: String, adding value: @autoclosure () -> Value
  ) throws(Failure) -> Int {
    if let index = numbers[place] { return index }
    if entries.count == Self.maximum {
      throw Failure(.limit, "\(source) has more than \(Self.maximum) different paths")
    }
    numbers[place] = entries.count
    entries.append((place, value()))
    return entries.count - 1
  }

  subscript(index: Int) -> Value {
    get { entries[index].value }
    _modify { yield &entries[index].value }
  }
}
