import Foundation
import TestSupport

/// A made-up work tree with ignore rules.
struct GitCase: Sendable, CustomStringConvertible {
  /// The paths of files, relative to the top folder.
  var files: Set<[UInt8]> = []
  /// The lines of each rule file, by its path relative to the top folder.
  var rules: [String: [[UInt8]]] = [:]
  /// The user's global rules.
  var user: [[UInt8]] = []
  /// The mapped folder; empty for the top folder.
  var root: [UInt8] = []

  var description: String {
    var text = "mapped: '\(Self.text(root))'\n"
    for (file, lines) in rules.sorted(by: { $0.key < $1.key }) {
      text += "\(file):\n" + lines.map { "  '\(Self.text($0))'\n" }.joined()
    }
    text += "user's own:\n" + user.map { "  '\(Self.text($0))'\n" }.joined()
    return text + files.map { Self.text($0) + "\n" }.sorted().joined()
  }

  private static func text(_ bytes: [UInt8]) -> String {
    bytes.map { (0x20...0x7E).contains($0) ? String(UnicodeScalar($0)) : "\\x\($0)" }.joined()
  }

  /// All paths, including those of folders.
  var paths: Set<[UInt8]> {
    var all = files
    for file in files {
      var path = file[...]
      while let cut = path.lastIndex(of: UInt8(ascii: "/")) {
        path = path[..<cut]
        all.insert(Array(path))
      }
    }
    return all
  }

  static let names =
    [
      "a", "b", "ab", "abc", "ba", "a.c", "b.o", "a.o", ".x", ".xa", "a b", "b ", "#a", "!b", "[a]",
      "a\\b", "a*", "-", "]", "A", "Ab", "a\nb", "build", "é",
    ].map { Array($0.utf8) } + [[0x61, 0xFF]]

  private static let pieces = [
    "a", "b", "c", "a", "b", "o", ".", ".x", "*", "*", "?", "**", "***", "[ab]", "[!a]", "[^b]",
    "[a-c]", "[]a]", "[!]a]", "[a-]", "[--0]", "[[:alpha:]]", "[[:punct:]]", "[[:space:]x]",
    "[[:nope:]]", "[a", "[\\]a]", "[b-\\c]", "[z-a]", "[[:]", "[/a]", "\\a", "\\*", "\\[", "\\",
    " ",
    "\\ ", "é", "[A-Z]", "-", "#", "!",
  ]

  static func random(_ generator: inout SeededGenerator) -> GitCase {
    var made = GitCase()
    var folders: [[UInt8]] = [[]]
    for _ in 0..<generator.number(in: 3...9) {
      let parent = folders.randomElement(using: &generator) ?? []
      let name = names.randomElement(using: &generator) ?? [0x61]
      let path = parent.isEmpty ? name : parent + [UInt8(ascii: "/")] + name
      if !folders.contains(path) { folders.append(path) }
    }
    for folder in folders {
      for _ in 0..<generator.number(in: 2...7) {
        let name = names.randomElement(using: &generator) ?? [0x61]
        let path = folder.isEmpty ? name : folder + [UInt8(ascii: "/")] + name
        if !folders.contains(path) { made.files.insert(path) }
      }
      if generator.chance(folder.isEmpty ? 0.9 : 0.4) {
        let base = String(decoding: folder, as: UTF8.self)
        if Array(base.utf8) == folder {
          made.rules[base.isEmpty ? ".gitignore" : base + "/.gitignore"] = lines(
            &generator, folders)
        }
      }
    }
    if generator.chance(0.5) { made.rules[".git/info/exclude"] = lines(&generator, folders) }
    if generator.chance(0.5) { made.user = lines(&generator, folders) }
    if generator.chance(0.4) { made.root = folders.randomElement(using: &generator) ?? [] }
    return made
  }

  private static func lines(
    _ generator: inout SeededGenerator, _ folders: [[UInt8]]
  ) -> [[UInt8]] {
    (0..<generator.number(in: 1...6)).map { _ in line(&generator, folders) }
  }

  private static func line(
    _ generator: inout SeededGenerator, _ folders: [[UInt8]]
  ) -> [UInt8] {
    var line: [UInt8] = []
    if generator.chance(0.25) { line += "!".utf8 }
    if generator.chance(0.25) { line += "/".utf8 }
    let depth = generator.chance(0.5) ? 1 : generator.number(in: 2...3)
    for part in 0..<depth {
      if part > 0 { line += "/".utf8 }
      if generator.chance(0.25) {
        line += "**".utf8
      } else if generator.chance(0.35) {
        line += names.randomElement(using: &generator) ?? []
      } else {
        for _ in 0..<generator.number(in: 1...3) {
          line += (pieces.randomElement(using: &generator) ?? "a").utf8
        }
      }
    }
    if generator.chance(0.2) { line += "/".utf8 }
    if generator.chance(0.1) { line += "  ".utf8 }
    if generator.chance(0.05) { line += "\r".utf8 }
    return line
  }

  /// Smaller cases.
  var smaller: [GitCase] {
    var cases: [GitCase] = []
    for (file, lines) in rules {
      for index in lines.indices {
        var less = self
        less.rules[file]?.remove(at: index)
        if lines.count == 1 { less.rules[file] = nil }
        cases.append(less)
      }
    }
    for index in user.indices {
      var less = self
      less.user.remove(at: index)
      cases.append(less)
    }
    for file in files {
      var less = self
      less.files.remove(file)
      cases.append(less)
    }
    return cases
  }
}
