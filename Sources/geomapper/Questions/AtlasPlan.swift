import GeoAtlas
import GeoCore
import GeoTree

/// The map that questions are about, and the paths on it.
struct AtlasPlan {
  let world: World
  let paths: MapPaths
  let isLexical: Bool

  /// Limit of the cache of listings, in bytes.
  private static let cacheLimit = 256 << 20

  /// - Parameter readsNothing: Whether the command works without the disk if the layout allows it.
  init(_ run: Run, readsNothing: Bool = false) throws(Failure) {
    let low = run.low
    let layout = low.chosenLayout
    let resolver = SourceResolver(low)
    let isLexical = readsNothing && layout == .pinned && resolver.areFolders(low.roots)
    let roots: [ScanRoot]
    let selection: Selection
    var followed: [ScanRoot]?
    if isLexical {
      (roots, selection) = (try resolver.unreadRoots(low.roots), try Selection(low))
    } else {
      let inputs = try run.inputs(low.roots, read: .anywhere)
      (roots, selection) = (inputs.roots, inputs.selection)
      if low.map.scan.followsLinks { followed = inputs.named }
    }
    world = try wording {
      try World(
        roots: roots, layout: layout, selection: selection, cacheLimit: Self.cacheLimit,
        readsDisk: !isLexical)
    }
    self.isLexical = isLexical
    paths = try MapPaths(
      followed ?? world.roots, isLexical: isLexical, followsLinks: followed != nil)
    if low.roots.isEmpty, let root = world.roots.first {
      run.note(
        "the root is \(root.label.quoted), "
          + "\(TerminalText.escaped(paths.firstPlace ?? root.directory)); "
          + "--root [LABEL=]DIR takes another")
    }
  }

  /// Converts a path on disk, or of the map, to a path of the map; the failure names the path that
  /// may have been meant.
  func path(of argument: [UInt8]) throws(Failure) -> [UInt8] {
    return try rethrowing(paths.path(of: argument)) { (error: Failure) in
      pointing(error, at: argument)
    }
  }

  /// Adds the path of the map to a failure if the argument exists below a root.
  func pointing(_ failure: Failure, at argument: [UInt8]) -> Failure {
    guard failure.status == .usage, !isLexical,
      let right = paths.guesses(for: argument).first(where: { world.find($0) != nil })
    else { return failure }
    return failure.advising("on the map it is \(right.quoted)")
  }
}
