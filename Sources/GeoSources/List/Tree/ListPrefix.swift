/// What the paths of a list begin with: the root's own path, which is taken off.
struct ListPrefix {
  /// Its names; `.` and nothing between two slashes are none.
  let names: [[UInt8]]
  let isAbsolute: Bool

  init(_ path: [UInt8]) {
    isAbsolute = path.first == .slash
    names = path.split(separator: .slash).map { Array($0) }.filter { $0 != [UInt8(ascii: ".")] }
  }
}
