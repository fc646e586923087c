extension World {
  /// The title of a map: the labels of its roots, or of the first of them.
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

  /// The maximum number of roots that are all named.
  private static let mostNamed = 3
}
