import Foundation
import GeoCore
import GeoSystem
import GeoTree
import TestSupport
import Testing

@testable import GeoSources

/// A tree of one level of folders, which is put into a store without a disk.
private struct ModelTree {
  /// Sizes and times of files, by folder and name.
  var folders: [[UInt8]: [[UInt8]: (size: Int64, time: Int64)]] = [:]

  init(_ generator: inout SeededGenerator) {
    for name in Tree.names(generator.number(in: 1...6), using: &generator) { folders[name] = [:] }
    for folder in folders.keys.sorted(by: { $0.lexicographicallyPrecedes($1) }) {
      addFiles(generator.number(in: 0...120), to: folder, &generator)
    }
  }

  private mutating func addFiles(
    _ count: Int, to folder: [UInt8], _ generator: inout SeededGenerator
  ) {
    for index in 0..<count {
      let name = Array("\(generator.next())-\(index)-".utf8) + [UInt8](repeating: 0x78, count: 60)
      folders[folder]?[name] = (Int64(generator.number(in: 0...1_000_000)), Int64(index))
    }
  }

  mutating func change(_ generator: inout SeededGenerator) {
    let names = folders.keys.sorted { $0.lexicographicallyPrecedes($1) }
    let folder = names[generator.number(in: 0...(names.count - 1))]
    switch generator.number(in: 0...9) {
    case 0: folders[folder] = nil
    case 1:
      let name = Array("new\(generator.next())".utf8)
      folders[name] = [:]
      addFiles(generator.number(in: 0...120), to: name, &generator)
    case 2: addFiles(generator.number(in: 1...20), to: folder, &generator)
    default:
      for name in folders[folder]?.keys.sorted(by: { $0.lexicographicallyPrecedes($1) }) ?? []
      where generator.chance(0.02) {
        folders[folder]?[name] = (Int64(generator.number(in: 0...1_000_000)), 7)
      }
    }
    if folders.isEmpty { folders[Array("last".utf8)] = [:] }
  }

  /// The tree as a snapshot, in pieces.
  func write(to append: ([UInt8]) throws -> Void) throws {
    var part = SnapshotPart()
    let names = folders.keys.sorted { $0.lexicographicallyPrecedes($1) }
    var top = SnapshotPart.Folder(depth: 0, number: 0, modified: 1, storage: .unknown)
    top.folderCount = names.count
    part.add(
      top, at: [], folders: NameTable(names, kind: .directory))
    for (number, name) in names.enumerated() {
      let files = folders[name] ?? [:]
      let sorted = files.keys.sorted { $0.lexicographicallyPrecedes($1) }
      var folder = SnapshotPart.Folder(depth: 1, number: number, modified: 2, storage: .unknown)
      folder.fileCount = sorted.count
      part.add(folder, at: name, folders: NameTable())
      let facts = sorted.map { name in
        var facts = EntryFacts(kind: .regular)
        facts.status = .known
        facts.size = files[name]?.size ?? 0
        facts.modified = files[name]?.time ?? 0
        return facts
      }
      part.addFiles(
        NameTable(sorted, kind: .regular), 0..<sorted.count, of: name, facts: facts)
      part.addStorage(sorted.map { _ in .unknown })
    }
    let root = SnapshotHeader.Root(label: Array("r".utf8), directory: Array("/r".utf8))
    var writer = SnapshotWriter(SnapshotHeader(roots: [root]))
    try writer.add(part, faults: [])
    try writer.finishTree()
    try append(writer.takeOutput())
    while true {
      let end = try writer.takeEnd()
      if end.isEmpty { return }
      try append(end)
    }
  }
}

/// A store of kept states.
@Suite struct KeptStoreTests {
  let folder: TemporaryFolder
  let store: KeptStore

  init() throws {
    folder = try TemporaryFolder()
    store = KeptStore(at: Array(folder("store").utf8))
  }

  private func state(_ seconds: Int64) -> KeptState {
    let root = KeptState.Root(
      label: Array("r".utf8), directory: Array("/r".utf8), fileSystem: Array("disk".utf8))
    var state = KeptState(roots: [root])
    state.seconds = seconds
    state.machine = ThisMachine.identity
    return state
  }

  /// Keeps a tree.
  ///
  /// - Returns: The state, and the contents of the tree.
  private func keep(
    _ tree: ModelTree, at seconds: Int64
  ) throws -> (state: KeptState, lines: [String]) {
    let locked = try store.locked()
    let draft = try locked.begin()
    let scratch = try ScratchFile()
    try tree.write {
      try draft.append($0.span)
      try scratch.append($0.span)
    }
    let state = try locked.add(draft, as: state(seconds))
    return (state, SnapshotContents(try Snapshot(in: scratch, named: [])).lines)
  }

