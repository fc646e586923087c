import TestSupport

@testable import GeoSources

extension ListFormat {
  /// The formats of listings by programs for backups, archives and cloud storages.
  static var listings: [ListFormat] { allCases.filter(\.isListing) }

  /// Whether the listings of ``ListedTree/listing(_:in:)`` have times with a zone.
  var hasTimes: Bool { self == .restic || self == .rclone || self == .mtree }
}

extension ListedTree {
  /// The tree as another program lists it, in the order of its nodes.
  ///
  /// - Parameter top: The folder that has the tree.
  func listing(_ format: ListFormat, in top: String) -> [UInt8] {
    let entries = nodes.map { node in
      let path = Array(top.utf8) + node.path.dropFirst()
      return Self.entry(format, node, path: path, isRoot: node.path == [46])
    }
    let list = entries.filter { !$0.isEmpty }
    switch format {
    case .restic:
      let head =
        #"{"struct_type":"snapshot","time":"1970-01-01T00:02:03.9Z","paths":["/x\#(top)"]}"#
      return Array("\(head)\n".utf8) + list.joined()
    case .rclone: return [91, 10] + list.joined(separator: [44, 10]) + [10, 93, 10]
    case .mtree: return Array("#mtree\n/set type=file size=1\n".utf8) + list.joined()
    case .unzip:
      let rule = "---------  ---------- -----   ----\n"
      return Array("Archive:  x.zip\n  Length      Date    Time    Name\n\(rule)".utf8)
        + list.joined() + Array("---------                     -------\n  9   1 file\n".utf8)
    default: return Array(list.joined())
    }
  }

  private static func entry(
    _ format: ListFormat, _ node: Node, path: [UInt8], isRoot: Bool
  ) -> [UInt8] {
    let json = Array("\"".utf8) + Tree.escaped(path) + Array("\"".utf8)
    func text(_ text: String) -> [UInt8] { Array(text.utf8) }
    let time = moment(node.modified)
    let slash: [UInt8] = node.isFolder ? [47] : []
    switch format {
    case .restic:
      let facts = node.isFolder ? "" : #","size":\#(node.size)"#
      return text(#"{"name":"x","type":"\#(node.isFolder ? "dir" : "file")","path":"#) + json
        + text(facts + #","mode":420,"mtime":"\#(time)","struct_type":"node"}"# + "\n")
    case .borg:
      let kind = node.isFolder ? "d" : "-"
      return text(#"{"type": "\#(kind)", "mode": "\#(kind)rw-r--r--", "path": "#) + json
        + text(
          #", "healthy": true, "size": \#(node.isFolder ? 0 : node.size), "mtime": "\#(time.dropLast())"}"#
            + "\n")
    case .rclone:
      if isRoot { return [] }
      return text(#"{"Path":"#) + json
        + text(
          #","Name":"x","Size":\#(node.isFolder ? -1 : node.size),"ModTime":"\#(time)","IsDir":\#(node.isFolder)}"#
        )
    case .mtree:
      let facts = node.isFolder ? "type=dir mode=755" : "\\\n  size=\(node.size)"
      return octal(path) + text(" \(facts) time=\(node.modified).5\n")
    case .tar:
      return text("\(node.isFolder ? "d" : "-")rw-r--r-- a b/c d \(node.size) 2026-01-31 12:00 ")
        + octal(path) + slash + [10]
    default:
      return text("  \(node.isFolder ? 0 : node.size)  2026-01-31 12:00   ") + path + slash + [10]
    }
  }

  /// A time up to a day before or after the beginning of 1970.
  private static func moment(_ seconds: Int) -> String {
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let (day, rest) = (seconds + 86400).quotientAndRemainder(dividingBy: 86400)
    return (day == 0 ? "1969-12-31" : "1970-01-01")
      + "T\(two(rest / 3600)):\(two(rest / 60 % 60)):\(two(rest % 60)).25Z"
  }

  /// A name as tar and mtree write it.
  private static func octal(_ name: [UInt8]) -> [UInt8] {
    name.flatMap { byte -> [UInt8] in
      if byte > 0x20, byte < 0x7F, byte != 0x5C, byte != 0x23 { return [byte] }
      let digits = String(byte, radix: 8)
      return Array(("\\" + String(repeating: "0", count: 3 - digits.count) + digits).utf8)
    }
  }
}
