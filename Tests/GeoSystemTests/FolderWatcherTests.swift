import TestSupport
import Testing

@testable import GeoSystem

#if canImport(Glibc)
  import Glibc
#endif

#if os(Linux)
  /// The changes that a watcher reports of a folder.
  @Suite struct FolderWatcherTests {
    private typealias Change = FolderWatcher.Change
    private let folder: TemporaryFolder
    private let watcher: FolderWatcher

    init() throws {
      folder = try TemporaryFolder()
      watcher = try FolderWatcher()
    }

    private func watch(_ name: String) throws -> Int32 {
      let number = open(folder(name), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
      defer { close(number) }
      return try watcher.watch(number)
    }

    /// The reported changes up to the one of the given name.
    private func changes(upTo name: String) throws -> [Change] {
      var changes: [Change] = []
      repeat {
        changes += try watcher.next()
      } while !changes.contains { $0.name.elementsEqual(name.utf8) }
      return changes
    }

    @Test func reportsChangesOfEntries() throws {
      try folder.makeFolder("w")
      try folder.makeFolder("elsewhere")
      try folder.makeFile("w/old", "1")
      let number = try watch("w")
      try folder.makeFile("w/new", "text")
      try folder.makeFolder("w/inner")
      try folder.makeFile(bytes: Array("w/".utf8) + [0xFF, 0x0A])
      try folder.setMode("w/old", 0o600)
      #expect(rename(folder("w/old"), folder("elsewhere/old")) == 0)
      #expect(rename(folder("elsewhere/old"), folder("w/back")) == 0)
      #expect(rmdir(folder("w/inner")) == 0)
      // Changes in sub-folders are not reported.
      try folder.makeFile("elsewhere/nothing")
      try folder.makeFile("w/last")
      let changes = try changes(upTo: "last")
      #expect(changes.allSatisfy { $0.folder == number && !$0.isOverflow && !$0.isForgotten })
      func has(_ what: Change.What, _ name: [UInt8], isFolder: Bool = false) -> Bool {
        changes.contains { $0.what == what && $0.name == name && $0.isFolder == isFolder }
      }
      #expect(has(.added, Array("new".utf8)) && has(.modified, Array("new".utf8)))
      #expect(has(.added, Array("inner".utf8), isFolder: true))
      #expect(has(.added, [0xFF, 0x0A]))
      #expect(has(.modified, Array("old".utf8)) && has(.removed, Array("old".utf8)))
      #expect(has(.added, Array("back".utf8)))
      #expect(has(.removed, Array("inner".utf8), isFolder: true))
      #expect(!changes.contains { $0.name.elementsEqual("nothing".utf8) })
    }

    @Test func aFolderHasOneNumberAsLongAsItIsWatched() throws {
      try folder.makeFolder("w")
      try folder.makeFolder("v")
      let number = try watch("w")
      #expect(try watch("w") == number)
      #expect(try watch("v") != number)
      watcher.forget(number)
      #expect(try watcher.next().contains { $0.folder == number && $0.isForgotten })
      #expect(try watch("w") != number)
    }

    @Test func reportsThatAFolderIsGone() throws {
      try folder.makeFolder("w")
      let number = try watch("w")
      #expect(rmdir(folder("w")) == 0)
      var changes: [Change] = []
      while !changes.contains(where: \.isForgotten) { changes += try watcher.next() }
      #expect(changes.allSatisfy { $0.folder == number })
    }

    @Test func onlyFoldersAreWatched() throws {
      try folder.makeFile("file")
      let file = open(folder("file"), O_RDONLY | O_CLOEXEC)
      defer { close(file) }
      #expect(throws: Errno.self) { try watcher.watch(file) }
    }

    /// A record as the system writes it.
    private func record(_ folder: Int32, _ mask: UInt32, _ name: [UInt8], field: Int) -> [UInt8] {
      func bytes(_ number: UInt32) -> [UInt8] { withUnsafeBytes(of: number) { Array($0) } }
      return bytes(UInt32(bitPattern: folder)) + bytes(mask) + bytes(0) + bytes(UInt32(field))
        + name + [UInt8](repeating: 0, count: max(0, field - name.count))
    }

    @Test func readsRecordsOfTheSystem() {
      let name = Array("name".utf8)
      let bytes =
        record(1, 0x100, name, field: 16) + record(2, 0x4000_0200, name, field: 16)
        + record(3, 0x040, name, field: 32) + record(4, 0x080, name, field: 16)
        + record(5, 0x002, name, field: 16) + record(6, 0x004, [], field: 0)
        + record(7, 0x8000, [], field: 0) + record(-1, 0x4000, [], field: 0)
      let changes = FolderWatcher.changes(in: bytes[...])
      #expect(changes.map(\.folder) == [1, 2, 3, 4, 5, 6, 7, -1])
      #expect(
        changes.map(\.what) == [
          .added, .removed, .removed, .added, .modified, .modified, .modified, .modified,
        ])
      #expect(changes.map(\.name) == [name, name, name, name, name, [], [], []])
      #expect(changes.map(\.isFolder) == [false, true] + [Bool](repeating: false, count: 6))
      #expect(changes.map(\.isForgotten).firstIndex(of: true) == 6)
      #expect(changes.map(\.isOverflow).firstIndex(of: true) == 7)
    }

    @Test func anyBytesAreRead() throws {
      let property = Property<[UInt8]>("watcher's records") { generator in
        var bytes: [UInt8] = []
        for _ in 0..<generator.number(in: 0...3) {
          bytes += record(
            1, UInt32(truncatingIfNeeded: generator.next()), [97],
            field: [0, 1, 16, 1 << 20, Int(UInt32.max)][generator.number(in: 0...4)] & 0xFFFF)
        }
        for _ in 0..<generator.number(in: 0...8) where !bytes.isEmpty {
          bytes[generator.number(in: 0...(bytes.count - 1))] = UInt8(generator.number(in: 0...255))
        }
        return Array(bytes.dropLast(generator.number(in: 0...20)))
      } fault: { bytes in
        let changes = FolderWatcher.changes(in: bytes[...])
        if changes.count > bytes.count / 16 { return "\(changes.count) of \(bytes.count) bytes" }
        return changes.contains { $0.name.contains(0) } ? "a zero in a name" : nil
      }
      let found = try property.counterexample(cases: 2000)
      #expect(found == nil, "\(found.map(String.init(describing:)) ?? "")")
    }
  }
#endif