  /// What a store does in a random sequence is what a list of trees does.
  @Test func storeEqualsAListOfTrees() throws {
    for seed in TestScale.seeds(10) {
      var generator = SeededGenerator(seed: seed)
      let test = try KeptStoreTests()
      var model: [(state: KeptState, lines: [String])] = []
      var tree = ModelTree(&generator)
      var time: Int64 = 1_000_000
      for _ in 0..<10 {
        switch generator.number(in: 0...9) {
        case 0 where model.count > 1:
          let gone = model.filter { _ in generator.chance(0.4) }.map(\.state)
          try test.store.locked().remove(gone)
          model.removeAll { gone.map(\.id).contains($0.state.id) }
        case 1 where !model.isEmpty:
          let rule = Retention(counts: [.hours: generator.number(in: 1...3)])
          let gone = try test.store.locked().thin(model[0].state, rule)
          model.removeAll { gone.map(\.id).contains($0.state.id) }
        default:
          for _ in 0..<generator.number(in: 0...3) { tree.change(&generator) }
          time += Int64(generator.number(in: 1...2500))
          model.append(try test.keep(tree, at: time))
        }
        let states = try test.store.states()
        #expect(states.map(\.id) == model.map(\.state.id), "seed \(seed)")
        guard let one = model.randomElement(using: &generator) else { continue }
        try test.expect(one, "seed \(seed)")
      }
      for one in model { try test.expect(one, "seed \(seed)") }
      // Nothing but the states is left.
      let names = try test.folder.names(in: "store")
      #expect(names.filter { $0.hasSuffix(".state") }.count == model.count, "seed \(seed)")
      #expect(names.count == 2 * model.count + 1, "seed \(seed): \(names)")
    }
  }

  private func expect(_ one: (state: KeptState, lines: [String]), _ note: Comment) throws {
    let snapshot = try store.open(one.state)
    let contents = SnapshotContents(snapshot)
    #expect(contents.lost.isEmpty, note)
    #expect(contents.lines == one.lines, note)
    #expect(snapshot.check { _ in }.isSound, note)
  }

  @Test func olderStatesAreSmall() throws {
    var generator = SeededGenerator(seed: 7)
    var tree = ModelTree(&generator)
    while tree.folders.count < 4 { tree.change(&generator) }
    for hour in 0..<36 {
      _ = try keep(tree, at: Int64(hour) * 3600)
      tree.change(&generator)
    }
    let states = try store.states()
    let names = try folder.names(in: "store")
    let whole = names.filter { $0.hasSuffix(".geosnap") }
    // The newest, and one that ends the chain of differences.
    #expect(whole.count >= 2 && whole.count <= 4, "\(whole.count)")
    #expect(states.reduce(0) { $0 + $1.room } < states[35].room * 10)
    #expect(try store.states(of: Array("/r/sub".utf8)).count == 36)
    #expect(try store.states(of: Array("/rx".utf8)).isEmpty)
  }

  /// A process that removes a state is killed after the one before it was based on the one after it.
  @Test func interruptedRemovalLosesNothing() throws {
    var generator = SeededGenerator(seed: 11)
    var tree = ModelTree(&generator)
    while tree.folders.count < 4 { tree.change(&generator) }
    var model: [(state: KeptState, lines: [String])] = []
    for hour in 0..<5 {
      model.append(try keep(tree, at: Int64(hour) * 3600))
      tree.change(&generator)
    }
    let id = String(decoding: model[3].state.id, as: UTF8.self)
    let names = try folder.names(in: "store").filter { $0.hasPrefix(id) }
    #expect(names.count == 2)
    let files = try names.map { ($0, try folder.read("store/\($0)")) }
    try store.locked().remove([model[3].state])
    for (name, bytes) in files {
      try folder.makeFile(bytes: Array("store/\(name)".utf8), Array(bytes))
    }
    try store.locked().remove([model[4].state])
    model.removeLast()
    #expect(try store.states().map(\.id) == model.map(\.state.id))
    for one in model { try expect(one, "\(one.state.seconds)") }
  }

