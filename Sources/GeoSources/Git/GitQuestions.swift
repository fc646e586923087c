import GeoCore

/// Questions about objects, answered in the order in which they are put. Some are put ahead, so that git looks
/// up the next while whoever asks makes something of the last.
struct GitQuestions: Sendable {
  /// How many bytes of them git is given at once. Twice as many may be open, which it takes in at any time.
  private static let portion = 2048

  private let command: [UInt8]
  /// What git knows the objects by, and how many of them were put.
  private var names: [[UInt8]] = []
  private var put = 0
  /// How many answers are open of what was put last, and of what was put before.
  private var open = (before: 0, last: 0)

  /// - Parameter command: What of the objects is asked for: `contents` or `info`.
  init(_ command: String) { self.command = Array(command.utf8) }

  /// Whether all are answered.
  var isEmpty: Bool { open == (0, 0) && put == names.count }

  /// Asks for an object, later than for those before.
  mutating func add(_ name: [UInt8]) { names.append(name) }

  /// Lends the next object with what was asked of it; nil if there is no such object.
  ///
  /// - Parameters:
  ///   - objects: The same for all questions.
  ///   - body: Told what is in the object, nothing if nobody asked for that.
  mutating func next<Result>(
    of objects: GitObjects,
    _ body: (_ object: GitObjects.Object?, _ content: Span<UInt8>) throws(GitError) -> Result
  ) throws(GitError) -> Result {
    if open.before == 0 {
      if open.last == 0 { open.last = try putPortion(to: objects) }
      open = (open.last, 0)
    }
    if open.last == 0, put < names.count, names[put].count < Self.portion / 2 {
      open.last = try putPortion(to: objects)
    }
    open.before -= 1
    return try objects.take(content: command.first == UInt8(ascii: "c"), body)
  }

  /// Puts as many as there are, and may be put at once.
  ///
  /// - Returns: How many.
  private mutating func putPortion(to objects: GitObjects) throws(GitError) -> Int {
    var questions: [UInt8] = []
    var count = 0
    while put < names.count {
      let name = names[put]
      if count > 0, questions.count + command.count + name.count + 8 > Self.portion { break }
      if name.contains(UInt8(ascii: "\n")) { throw .malformed(revision: name) }
      questions += command
      questions.append(UInt8(ascii: " "))
      questions += name
      questions.append(UInt8(ascii: "\n"))
      count += 1
      put += 1
    }
    if put > 4096 {
      names.removeFirst(put)
      put = 0
    }
    if count > 0 { try objects.ask(questions + Array("flush\n".utf8)) }
    return count
  }
}
