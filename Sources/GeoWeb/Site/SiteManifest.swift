/// The manifest of a site: the files of a folder that belong to it.
///
/// It is written before the first change, and names all files that may exist during the update. So
/// the next run knows its files even after a crash.
struct SiteManifest {
  static let name = ".geomapper-site"
  static let places = ["assets", "folders", "names", "search"]

  private static let title = "geomapper site 1"
  private static let oldMark = "old "

  var names: Set<String> = []
  /// Files of the previous run that new visitors don't need.
  var old: Set<String> = []

  init(names: Set<String> = [], old: Set<String> = []) { (self.names, self.old) = (names, old) }

  /// nil if the text is no manifest. The file is not trusted: only names that a site can have are
  /// accepted.
  init?(_ text: String) {
    let lines = text.split(separator: "\n")
    guard lines.first == Self.title[...] else { return nil }
    for line in lines.dropFirst() {
      if line.hasPrefix(Self.oldMark) {
        let name = String(line.dropFirst(Self.oldMark.count))
        if Self.isName(name) { old.insert(name) }
      } else if Self.isName(String(line)) {
        names.insert(String(line))
      }
    }
  }

  var text: String {
    let lines = [Self.title] + names.sorted() + old.sorted().map { Self.oldMark + $0 }
    return lines.joined(separator: "\n") + "\n"
  }

  /// Whether a name can be that of a site's file, directly in the folder or in a sub-folder.
  static func isName(_ name: String) -> Bool {
    let parts = name.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 1 || parts.count == 2 && places.contains(String(parts[0])) else {
      return false
    }
    guard let last = parts.last, let first = last.utf8.first, first != UInt8(ascii: ".") else {
      return false
    }
    return last.utf8.allSatisfy { $0.isLetterOrDigit || "-._".utf8.contains($0) }
  }

  static func temporaryName(process: Int, random: UInt64) -> String {
    "\(name)-\(process)-\(String(random, radix: 36)).tmp"
  }

  static func isTemporary(_ name: [UInt8]) -> Bool {
    name.starts(with: "\(Self.name)-".utf8) && name.suffix(4).elementsEqual(".tmp".utf8)
  }
}