  @Test func removesLeftoversNotInUse() throws {
    var generator = SeededGenerator(seed: 1)
    let tree = ModelTree(&generator)
    let kept = try keep(tree, at: 5)
    try folder.makeFile("store/.new-left", "half")
    try folder.makeFile("store/5-9-lost.geosnap", "no state")
    try folder.makeFile("store/5-9-lost.delta", "no state")
    try folder.makeFile("store/mine.geosnap", "not of the store")
    let draft = try store.locked().begin()
    try draft.append([1, 2, 3].span)
    #expect(try folder.names(in: "store").filter { $0.hasPrefix(".new-") }.count == 1)
    _ = try keep(tree, at: 6)
    let names = try folder.names(in: "store")
    #expect(names.filter { $0.hasPrefix(".new-") }.count == 1, "\(names)")
    #expect(names.count == 9, "\(names)")
    try expect(kept, "after sweeping")
    // A tree is never removed because its state is missing.
    let damaged = try store.contents().damaged
    #expect(damaged.map(\.state.number) == [9] && damaged.allSatisfy(\.isMissing))
    try store.locked().remove(damaged.map(\.state))
    #expect(try folder.names(in: "store").count == 7)
    withExtendedLifetime(draft) {}
  }

  /// A process that is killed has added a state, or removed it, or done nothing.
  @Test func interruptedStepsAreCompleted() throws {
    var generator = SeededGenerator(seed: 5)
    var tree = ModelTree(&generator)
    var model: [(state: KeptState, lines: [String])] = []
    for hour in 0..<3 {
      model.append(try keep(tree, at: Int64(hour) * 3600))
      tree.change(&generator)
    }
    func rename(_ number: Int, _ old: String, _ new: String) throws {
      let id = folder("store/" + String(decoding: model[number].state.id, as: UTF8.self))
      try FileManager.default.moveItem(atPath: id + old, toPath: id + new)
    }
    try rename(2, ".state", ".new")
    #expect(try store.states().count == 2)
    _ = try store.locked()
    #expect(try store.states().count == 3)
    try rename(0, ".state", ".gone")
    try folder.makeFile("store/9-9-early.new", "no tree yet")
    #expect(try store.contents().damaged.isEmpty)
    _ = try store.locked()
    model.removeFirst()
    #expect(try folder.names(in: "store").count == 5)
    for one in model { try expect(one, "\(one.state.seconds)") }
  }

  @Test func removedStatesAreNotReportedDamaged() throws {
    var generator = SeededGenerator(seed: 3)
    let kept = try keep(ModelTree(&generator), at: 5)
    try store.locked().remove([kept.state])
    let failure = #expect(throws: Failure.self) { try store.open(kept.state) }
    #expect(failure?.group == .source && failure?.isOfRemovedState == true)
    #expect(failure?.message.hasSuffix("was removed meanwhile") == true)
  }

  /// Folders that change their order make every block of a state depend on several of the next one.
  /// Each difference is still applied once.
  @Test func chainsOpenInLinearTime() throws {
    var generator = SeededGenerator(seed: 2)
    var tree = ModelTree(&generator)
    tree.folders = [:]
    let file = [UInt8](repeating: 0x79, count: 200)
    for number in 0..<40 {
      let files = (0..<40).map {
        (Array("\(generator.next())-\($0)".utf8) + file, (Int64($0), Int64(1)))
      }
      tree.folders[Array("\(number)".utf8)] = Dictionary(uniqueKeysWithValues: files)
    }
    var model: [(state: KeptState, lines: [String])] = []
    for hour in 0..<14 {
      model.append(try keep(tree, at: Int64(hour) * 3600))
      for name in tree.folders.keys.sorted(by: { $0.lexicographicallyPrecedes($1) })
      where generator.chance(0.3) {
        tree.folders[Array("\(generator.next())".utf8)] = tree.folders.removeValue(forKey: name)
      }
    }
    #expect(try folder.names(in: "store").filter { $0.hasSuffix(".delta") }.count >= 12)
    try expect(model[0], "the oldest")
    try store.locked().remove([model[3].state])
    try expect(model[2], "one that was based on it")
  }

  @Test func onlyOneWriterAtATime() throws {
    let first = try store.locked()
    let failure = #expect(throws: Failure.self) { try store.locked(waiting: 30) }
    #expect(failure?.group == .output)
    #expect(failure?.message.contains("another geomapper is writing") == true)
    withExtendedLifetime(first) {}
    #expect(try folder.mode("store") == 0o700)
    #expect(try folder.mode("store/version") == 0o600)
  }

  private func refuses(_ reason: String, _ body: () throws -> Void) {
    let failure = #expect(throws: Failure.self) { try body() }
    #expect(failure?.group == .usage && failure?.message.contains(reason) == true)
  }

