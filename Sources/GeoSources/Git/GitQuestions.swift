/// Requests for objects, answered in order. Some are sent ahead, so that git looks up the next
/// while the caller processes the last.
struct GitQuestions: Sendable {
  /// The size limit of one batch of requests in bytes. Two batches may be open; git accepts these
  /// without blocking.
  private static let portion = 2048

  private let command: [UInt8]
  private var names: [[UInt8]] = []
  private var put = 0
  private var open = (before: 0, last: 0)

  /// `contents` or `info`.
  init(_ command: String) { self.command = Array(command.utf8) }

  var isEmpty: Bool { open == (0, 0) && put == names.count }

  mutating func add(_ name: [UInt8]) { names.append(name) }

  /// Passes the next answer to `body`; see ``GitObjects/take(content:_:)``.
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
