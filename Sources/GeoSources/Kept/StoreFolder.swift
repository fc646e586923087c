import GeoCore
import GeoSystem
import GeoTree

/// The files of a store, of each state with these extensions: what is known of it, the same before
/// its tree has its name and after it was removed, its whole tree, and the difference from another
/// one.
struct StoreFolder {
  static let state = Array(".state".utf8)
  static let new = Array(".new".utf8)
  static let gone = Array(".gone".utf8)
  static let snapshot = Array(".geosnap".utf8)
  static let delta = Array(".delta".utf8)
  static let trees = [snapshot, delta]
  private static let kinds = [state, new, gone] + trees
  static let temporary = Array(".new-".utf8)
  /// The file with the version, which is also locked.
  static let version = Array("version".utf8)
  static let head = Array("geomapper kept 1\n".utf8)

  let handle: FolderHandle
  let path: [UInt8]

  init(_ handle: FolderHandle, at path: [UInt8]) {
    (self.handle, self.path) = (handle, path)
  }

  func read(_ name: [UInt8], limit: Int) throws(Errno) -> [UInt8] {
    let file = try handle.openRegular(name)
    guard let size = file.size, size <= Int64(limit) else { throw .fileTooLarge }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(Int(size))
    while try file.read(upTo: max(1, Int(size) - bytes.count), appendingTo: &bytes) > 0 {
      if bytes.count >= Int(size) { break }
    }
    return bytes
  }

  func has(_ name: [UInt8]) -> Bool { (try? handle.facts(of: name, following: false)) != nil }

  /// The extensions of the files of all states, also of those that are being added or removed.
  func files() throws(Errno) -> [[UInt8]: Set<[UInt8]>] {
    let names = try handle.fileNames()
    var all: [[UInt8]: Set<[UInt8]>] = [:]
    for index in names.records.indices {
      let name = names.name(at: index)
      guard name.first != 0x2E,
        let kind = Self.kinds.first(where: { name.suffix($0.count).elementsEqual($0) })
      else { continue }
      let id = Array(name.dropLast(kind.count))
      if kind == Self.state || KeptState(named: id) != nil { all[id, default: []].insert(kind) }
    }
    return all
  }

  func unreadable(_ reason: Errno) -> Failure { .unreadable(store: path, reason) }

  func unwritable(_ reason: Errno) -> Failure { .unwritable(store: path, reason) }

  func writing<Value>(_ body: () throws(Errno) -> Value) throws(Failure) -> Value {
    try rethrowing(body(), as: unwritable)
  }

  func write(_ bytes: [UInt8], as name: [UInt8]) throws(Errno) {
    let file = try StoreFile(in: self)
    try file.append(bytes.span)
    try file.finish(as: name)
  }

  /// Whether there is a store in the folder; throws if there is something else.
  ///
  /// A store whose file `version` is lost is known by its states.
  func check() throws(Failure) -> Bool {
    var head: [UInt8] = []
    do throws(Errno) {
      head = try read(Self.version, limit: 1024)
      if head == Self.head { return true }
    } catch {
      if error != .noEntry { throw .unreadable(store: path, error) }
    }
    let beginning = Self.head.prefix { !(0x30...0x39 ~= $0) }
    if head.starts(with: beginning), head.last == 0x0A,
      Int64(wholeNumber: head[beginning.count...].dropLast()) != nil
    {
      throw .usage(
        "the store '\(TerminalText.escaped(path))' is of another version of geomapper")
    }
    if try !rethrowing(files(), as: unreadable).isEmpty { return true }
    if !head.isEmpty { throw .foreign(store: path) }
    return false
  }

