import GeoCore
import GeoSystem
import GeoTree

/// A layer of a map: values of your own for paths, all numbers or all words, and how folders sum
/// them up.
///
/// A path of a source is relative to the only root, or begins with a root's label, or is absolute and
/// lies below a root.
public struct MapLayer: Sendable, Equatable {
  package enum Source: Sendable, Equatable {
    case owner
    case group
    /// From a time in Unix seconds on; nil for all.
    case git(GitFact, since: Int64?)
    /// A file; with one column or member of it, or for a ratio two with `/` between them.
    case file([UInt8], column: [UInt8]?)
    case values(LayerValues)
  }

  /// What the history of a git repository says of a file, by first parents up to `HEAD`, or to the
  /// revision that is mapped.
  public enum GitFact: String, Sendable, Hashable, CaseIterable {
    /// The number of commits that changed it.
    case commits
    /// The number of their authors.
    case authors
    /// The author of the last one.
    case lastAuthor = "last-author"
    /// The author of most of them.
    case mainAuthor = "main-author"
    /// The number of lines that they added and removed.
    case lines

    var name: String {
      switch self {
      case .lastAuthor: "last_author"
      case .mainAuthor: "main_author"
      case .commits, .authors, .lines: rawValue
      }
    }

    var isWord: Bool { self == .lastAuthor || self == .mainAuthor }
  }

  /// How the value of a folder follows from those below it.
  public enum How: String, Sendable, Hashable, CaseIterable {
    /// The sum; the default of numbers.
    case sum
    /// The mean of the values of files.
    case mean
    /// The sum of all numerators, divided by that of all denominators; of files with two columns.
    case ratio
    /// The greatest value.
    case max
    /// The least value.
    case min
    /// The word of most bytes, and its share; the default of words.
    case share
    /// As `share`, of numbers too.
    case word

    var summary: Layer.Summary { Layer.Summary(rawValue: rawValue) ?? .share }
  }

  package var name: String?
  package var how: How?
  package var source: Source

  package init(name: String? = nil, how: How? = nil, source: Source) {
    (self.name, self.how, self.source) = (name, how, source)
  }

  /// Parses `[NAME[:HOW]=]SOURCE`.
  ///
  /// The text before the first `=` is a name, unless the whole text is that of a file, or the text
  /// before it has a `/`. The text after the last `#` is a column, unless the whole is that of a
  /// file. So `./a=b.csv` is a file of that name.
  package init(parsing text: [UInt8]) throws(Failure) {
    let sign = text.firstIndex(of: UInt8(ascii: "="))
    guard let sign, !Self.isThere(text), !text[..<sign].contains(.slash) else {
      self.init(source: try Self.source(text))
      return
    }
    let parts = text[..<sign].split(
      separator: UInt8(ascii: ":"), maxSplits: 1, omittingEmptySubsequences: false)
    let name = String(decoding: parts[0], as: UTF8.self)
    if !Layer.isName(name) {
      throw .usage(
        "'\(TerminalText.escaped(Array(parts[0])))' can't be the name of a layer: names have up to "
          + "64 letters, digits, '_' and '-'; for a file of that name give "
          + "'./\(TerminalText.escaped(text))'")
    }
    var how: How?
    if parts.count > 1 {
      let word = String(decoding: parts[1], as: UTF8.self)
      guard let known = How(rawValue: word) else {
        throw .usage(
          "'\(TerminalText.escaped(Array(parts[1])))' is not a way to sum up (try "
            + How.allCases.map(\.rawValue).joined(separator: ", ") + ")")
      }
      how = known
    }
    self.init(name: name, how: how, source: try Self.source(Array(text[(sign + 1)...])))
  }

  private static let git = Array("git:".utf8)

  private static func source(_ text: [UInt8]) throws(Failure) -> Source {
    if text.isEmpty {
      throw .usage("the source is empty (try NAME=FILE, owner, group or git:commits)")
    }
    if text.elementsEqual("owner".utf8) { return .owner }
    if text.elementsEqual("group".utf8) { return .group }
    if text.starts(with: git) {
      guard let fact = GitFact(rawValue: String(decoding: text[git.count...], as: UTF8.self)) else {
        throw .usage(
          "'\(TerminalText.escaped(text))' is not a layer of git (try "
            + GitFact.allCases.map { "git:\($0.rawValue)" }.joined(separator: ", ") + ")")
      }
      return .git(fact, since: nil)
    }
    let marks = text.indices.reversed().filter { text[$0] == UInt8(ascii: "#") && $0 > 0 }
    guard let last = marks.first, !isThere(text) else { return .file(text, column: nil) }
    // A column may have the sign, too.
    let mark = marks.first { isThere(Array(text[..<$0])) } ?? last
    if mark + 1 == text.count {
      throw .usage("no column follows the '#' in '\(TerminalText.escaped(text))'")
    }
    return .file(Array(text[..<mark]), column: Array(text[(mark + 1)...]))
  }

  private static func isThere(_ path: [UInt8]) -> Bool {
    !path.contains(0) && (try? FileSystem.rootFacts(path)) != nil
  }
}

/// The values of a layer by path, from a sequence of the caller.
package final class LayerValues: Sendable, Equatable {
  let forEach: @Sendable (([UInt8], LayerValue) throws(Failure) -> Void) throws(Failure) -> Void

  package init(
    _ forEach:
      @escaping @Sendable (
        ([UInt8], LayerValue) throws(Failure) -> Void
      ) throws(Failure) -> Void
  ) {
    self.forEach = forEach
  }

  package static func == (a: LayerValues, b: LayerValues) -> Bool { a === b }
}

extension MapLayer {
  /// A layer of git counts only commits of a time or later, in Unix seconds.
  package func counting(since: Int64?) -> MapLayer {
    guard case .git(let fact, _) = source else { return self }
    return MapLayer(name: name, how: how, source: .git(fact, since: since))
  }

  /// The layer of a source with one layer, with its name and summary unless the request has others.
  func draft(_ name: String, _ summary: Layer.Summary) throws(Failure) -> LayerSetBuilder.Draft {
    if let how {
      let ways: [How] =
        switch summary {
        case .ratio: [.ratio]
        case .share: [.share, .word]
        default: How.allCases.filter { $0 != .ratio }
        }
      if !ways.contains(how) {
        throw .usage(
          "\(self.name ?? name) can't sum up by \(how.rawValue); it can by "
            + ways.map(\.rawValue).joined(separator: ", ")
            + (how == .ratio ? "; a ratio needs two columns, joined by '/'" : ""),
          option: how == .ratio ? ", as in NAME:ratio=FILE#COVERED/LINES" : "")
      }
    }
    return LayerSetBuilder.Draft(
      name: self.name ?? name, summary: how?.summary ?? summary, isWords: how == .word)
  }
}
