import Foundation
import TestSupport

#if canImport(Glibc)
  import Glibc
#endif

/// A work tree on disk, with a separate home folder.
final class GitWorkTree {
  let folder: TemporaryFolder
  let environment: [String]
  var top: String { folder("top") }

  /// Whether git is installed.
  static let hasGit = (try? Subprocess.run("/usr/bin/env", ["git", "--version"]))?.status == 0

  init() throws {
    folder = try TemporaryFolder()
    environment = [
      "HOME=\(folder.path)/home", "XDG_CONFIG_HOME=", "GIT_CONFIG_NOSYSTEM=1",
      "GIT_CONFIG_GLOBAL=\(folder.path)/home/config", "GIT_CEILING_DIRECTORIES=",
    ]
    try folder.makeFolder("home/.config/git")
    try makeRepository("top")
  }

  /// Makes a minimal repository that git accepts.
  func makeRepository(_ path: String) throws {
    for name in ["objects", "refs", "info"] { try folder.makeFolder("\(path)/.git/\(name)") }
    try folder.makeFile("\(path)/.git/HEAD", "ref: refs/heads/main\n")
  }

  /// Makes the work tree of a case.
  convenience init(_ made: GitCase) throws {
    try self.init()
    let slash = UInt8(ascii: "/")
    for path in made.files {
      if let cut = path.lastIndex(of: slash) { try makeFolders(Array(path[..<cut])) }
      try folder.makeFile(bytes: Array("top/".utf8) + path)
    }
    try makeFolders(made.root)
    for (file, lines) in made.rules {
      if let cut = file.lastIndex(of: "/") { try makeFolders(Array(file[..<cut].utf8)) }
      try folder.makeFile(
        bytes: Array("top/\(file)".utf8), Array(lines.joined(separator: "\n".utf8)))
    }
    try folder.makeFile(
      bytes: Array("home/.config/git/ignore".utf8), Array(made.user.joined(separator: "\n".utf8)))
  }

  private func makeFolders(_ path: [UInt8]) throws {
    var whole = Array(top.utf8)
    for part in path.split(separator: UInt8(ascii: "/")) {
      whole += [UInt8(ascii: "/")] + part
      let name = (whole + [0]).map { CChar(bitPattern: $0) }
      if mkdir(name, 0o755) != 0, errno != EEXIST { throw GitFailure(text: "mkdir: \(errno)") }
    }
  }

  /// The given paths that git ignores.
  func ignored(_ paths: Set<[UInt8]>, in top: String? = nil) throws -> Set<[UInt8]> {
    let list = Array(paths).joined(separator: [0])
    try folder.makeFile(bytes: Array("paths".utf8), Array(list))
    let script = #"exec git check-ignore -z -v -n --no-index --stdin <"$1""#
    let outcome = try Subprocess(
      "/bin/sh", ["-c", script, "sh", folder("paths")].map { Array($0.utf8) },
      environment: environment, in: top ?? self.top
    ).finish()
    if outcome.status != 0, outcome.status != 1 { throw GitFailure(text: outcome.errorText) }
    // Four fields for each path: source, line, pattern, path.
    let fields = outcome.output.split(separator: 0, omittingEmptySubsequences: false)
    var ignored: Set<[UInt8]> = []
    for start in stride(from: 0, to: fields.count - 3, by: 4) {
      let pattern = fields[start + 2]
      if !pattern.isEmpty, pattern.first != UInt8(ascii: "!") {
        ignored.insert(Array(fields[start + 3]))
      }
    }
    return ignored
  }

  /// The mapped paths as text.
  func names(_ directory: String) throws -> Set<String> {
    Set(try mapped(Array(directory.utf8)).map { String(decoding: $0, as: UTF8.self) })
  }

  /// The paths below a folder that are mapped with `--gitignore`.
  func mapped(_ directory: [UInt8]) throws -> Set<[UInt8]> {
    let outcome = try Geomapper.start(
      bytes: ["map", "--gitignore", "--no-stat", "--format", "geojsonl", "--"].map {
        Array($0.utf8)
      } + [Array("r=".utf8) + directory], environment: environment
    ).finish()
    if outcome.status != 0 { throw GitFailure(text: outcome.errorText) }
    return Set(
      try MapLines(outcome.output).paths.compactMap { path in
        path.starts(with: "r/".utf8) ? Array(path.dropFirst(2)) : nil
      })
  }
}

/// Why git failed.
struct GitFailure: Error {
  let text: String
}

/// A parsed map in lines of GeoJSON.
struct MapLines {
  /// The paths of all features, byte for byte.
  let paths: [[UInt8]]

  init(_ bytes: [UInt8]) throws {
    paths = try bytes.split(separator: UInt8(ascii: "\n")).map { line in
      let feature = try JSONSerialization.jsonObject(with: Data(line)) as? [String: Any]
      let properties = feature?["properties"] as? [String: Any] ?? [:]
      if let raw = properties["rawPath"] as? String { return Self.decode(raw) }
      return Array((properties["path"] as? String ?? "").utf8)
    }
  }

  private static func decode(_ text: String) -> [UInt8] {
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "%") {
        bytes.append(UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16) ?? 0)
        rest = rest.dropFirst(2)
      } else {
        bytes.append(byte)
      }
    }
    return bytes
  }
}