  @Test func otherFoldersAreRefused() throws {
    try folder.makeFile("other/thing")
    let other = KeptStore(at: Array(folder("other").utf8))
    refuses("something else than kept states") { _ = try other.locked() }
    #expect(try other.states().isEmpty)
    #expect(try folder.names(in: "other") == ["thing"])
    try folder.makeFile("other/version")
    refuses("something else than kept states") { _ = try other.locked() }
    try folder.makeFile("other/version", "1.2")
    refuses("something else than kept states") { _ = try other.locked() }
    try folder.makeFile("later/version", "geomapper kept 2\n")
    let later = KeptStore(at: Array(folder("later").utf8))
    refuses("another version") { _ = try later.locked() }
    refuses("another version") { _ = try later.states() }
  }

  /// Whatever file is damaged or missing, no command changes what can be read of other states, and all
  /// that is damaged is named, and can be removed.
  @Test func damageKeepsOtherStatesReadable() throws {
    for seed in TestScale.seeds(20) {
      var generator = SeededGenerator(seed: seed)
      let test = try KeptStoreTests()
      var tree = ModelTree(&generator)
      var model: [(state: KeptState, lines: [String])] = []
      for hour in 0..<5 {
        model.append(try test.keep(tree, at: Int64(hour) * 3600))
        tree.change(&generator)
      }
      let names = try test.folder.names(in: "store")
      let name = "store/" + names[generator.number(in: 0...(names.count - 1))]
      let note = Comment("seed \(seed): \(name)")
      try test.damage(name, &generator)
      guard let contents = try? test.store.checkedContents() else {
        // Another digit is another version.
        #expect(name == "store/version", note)
        continue
      }
      #expect(contents.damaged.isEmpty == (name == "store/version"), note)
      #expect(contents.states.count + contents.damaged.count == 5, note)
      model.removeAll { one in !contents.states.contains { $0.id == one.state.id } }
      for one in model { try test.expect(one, note) }
      for hour in 5..<8 {
        model.append(try test.keep(tree, at: Int64(hour) * 3600))
        tree.change(&generator)
        var gone: [KeptState]
        if generator.chance(0.5) {
          gone = model.map(\.state).filter { _ in generator.chance(0.3) }
          if generator.chance(0.3) { gone += contents.damaged.prefix(1).map(\.state) }
          try test.store.locked().remove(gone)
        } else {
          let last = try #require(model.last?.state)
          gone = try test.store.locked().thin(last, Retention(counts: [.hours: 3]))
        }
        model.removeAll { gone.map(\.id).contains($0.state.id) }
        for one in model { try test.expect(one, note) }
      }
      try test.store.locked().remove(test.store.checkedContents().damaged.map(\.state))
      let left = try test.store.checkedContents()
      #expect(left.damaged.isEmpty && left.states.map(\.id) == model.map(\.state.id), note)
      for one in model { try test.expect(one, note) }
      #expect(try test.folder.names(in: "store").count == 2 * model.count + 1, note)
    }
  }

  /// Removes a file, cuts it short, or changes a byte.
  private func damage(_ name: String, _ generator: inout SeededGenerator) throws {
    var bytes = try folder.read(name)
    try FileManager.default.removeItem(atPath: folder(name))
    if generator.chance(0.3) { return }
    if generator.chance(0.2) {
      bytes = Array(bytes.prefix(generator.number(in: 0...(bytes.count - 1))))
    } else {
      bytes[generator.number(in: 0...(bytes.count - 1))] ^= UInt8(generator.number(in: 1...255))
    }
    try folder.makeFile(bytes: Array(name.utf8), bytes)
  }

  @Test func encodedStatesRoundTrip() throws {
    var state = state(-5)
    state.roots.append(
      KeptState.Root(
        label: Array("z=\n".utf8), directory: [0x2F, 0xFF], fileSystem: [], free: 1 << 50))
    (state.number, state.nanoseconds, state.isIncomplete) = (9, 999_999_999, true)
    state.conditions = [Array("--exclude=**/*.o".utf8)]
    (state.files, state.folders, state.bytes, state.allocated) = (1, 2, 1 << 60, -3)
    let bytes = state.encoded
    var read = try KeptState(id: [], encoded: bytes)
    read.id = state.id
    #expect(read == state)
    for index in bytes.indices {
      var damaged = bytes
      damaged[index] ^= 0x40
      #expect(throws: ByteDamage.self) { try KeptState(id: [], encoded: damaged) }
    }
    for count in bytes.indices {
      #expect(throws: ByteDamage.self) {
        try KeptState(id: [], encoded: Array(bytes.prefix(count)))
      }
    }
  }
}
