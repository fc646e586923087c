import GeoCore
import GeoFormats
import GeoProjection

/// A file or folder that differs, with its place on the map of both states.
package struct PlacedChange: Sendable {
  package let path: [UInt8]
  package let from: [UInt8]?
  package let isFolder: Bool
  package let change: NodeChange
  /// Bytes of a file in the new state, or in the old one if it is gone; nil if unknown.
  package let size: Int64?
  package let was: Int64?
  /// Degrees east and north.
  package let place: (longitude: Double, latitude: Double)
}

package struct MovedNode: Sendable {
  package let from, to: [UInt8]
  package let files, bytes: Int64
}

extension ChangeTree {
  package func ownChanges(of folder: Int, by engine: GeoProjectionEngine) -> [PlacedChange] {
    guard folders.indices.contains(folder) else { return [] }
    let differing = folders[folder].files.filter { files[Int($0)].change != .none }
    var places = ChangePlaces(self, engine)
    return placed(differing.map { Int($0) }, in: &places)
  }

  /// The largest added files, without those in added folders.
  package func largestNewFiles(_ limit: Int, by engine: GeoProjectionEngine) -> [PlacedChange] {
    let rows = ChangeList(self, by: .size, kinds: [.added], limit: limit)
    var places = ChangePlaces(self, engine)
    return placed(rows.items.compactMap(\.file), in: &places)
  }

  func placed(_ numbers: [Int], in places: inout ChangePlaces) -> [PlacedChange] {
    numbers.map { number in
      let file = files[number]
      let (coordinate, digits) = places.place(ofFile: number)
      return PlacedChange(
        path: path(ofFile: number),
        from: file.partner < 0 ? nil : path(ofFile: Int(file.partner)), isFolder: false,
        change: file.change, size: size(of: file), was: file.sizeBefore(measure),
        place: coordinate.degrees(digits: digits))
    }
  }

  package func moves(_ limit: Int) -> [MovedNode] {
    ChangeList(self, by: .size, kinds: [.moved], limit: limit).items.compactMap { item in
      if let number = item.file {
        let partner = Int(files[number].partner)
        if partner < 0 { return nil }
        return MovedNode(
          from: path(ofFile: partner), to: path(ofFile: number), files: 1, bytes: item.weight)
      }
      return item.otherFolder.map {
        MovedNode(
          from: path(of: $0), to: path(of: item.folder), files: Int64(item.files),
          bytes: item.weight)
      }
    }
  }
}

extension ChangeTree {
  func names(ofChildren range: Range<Int32>) -> NameTable {
    var table = NameTable()
    for child in range {
      names.with(children[Int(child)]) { table.append($0, kind: .directory) }
    }
    return table
  }
}
