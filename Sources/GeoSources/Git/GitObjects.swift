import GeoCore
import GeoSystem

/// A running `git cat-file --batch-command`, which answers requests for objects. Needs git 2.36.
final class GitObjects {
  private let running: RunningProgram
  private var bytes: [UInt8] = []
  private var start = 0
  /// The first error. After it, answers can't be matched to requests.
  private var failure: GitError?

  struct Object {
    enum Kind: String { case tree, commit, tag, blob }

    let name: [UInt8]
    let kind: Kind
    let size: Int64
  }

  init(_ program: GitProgram) throws(GitError) {
    running = try program.start(
      ["cat-file", "--buffer", "--batch-command"], input: .questions)
  }

  /// Sends requests. Git reads them all before it answers the first.
  func ask(_ questions: [UInt8]) throws(GitError) {
    if let failure { throw failure }
    try rethrowing(running.ask(questions.span), as: GitError.unreadable)
  }

  /// Passes on the next answer: a missing object is nil, and contents that were not asked for are
  /// empty.
  func take<Result>(
    content isAsked: Bool,
    _ body: (_ object: Object?, _ content: Span<UInt8>) throws(GitError) -> Result
  ) throws(GitError) -> Result {
    do throws(GitError) {
      guard let object = try takeHeader() else { return try body(nil, Span()) }
      if !isAsked { return try body(object, Span()) }
      let content = try takeContent(Int(object.size))
      // Moved out, so that the closure can borrow it without copying.
      var bytes: [UInt8] = []
      swap(&bytes, &self.bytes)
      defer { swap(&bytes, &self.bytes) }
      return try body(object, bytes.span.extracting(content))
    } catch {
      failure = error
      throw error
    }
  }

  /// Takes `OBJECT KIND SIZE` and the line feed; nil if the object is missing.
  private func takeHeader() throws(GitError) -> Object? {
    var end = start
    while true {
      while end < bytes.count, bytes[end] != UInt8(ascii: "\n") { end += 1 }
      if end < bytes.count { break }
      end -= start
      try readOn(to: end + 1)
    }
    defer { start = end + 1 }
    let words = bytes[start..<end].split(separator: UInt8(ascii: " "))
    guard words.count == 3,
      let kind = Object.Kind(rawValue: String(decoding: words[1], as: UTF8.self)),
      let size = Int64(wholeNumber: words[2])
    else { return nil }
    return Object(name: Array(words[0]), kind: kind, size: size)
  }

  private func takeContent(_ count: Int) throws(GitError) -> Range<Int> {
    if bytes.count - start <= count { try readOn(to: count + 1) }
    defer { start += count + 1 }
    return start..<(start + count)
  }

  private func readOn(to count: Int) throws(GitError) {
    bytes.removeSubrange(..<start)
    start = 0
    while bytes.count < count {
      let wanted = max(1 << 16, count - bytes.count)
      if try running.readOn(upTo: wanted, appendingTo: &bytes) == 0 {
        throw .unreadable(.brokenPipe)
      }
    }
  }
}
