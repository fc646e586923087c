#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

extension FileSystem {
  /// The path of an open folder, without links, as the kernel tells it.
  package static func path(of directory: Int32) throws(Errno) -> [UInt8] {
    let link = Array("/proc/self/fd/\(directory)".utf8)
    var length = 0
    let path = try withCString(link) { (link) throws(Errno) in
      [UInt8](unsafeUninitializedCapacity: longestPath) { buffer, count in
        length = buffer.withMemoryRebound(to: CChar.self) { buffer in
          buffer.baseAddress.map { readlink(link, $0, longestPath) } ?? -1
        }
        count = max(0, length)
      }
    }
    if length < 0 { throw Errno(rawValue: errno) }
    // A longer one is cut off; that of what is gone is no path.
    if length == longestPath { throw .nameTooLong }
    if path.first != UInt8(ascii: "/") || path.suffix(10).elementsEqual(" (deleted)".utf8) {
      throw .noEntry
    }
    return path
  }

  /// More than the kernel tells.
  private static let longestPath = 8192

  /// Where other file systems are mounted below a folder.
  ///
  /// - Parameter path: Of the folder, without links.
  package static func mounts(below path: [UInt8]) throws(Errno) -> [[UInt8]] {
    let root = path == [UInt8(ascii: "/")] ? [] : path
    let table = try readInput(Array("/proc/self/mountinfo".utf8), limit: 64 << 20)
    return table.split(separator: 10).compactMap { line in
      let fields = line.split(separator: UInt8(ascii: " "), maxSplits: 5)
      guard fields.count > 4 else { return nil }
      let mount = unescaped(fields[4])
      return mount.count > root.count + 1 && mount.starts(with: root)
        && mount[root.count] == UInt8(ascii: "/") ? mount : nil
    }
  }

  /// A field of the table, in which some bytes stand as `\\` and three octal digits.
  private static func unescaped(_ field: ArraySlice<UInt8>) -> [UInt8] {
    var bytes: [UInt8] = []
    var rest = field
    while let byte = rest.popFirst() {
      let digits = rest.prefix(3)
      if byte == UInt8(ascii: "\\"), digits.count == 3, digits.allSatisfy({ 0x30...0x37 ~= $0 }) {
        bytes.append(digits.reduce(0) { $0 &* 8 &+ ($1 &- 0x30) })
        rest = rest.dropFirst(3)
      } else {
        bytes.append(byte)
      }
    }
    return bytes
  }
}
