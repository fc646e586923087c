import GeoCore
import GeoSystem

/// The owners of files by a file `CODEOWNERS`: those of the last rule that matches the file or a
/// folder above it.
///
/// Patterns are git's. As on GitHub and GitLab, `docs/*` matches the files in `docs` only, not those
/// in its sub-folders.
package final class CodeownersLayer: DerivedLayer {
  /// Where the rules' paths begin, seen from a root.
  package enum Base: Sendable, Equatable {
    /// In a folder above the root, or in the root; with the path from there to the root.
    case above([UInt8])
    /// In a folder below the root; with its path from the root.
    case below([UInt8])
  }

  private let ofFiles: RuleList
  private let ofFolders: RuleList
  /// The owners of each rule, joined by a space; empty if it takes the owner away.
  private let owners: [[UInt8]]
  private let bases: [[UInt8]: Base]

  /// Lines that can't be rules are skipped, as are the sections of GitLab. `bases` has the base of each
  /// root, by its label.
  package init(_ bytes: [UInt8], bases: [[UInt8]: Base]) {
    var (files, folders, owners): ([PathRule], [PathRule], [[UInt8]]) = ([], [], [])
    for line in bytes.split(separator: UInt8(ascii: "\n")) {
      guard let (pattern, names) = Self.parts(of: line), let rule = PathRule(ignoreLine: pattern)
      else { continue }
      files.append(rule)
      folders.append(pattern.suffix(2).elementsEqual("/*".utf8) ? .never : rule)
      owners.append(Array(names.joined(separator: [UInt8(ascii: " ")])))
    }
    (ofFiles, ofFolders, self.owners) = (RuleList(files), RuleList(folders), owners)
    self.bases = bases
  }

  /// The pattern of a line and the owners; nil for other lines.
  private static func parts(
    of line: ArraySlice<UInt8>
  ) -> (pattern: ArraySlice<UInt8>, owners: [ArraySlice<UInt8>])? {
    func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0D }
    let text = line.prefix { $0 != 0 }.drop(while: isBlank)
    // Comments, sections (`[NAME]`, `^[NAME]`), and exclusions, which only git has.
    switch text.first {
    case nil, UInt8(ascii: "#"), UInt8(ascii: "["), UInt8(ascii: "^"), UInt8(ascii: "!"):
      return nil
    default: break
    }
    var end = text.startIndex
    while end < text.endIndex, !isBlank(text[end]) {
      end += text[end] == UInt8(ascii: "\\") && end + 1 < text.endIndex ? 2 : 1
    }
    let owners = text[end...].split(whereSeparator: isBlank)
    return (text[..<end], Array(owners.prefix { $0.first != UInt8(ascii: "#") }))
  }

  package var needsStorage: Bool { false }

  package func words(
    of names: NameTable, _ range: Range<Int>, in folder: [UInt8], _ storage: [FileStorage],
    _ words: LayerWords
  ) -> [Int?] {
    guard let above = path(of: folder) else { return range.map { _ in nil } }
    let inherited = rule(ofFolder: above)
    var path = EntryPath()
    path.enter(above: above.isEmpty ? [] : above + [.slash], [])
    let arena = names.bytes.span
    // Neighbours mostly have the same owners.
    var last: (rule: Int, word: Int?) = (-1, nil)
    return range.map { index in
      let entry = CandidateName(names.records[index], in: arena, isFolder: false)
      let own = ofFiles.number(of: entry, in: arena, path: &path, base: 0) ?? -1
      let rule = max(own, inherited)
      if rule != last.rule {
        last = (rule, owners[rule].isEmpty ? nil : words.number(of: owners[rule]))
      }
      return last.word
    }
  }

  /// The path of a folder of the map from the rules' folder; nil if it is not in it.
  private func path(of folder: [UInt8]) -> [UInt8]? {
    let label = folder.firstComponent
    let rest = folder[label.endIndex...].dropFirst()
    switch bases[Array(label)] {
    case nil: return nil
    case .above(let path):
      return path.isEmpty ? Array(rest) : rest.isEmpty ? path : path.appending(component: rest)
    case .below(let path):
      return rest.isPath(atOrBelow: path) ? Array(rest.dropFirst(path.count + 1)) : nil
    }
  }

  /// The last rule that matches a folder or one above it; -1 without one.
  private func rule(ofFolder folder: [UInt8]) -> Int {
    var rule = -1
    var above: [UInt8] = []
    for name in folder.split(separator: .slash) {
      let table = NameTable([Array(name)], kind: .directory)
      let arena = table.bytes.span
      let entry = CandidateName(table.records[0], in: arena, isFolder: true)
      var path = EntryPath()
      path.enter(above: above, [])
      rule = max(rule, ofFolders.number(of: entry, in: arena, path: &path, base: 0) ?? -1)
      above += name + [.slash]
    }
    return rule
  }
}

extension PathRule {
  fileprivate static var never: PathRule {
    PathRule(matcher: .literal([]), matchesName: true, isForFolders: false, keeps: true)
  }
}
