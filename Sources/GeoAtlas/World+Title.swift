extension World {
  /// What a map of it is called: its roots, or the first of them.
  package var title: [UInt8] {
    let labels = roots.map(\.label)
    if labels.isEmpty { return Array("World".utf8) }
    let shown = labels.prefix(labels.count > Self.mostNamed ? Self.mostNamed - 1 : Self.mostNamed)
    let rest =
      labels.count > shown.count
      ? [Array("\(labels.count - shown.count) more".utf8)] : []
    let names = shown + rest
    let first = Array(names.dropLast().joined(separator: ", ".utf8))
    return names.count > 1 ? first + Array(" and ".utf8) + names[names.count - 1] : names[0]
  }

  /// The most roots that are all named.
  private static let mostNamed = 3
}
