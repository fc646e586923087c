import GeoCore
import GeoSystem

/// Finds and reads git's ignore rules: those of folders, of the work tree and of the user.
package struct GitRules: Sendable {
  /// The name of the file with a folder's rules.
  package static let file = Array(".gitignore".utf8)
  /// The entry that makes a folder the top of a work tree: a folder, or a file with its path.
  package static let folder = Array(".git".utf8)
  /// The maximum size of a rule file, in bytes.
  package static let largestFile = 16 << 20

  /// Reads a regular file, by its path relative to a folder or absolute; nil if it can't be read.
  typealias Reader = ([UInt8]) -> [UInt8]?

  /// The user's own rule file, unless a work tree configures another.
  private let userFile: [UInt8]?
  private let home: [UInt8]?

  package init() {
    home = ThisProcess.environment("HOME").flatMap { $0.isEmpty ? nil : $0 }
    var folder = ThisProcess.environment("XDG_CONFIG_HOME") ?? []
    if folder.isEmpty, let home { folder = home + Array("/.config".utf8) }
    if !folder.isEmpty { folder += Array("/git/".utf8) }

    var configs: [[UInt8]] = []
    if (ThisProcess.environment("GIT_CONFIG_NOSYSTEM") ?? []).isFalse {
      configs.append(
        ThisProcess.environment("GIT_CONFIG_SYSTEM") ?? Array("/etc/gitconfig".utf8))
    }
    if let global = ThisProcess.environment("GIT_CONFIG_GLOBAL") {
      configs.append(global)
    } else {
      if !folder.isEmpty { configs.append(folder + Array("config".utf8)) }
      if let home { configs.append(home + Array("/.gitconfig".utf8)) }
    }
    var file: [UInt8]?
    for config in configs {
      file = Self.excludesFile(in: config, home: home, reading: Self.read) ?? file
    }
    userFile = file ?? (folder.isEmpty ? nil : folder + Array("ignore".utf8))
  }

  /// The rules of a whole work tree, the weakest first; nil if the folder is not the top of one.
  func workTree(reading read: Reader) -> [[UInt8]]? {
    var git = Self.folder
    if read(git + Array("/HEAD".utf8)) == nil {
      // `gitdir: PATH`: a linked work tree, or a submodule.
      guard let file = read(git), file.starts(with: "gitdir: ".utf8) else { return nil }
      git = file.dropFirst(8).trimmingLineEnd
      guard read(git + Array("/HEAD".utf8)) != nil else { return nil }
    }
    if let common = read(git + Array("/commondir".utf8)) {
      let path = common[...].trimmingLineEnd
      git = path.first == .slash ? path : git.appending(component: path)
    }
    let own = Self.excludesFile(in: git + Array("/config".utf8), home: home, reading: read)
    return [
      (own ?? userFile).flatMap(read) ?? [],
      read(git + Array("/info/exclude".utf8)) ?? [],
    ]
  }

  /// git's rules in a folder: those from above, unless it is the top of a work tree, and those of
  /// its `.gitignore`.
  /// `path` is the folder's on the map. `hasGit` and `hasRules` say whether it may have entries named
  /// `.git` and `.gitignore`. The second argument of `read` says whether the last name may be a link.
  package func scope(
    _ scope: IgnoreScope, inside path: [UInt8], hasGit: Bool = true, hasRules: Bool = true,
    reading read: ([UInt8], Bool) throws(Errno) -> [UInt8]?
  ) -> IgnoreScope {
    var scope = scope
    if hasGit, let tree = workTree(reading: { try? read($0, true) }) {
      scope = tree.reduce(scope.empty) { $0.adding($1, below: path) }
    }
    if hasRules, !scope.isIgnored, let rules = try? read(Self.file, false) {
      scope = scope.adding(rules, below: path)
    }
    return scope
  }

  /// git's rules in a root, without its own file: those of the work tree around it, or else the
  /// user's. A root that is not on a disk has none.
  package func scope(around root: ScanRoot) -> IgnoreScope {
    guard root.source.isLive else { return IgnoreScope() }
    if let path = try? ThisProcess.realPath(root.directory) {
      let names = path.split(separator: .slash).map { Array($0) }
      for count in names.indices.reversed() {
        let top = names[..<count].reduce([]) { $0.appending(component: $1) }
        if let tree = workTree(reading: { Self.read($0, in: top) }) {
          return scope(of: tree, at: top, leadingTo: Array(names[count...]))
        }
      }
    }
    return IgnoreScope().adding(userFile.flatMap(Self.read) ?? [], at: [])
  }

  private func scope(
    of tree: [[UInt8]], at top: [UInt8], leadingTo names: [[UInt8]]
  ) -> IgnoreScope {
    var scope = IgnoreScope(above: Array(names.joined(separator: [.slash])))
    for rules in tree { scope = scope.adding(rules, at: []) }
    var path: [UInt8] = []
    for name in names {
      let folder = path.isEmpty ? top : top.appending(component: path)
      let file = folder.appending(component: Self.file)
      let rules = try? FileSystem.readFile(file, following: false, limit: Self.largestFile)
      if let rules { scope = scope.adding(rules, at: path) }
      path += path.isEmpty ? name : [.slash] + name
      if scope.ignores(folderAt: path) { return scope.ignored }
    }
    return scope
  }

  private static func read(_ path: [UInt8]) -> [UInt8]? {
    try? FileSystem.readFile(path, following: true, limit: largestFile)
  }

  private static func read(_ path: [UInt8], in folder: [UInt8]) -> [UInt8]? {
    read(path.first == .slash ? path : folder.appending(component: path))
  }

  /// The value of `core.excludesFile` in a configuration file and the files that it includes.
  private static func excludesFile(
    in config: [UInt8], home: [UInt8]?, reading read: Reader, depth: Int = 0
  ) -> [UInt8]? {
    // git's own limit.
    guard depth < 10, let bytes = read(config) else { return nil }
    var file: [UInt8]?
    for setting in GitConfig.settings(in: bytes) {
      switch setting {
      case .excludesFile(let path):
        file = path.expandingHome(home)
      case .include(let path):
        var path = path.expandingHome(home)
        if path.first != .slash, let folder = config.parentPath {
          path = Array(folder).appending(component: path)
        }
        file = excludesFile(in: path, home: home, reading: read, depth: depth + 1) ?? file
      }
    }
    return file
  }
}

extension [UInt8] {
  fileprivate func expandingHome(_ home: [UInt8]?) -> [UInt8] {
    guard let home, starts(with: "~/".utf8) else { return self }
    return home + dropFirst()
  }

  /// Whether git reads a value of the environment as false.
  fileprivate var isFalse: Bool {
    ["", "0", "false", "no", "off"].contains(String(decoding: self, as: UTF8.self).lowercased())
  }
}

extension ArraySlice<UInt8> {
  fileprivate var trimmingLineEnd: [UInt8] {
    var line = self
    while let last = line.last, last == UInt8(ascii: "\n") || last == UInt8(ascii: "\r") {
      line = line.dropLast()
    }
    return Array(line)
  }
}
