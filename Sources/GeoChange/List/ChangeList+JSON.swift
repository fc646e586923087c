import GeoFormats
import GeoCore
import GeoProjection

extension ChangeList {
  /// The kinds of change that rows have.
  public static let allKinds: Set<NodeChange> = [.added, .removed, .changed, .moved]
  /// How many rows, and moves, a page in a file has at most.
  static let mostOnPage = 5000

  /// Adds the rows as an array of objects: `path`, `change`, `growth`, and as far as they apply
  /// `folder`, `files`, `size`, `was`, `modified`, `from`; raw where a path is no UTF-8.
  package func put(rowsOf tree: ChangeTree, to json: inout JSONBuilder) {
    json.array { json in
      for item in items {
        json.object { json in
          let path = item.file.map { tree.path(ofFile: $0) } ?? tree.path(ofFolder: item.folder)
          json.member("path", text: path, raw: "rawPath")
          if let text = item.change.text { json.member("change", text: Array("\(text)".utf8)) }
          json.member("growth", item.growth)
          if let modified = item.modified { json.member("modified", modified) }
          guard let number = item.file else {
            json.member("folder", true)
            json.member("files", Int64(item.files))
            if item.change == .moved { json.member("size", item.weight) }
            if let other = item.otherFolder {
              json.member("from", text: tree.path(ofFolder: other), raw: "rawFrom")
            }
            return
          }
          let file = tree.files[number]
          if file.facts.status.hasSize { json.member("size", file.facts.size) }
          if file.change == .changed, file.was.status.hasSize {
            json.member("was", file.was.size)
          }
          if file.partner >= 0 {
            json.member("from", text: tree.path(ofFile: Int(file.partner)), raw: "rawFrom")
          }
        }
      }
    }
  }
}

extension ChangeTree {
  /// Adds the moved files as an array of `[lon, lat, lon, lat, size]`, from the old place to the new one.
  ///
  /// - Parameters:
  ///   - engine: The engine of the map of both states.
  ///   - limit: How many there are at most, the largest first.
  package func put(
    movesBy engine: GeoProjectionEngine, limit: Int, to json: inout JSONBuilder
  ) {
    let moves = largestMoves(limit)
    // Each end in the order of the map, so that no folder is placed twice.
    var places = ChangePlaces(self, engine)
    let ends = moves.map { places.place(ofFile: $0.file) }
    var starts = ends
    for index in moves.indices.sorted(by: { moves[$0].origin < moves[$1].origin }) {
      starts[index] = places.place(ofFile: moves[index].origin)
    }
    json.array { json in
      for (index, move) in moves.enumerated() {
        json.array { json in
          for place in [starts[index], ends[index]] {
            json.value(degrees: place.coordinate.longitude, digits: place.digits)
            json.value(degrees: place.coordinate.latitude, digits: place.digits)
          }
          json.value(move.size)
        }
      }
    }
  }

  /// A file that moved: where it is, where it was, and its size.
  private struct Move {
    var file: Int
    var origin: Int
    var size: Int64
  }

  /// The largest files that moved, in the order of the map.
  ///
  /// - Complexity: O(files that differ), each of which is looked at once.
  private func largestMoves(_ limit: Int) -> [Move] {
    var largest = Foremost<Move>(limit) { ($0.size, $1.file) > ($1.size, $0.file) }
    for number in files.indices {
      let file = files[number]
      guard file.change == .moved, file.partner >= 0 else { continue }
      largest.add(Move(file: number, origin: Int(file.partner), size: file.facts.size))
    }
    return largest.finish().sorted { $0.file < $1.file }
  }

  /// Adds what is below a folder in both states, as an array of objects: `files`, `bytes`.
  package func put(_ sums: StatePairSums, to json: inout JSONBuilder) {
    json.array { json in
      for state in [sums.old, sums.new] {
        json.object { json in
          json.member("files", state.files)
          if let bytes = state.bytes { json.member("bytes", bytes) }
        }
      }
    }
  }

  /// What a page says of both states besides its rows, as JSON in which `<` is escaped.
  func page(of states: [MapState], by engine: GeoProjectionEngine) -> [UInt8] {
    let list = ChangeList(
      self, by: .size, kinds: ChangeList.allKinds, limit: ChangeList.mostOnPage)
    var json = JSONBuilder()
    json.object { put(states, list, by: engine, moves: ChangeList.mostOnPage, to: &$0) }
    return json.scriptBytes
  }

  /// Adds what is to be said of both states: `states`, `below`, `total`, `list`, `moves`.
  package func put(
    _ states: [MapState], _ list: ChangeList, by engine: GeoProjectionEngine, moves: Int,
    to json: inout JSONBuilder
  ) {
    json.key("states")
    put(states, to: &json)
    var difference = NodeDifference(.none)
    difference.below = total
    json.members(raw: difference.members(kind: .directory))
    json.member("total", Int64(list.count))
    json.key("list")
    list.put(rowsOf: self, to: &json)
    json.key("moves")
    put(movesBy: engine, limit: moves, to: &json)
  }

  /// Adds both states in a few words, as an array of objects: `name`, `time`, `files`, `bytes`.
  package func put(_ states: [MapState], to json: inout JSONBuilder) {
    let sums = totalSums
    json.array { json in
      for (state, sums) in zip(states, [sums?.old, sums?.new]) {
        json.object { json in
          json.member("name", text: state.name, raw: "rawName")
          if let time = state.time { json.member("time", time) }
          if let sums {
            json.member("files", sums.files)
            if let bytes = sums.bytes { json.member("bytes", bytes) }
          }
        }
      }
    }
  }
}