  /// The states, and those that are damaged as far as that is seen without opening their trees.
  func contents() throws(Failure) -> KeptStore.Contents {
    var contents = KeptStore.Contents()
    if try !check() { return contents }
    let all = try rethrowing(files(), as: unreadable)
    for (id, files) in all where !files.contains(Self.gone) {
      if files.contains(Self.state) {
        let state = state(id)
        let known = state ?? KeptState(named: id) ?? KeptState(id: id)
        if state == nil {
          let file = path.appending(component: id + Self.state)
          guard has(id + Self.state) else { continue }
          contents.damaged.append(KeptDamage(state: known, file: file))
        } else if !files.isDisjoint(with: Self.trees) || hasTree(id) {
          contents.states.append(known)
        } else if has(id + Self.state) {
          let file = path.appending(component: id + Self.snapshot)
          contents.damaged.append(KeptDamage(state: known, file: file, isMissing: true))
        }
      } else if !files.contains(Self.new), isWithoutState(id), let known = KeptState(named: id) {
        let file = path.appending(component: id + Self.state)
        contents.damaged.append(KeptDamage(state: known, file: file, isMissing: true))
      }
    }
    contents.states.sort { $0.isEarlier(than: $1) }
    contents.damaged.sort { $0.state.isEarlier(than: $1.state) }
    return contents
  }

  /// Whether there is a tree without its state. The order is that in which processes rename and
  /// remove files.
  private func isWithoutState(_ id: [UInt8]) -> Bool {
    if has(id + Self.new) || has(id + Self.state) || has(id + Self.gone) { return false }
    return hasTree(id)
  }

  func hasTree(_ id: [UInt8]) -> Bool { Self.trees.contains { has(id + $0) } }

  /// Reads all bytes of trees, or only what they begin with and what each is the difference from.
  func checkedContents(readingAll: Bool) throws(Failure) -> KeptStore.Contents {
    var contents = try contents()
    var known: [[UInt8]: (link: TreeLink, file: [UInt8])] = [:]
    var sound: [KeptState] = []
    for state in contents.states {
      var id = state.id
      var passed: Set<[UInt8]> = []
      while true {
        if known[id] == nil {
          known[id] = (try link(of: id, readingAll: readingAll), path(ofTree: id))
        }
        guard let found = known[id] else { break }
        if case .difference(let other) = found.link, passed.insert(id).inserted {
          id = other
          continue
        }
        if found.link == .whole {
          sound.append(state)
        } else {
          contents.damaged.append(
            KeptDamage(
              state: state, file: found.file, isMissing: found.link == .missing,
              isOfOther: id != state.id))
        }
        break
      }
    }
    contents.states = sound
    contents.damaged.sort { $0.state.isEarlier(than: $1.state) }
    return contents
  }

  private func state(_ id: [UInt8]) -> KeptState? {
    guard let bytes = try? read(id + Self.state, limit: KeptState.longest),
      var state = try? KeptState(id: id, encoded: bytes)
    else { return nil }
    state.room = Int64(bytes.count)
    for kind in Self.trees {
      state.room += (try? handle.facts(of: id + kind, following: false).size) ?? 0
    }
    return state
  }
}

extension KeptState {
  var newName: [UInt8] {
    let random = String(UInt32.random(in: 0...(.max)), radix: 36)
    return Array("\(seconds)-\(number)-\(random)".utf8)
  }

  /// What the name of a state's files says of it; nil if states don't get such names.
  init?(named id: [UInt8]) {
    let isEarly = id.first == UInt8(ascii: "-")
    let parts = id.dropFirst(isEarly ? 1 : 0)
      .split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
    guard parts.count == 3, parts.prefix(2).joined().allSatisfy(\.isDigit), !parts[2].isEmpty,
      parts[2].allSatisfy({ $0.isDigit || UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0 }),
      let seconds = Int64((isEarly ? "-" : "") + String(decoding: parts[0], as: UTF8.self)),
      let number = UInt64(String(decoding: parts[1], as: UTF8.self))
    else { return nil }
    self.init(id: id)
    (self.seconds, self.number) = (seconds, number)
  }

  init(id: [UInt8]) {
    self.init(roots: [])
    self.id = id
  }
}
