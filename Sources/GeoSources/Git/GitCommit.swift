import GeoCore

/// What the object of a commit tells.
enum GitCommit {
  /// By what the commit of a revision is known; nil if the revision names what is in the index.
  static func name(of revision: [UInt8]) -> [UInt8]? {
    // A path of a revision, or in the index.
    let commit = revision.prefix { $0 != UInt8(ascii: ":") }
    return commit.isEmpty ? nil : commit + Array("^{commit}".utf8)
  }

  /// When it was committed, in Unix seconds.
  ///
  /// - Parameter content: What the object has in it.
  static func time(_ content: [UInt8]) -> Int64? {
    let lines = content.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    for line in lines.prefix(while: { !$0.isEmpty }) where line.starts(with: "committer ".utf8) {
      // NAME <ADDRESS> SECONDS ZONE
      let words = line.split(separator: UInt8(ascii: " "))
      return words.count > 2 ? Int64(wholeNumber: words[words.count - 2]) : nil
    }
    return nil
  }
}
