/// Which files of a folder are a site's.
///
/// It is written before anything else is, and names all that may be there while the folder is being changed, so that
/// whatever happens, the next run knows what is its own.
struct SiteManifest {
  /// What it is called.
  static let name = ".geomapper-site"
  /// The sub-folders of a site.
  static let places = ["assets", "folders", "names", "search"]

  private static let title = "geomapper site 1"
  /// What a line begins with that names a file of the run before.
  private static let oldMark = "old "

  /// The files of the site.
  var names: Set<String> = []
  /// Those of the run before, which are of no use to who comes now.
  var old: Set<String> = []

  init(names: Set<String> = [], old: Set<String> = []) { (self.names, self.old) = (names, old) }

  /// What a text names; nil if it is none of a manifest.
  ///
  /// What comes from a file is not believed: it may only name what a site can have.
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

  /// It as a text.
  var text: String {
    let lines = [Self.title] + names.sorted() + old.sorted().map { Self.oldMark + $0 }
    return lines.joined(separator: "\n") + "\n"
  }

  /// Whether a name can be that of a site's file: one, or one in a sub-folder.
  static func isName(_ name: String) -> Bool {
    let parts = name.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 1 || parts.count == 2 && places.contains(String(parts[0])) else {
      return false
    }
    guard let last = parts.last, let first = last.utf8.first, first != UInt8(ascii: ".") else {
      return false
    }
    return last.utf8.allSatisfy(isUsual)
  }

  /// A name of a file that isn't whole yet, which nobody else uses.
  static func temporaryName(process: Int, random: UInt64) -> String {
    "\(name)-\(process)-\(String(random, radix: 36)).tmp"
  }

  /// Whether a name is that of a file that isn't whole.
  static func isTemporary(_ name: [UInt8]) -> Bool {
    name.starts(with: "\(Self.name)-".utf8) && name.suffix(4).elementsEqual(".tmp".utf8)
  }

  private static func isUsual(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
      UInt8(ascii: "_"):
      true
    default: false
    }
  }
}
