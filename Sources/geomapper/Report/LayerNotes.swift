import GeoCore
import GeoSystem
import GeoTree

extension Run {
  /// Notes how many rows of layers have no file or folder on the map, and the first of their paths,
  /// once all was read.
  func noteUnmatched(in layers: LayerSet?) throws(Failure) {
    guard let layers, !low.isQuiet else { return }
    note(
      unmatched: try rethrowing(layers.unmatched()) { Failure.noScratch("read values back", $0) })
  }

  /// Notes how many rows of layers have no file or folder on the map, and the first of their paths.
  func note(unmatched: LayerSet.Unmatched?) {
    guard let unmatched, unmatched.rows > 0 else { return }
    let different = zip(unmatched.paths.indices, unmatched.paths).filter { index, path in
      index == 0 || unmatched.paths[index - 1] != path
    }
    let paths = different.map { "'\(TerminalText.escaped($0.1))'" }.joined(separator: ", ")
    let more = unmatched.rows > unmatched.paths.count ? ", ..." : ""
    note(
      "\(Quantity.count(unmatched.rows, "row")) of layers without a file or folder on the map: "
        + paths + more)
  }
}
