import GeoAtlas
import GeoPath
import GeoProjection
import GeoSystem

/// Looks for names, the shallowest folders first, and sends what it finds while it looks.
final class NameSearch: Sendable {
  private let match: NameMatch
  private let limit: Int

  /// How long it looks, in nanoseconds.
  private static let duration: Int64 = 4_000_000_000
  /// How often it sends what it has found.
  private static let interval: Int64 = 100_000_000
  /// How many folders may wait to be looked at.
  private static let mostWaiting = 2_000_000

  /// A search for words that are separated by blanks or slashes; nil if there is none, or too much.
  ///
  /// - Parameters:
  ///   - query: The words; capitals of ASCII don't matter.
  ///   - limit: How many results are wanted.
  init?(_ query: [UInt8], limit: Int) {
    let words = query.lowercased.split { $0 == 0x20 || $0 == UInt8(ascii: "/") }
    guard let match = NameMatch(words.map { Array($0) }), query.count <= 256 else { return nil }
    self.match = match
    self.limit = limit
  }

  /// A folder to look into. There may be very many: its path is put together when its turn comes.
  private struct Waiting {
    /// The path of the folder that it is in; nil for a root.
    var parent: [UInt8]?
    var names: NameTable
    var index: Int
    var root: Int
    var place: FolderPlace
    var chain: FolderChain

    var path: [UInt8] {
      let name = names.name(at: index)
      return parent.map { $0 + [UInt8(ascii: "/")] + name } ?? name
    }
  }

  /// A node that was found.
  struct Hit {
    var folder: WorldFolder
    var index: Int
    var isFile: Bool
    var score: Int
    var isSent = false
  }

  /// Sends results as lines until all has been looked at, time is up or nobody waits any more.
  func run(in world: World, for reply: Reply) {
    let start = ThisProcess.nanoseconds
    var nextSend = start
    var hits: [Hit] = []
    var folders = 0
    var waiting: [Waiting] = []
    let labels = NameTable(world.roots.map(\.label), kind: .directory)
    for index in world.roots.indices {
      waiting.append(
        Waiting(
          parent: nil, names: labels, index: index, root: index,
          place: world.engine.roots[index], chain: world.chain(ofRoot: index)))
    }
    var position = 0
    var lastParent: FolderChain?
    var isComplete = true
    while position < waiting.count {
      let now = ThisProcess.nanoseconds
      if reply.isCancelled { return }
      if now - start > Self.duration {
        isComplete = false
        break
      }
      if now >= nextSend {
        nextSend = now + Self.interval
        send(&hits, of: world, to: reply)
      }
      let next = waiting[position]
      position += 1
      // The folders that wait are siblings for a while: what leads to them stays open meanwhile.
      if next.chain.parent !== lastParent { lastParent?.closeAll() }
      lastParent = next.chain.parent
      let folder = world.folder(
        at: next.path, root: next.root, place: next.place, next.chain,
        keeps: world.hasRoom)
      next.chain.close()
      folders += 1
      look(in: folder, for: &hits)
      for index in folder.places.indices where waiting.count - position < Self.mostWaiting {
        waiting.append(
          Waiting(
            parent: folder.path, names: folder.folders, index: index, root: folder.root,
            place: folder.places[index], chain: next.chain.child(index, of: folder.folders)))
      }
      if position > 4096, position * 2 > waiting.count {
        waiting.removeFirst(position)
        position = 0
      }
      if folder.failure != nil { isComplete = false }
    }
    send(&hits, of: world, to: reply)
    var json = JSONBuilder()
    json.object { json in
      json.member("done", true)
      json.member("complete", isComplete)
      json.member("folders", Int64(folders))
    }
    reply.send(piece: json.bytes + [10])
  }

  private func look(in folder: WorldFolder, for hits: inout [Hit]) {
    // All terms but the last may be in the path above.
    let above = folder.path.lowercased
    let left = match.others.filter { !NameMatch.occurs($0, in: above) }
    let depth = Int(folder.place.depth)
    if depth == 0 {
      // A root is in no folder: its own name counts as that of a hit in itself.
      let name = folder.path.lowercased
      if let score = match.score(name, left: match.others, depth: 0) {
        add(Hit(folder: folder, index: -1, isFile: false, score: score + 5), to: &hits)
      }
    }
    for (table, isFile) in [(folder.folders, false), (folder.files, true)] {
      for index in 0..<table.count {
        let span = table.bytes.span.extracting(table.records[index].range)
        guard match.mayOccur(in: span) else { continue }
        let name = table.name(at: index).lowercased
        guard let score = match.score(name, left: left, depth: depth + 1) else { continue }
        add(
          Hit(folder: folder, index: index, isFile: isFile, score: score + (isFile ? 0 : 5)),
          to: &hits)
      }
    }
  }

  private func add(_ hit: Hit, to hits: inout [Hit]) {
    if hits.count >= limit, let last = hits.last, last.score >= hit.score { return }
    // After those of the same score: what was found first stands higher up in the tree.
    let place = hits.firstIndex { $0.score < hit.score } ?? hits.count
    hits.insert(hit, at: place)
    if hits.count > limit { hits.removeLast() }
  }

  private func send(_ hits: inout [Hit], of world: World, to reply: Reply) {
    var lines: [UInt8] = []
    for index in hits.indices where !hits[index].isSent {
      hits[index].isSent = true
      lines += Self.line(hits[index], of: world)
    }
    reply.send(piece: lines)
  }

  private static func line(_ hit: Hit, of world: World) -> [UInt8] {
    let (folder, engine) = (hit.folder, world.engine)
    var json = JSONBuilder()
    json.object { json in
      let coordinate: Coordinate
      let digits: UInt8
      let minzoom: UInt8
      if hit.isFile {
        let name = folder.files.name(at: hit.index)
        let place = engine.placeFile(name.span, in: folder.city)
        json.member("path", path: folder.path(of: name))
        json.member("name", text: name)
        json.member("kind", text: NodeKind.poi.bytes)
        json.member("id", Int64(place.id))
        (coordinate, digits, minzoom) = (
          place.coordinate, folder.city.digits, folder.city.minzoom
        )
      } else {
        let place = hit.index < 0 ? folder.place : folder.places[hit.index]
        let path =
          hit.index < 0 ? folder.path : folder.path(of: folder.folders.name(at: hit.index))
        json.member("path", path: path)
        json.member("name", text: NodeWriter.name(in: path))
        json.member("kind", text: place.kind.bytes)
        json.member("id", Int64(place.id))
        (coordinate, digits, minzoom) = (
          engine.coordinate(of: place), place.digits, place.minzoom
        )
      }
      json.put(coordinate, digits: digits)
      json.member("minzoom", Int64(minzoom))
      json.member("score", Int64(hit.score))
    }
    return json.bytes + [10]
  }
}
