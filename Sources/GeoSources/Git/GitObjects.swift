import GeoCore
import GeoSystem

/// The objects of a repository, which the program `git` tells as long as somebody asks. It has to be of
/// version 2.36 at least.
final class GitObjects {
  private let running: RunningProgram
  /// What git has written.
  private var bytes: [UInt8] = []
  /// Where the next answer begins in it.
  private var start = 0
  /// Why what it writes next answers nobody knows what.
  private var failure: GitError?

  /// An object.
  struct Object {
    /// What an object is.
    enum Kind { case tree, commit, tag, blob }

    /// What names it, in hex digits.
    let name: [UInt8]
    let kind: Kind
    /// How many bytes it has in it.
    let size: Int64
  }

  init(_ program: GitProgram) throws(GitError) {
    running = try program.start(
      ["cat-file", "--buffer", "--batch-command"].map { Array($0.utf8) }, input: .questions)
  }

  /// Puts questions, which git reads all before it answers the first.
  func ask(_ questions: [UInt8]) throws(GitError) {
    if let failure { throw failure }
    do throws(Errno) {
      try running.ask(questions.span)
    } catch {
      throw .unreadable(error)
    }
  }

  /// Takes the next answer.
  ///
  /// - Parameters:
  ///   - content: Whether what is in the object was asked for.
  ///   - body: Told of the object, nil if there is no such object, and what is in it.
  func take<Result>(
    content isAsked: Bool,
    _ body: (_ object: Object?, _ content: Span<UInt8>) throws(GitError) -> Result
  ) throws(GitError) -> Result {
    do throws(GitError) {
      guard let object = try takeHeader() else { return try body(nil, Span()) }
      if !isAsked { return try body(object, Span()) }
      let content = try takeContent(Int(object.size))
      // Taken out, so that nothing else has to be kept from writing to it.
      var bytes: [UInt8] = []
      swap(&bytes, &self.bytes)
      defer { swap(&bytes, &self.bytes) }
      return try body(object, bytes.span.extracting(content))
    } catch {
      failure = error
      throw error
    }
  }

  /// Takes `OBJECT KIND SIZE` and the line end; nil if git says that there is no such object.
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
    guard words.count == 3, let kind = Self.kind(words[1]),
      let size = Int64(wholeNumber: words[2])
    else { return nil }
    return Object(name: Array(words[0]), kind: kind, size: size)
  }

  private static func kind(_ word: ArraySlice<UInt8>) -> Object.Kind? {
    if word.elementsEqual("tree".utf8) { return .tree }
    if word.elementsEqual("commit".utf8) { return .commit }
    if word.elementsEqual("tag".utf8) { return .tag }
    return word.elementsEqual("blob".utf8) ? .blob : nil
  }

  /// Takes what is in an object, and the line end.
  ///
  /// - Returns: Where it lies.
  private func takeContent(_ count: Int) throws(GitError) -> Range<Int> {
    if bytes.count - start <= count { try readOn(to: count + 1) }
    defer { start += count + 1 }
    return start..<(start + count)
  }

  /// Forgets what was taken, and reads until there are so many bytes.
  private func readOn(to count: Int) throws(GitError) {
    bytes.removeSubrange(..<start)
    start = 0
    while bytes.count < count {
      do throws(Errno) {
        let wanted = max(1 << 16, count - bytes.count)
        if try running.read(upTo: wanted, appendingTo: &bytes) == 0 { throw .brokenPipe }
      } catch {
        throw .unreadable(error)
      }
    }
  }
}
