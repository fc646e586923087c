import TestSupport
import Testing

@testable import GeoSystem

#if canImport(Glibc)
  import Glibc
#endif

#if os(Linux)
  /// The changes that a watcher of whole file systems reports, and how its records are parsed.
  @Suite struct FileSystemWatcherTests {
    private let handle: [UInt8] =
      [1, 2, 3, 4, 5, 6, 7, 8] + [8, 0, 0, 0] + [1, 0, 0, 0] + [9, 9, 9, 9, 0, 0, 0, 1]

    private func part(_ type: UInt8, _ name: String) -> [UInt8] {
      var body = handle + Array(name.utf8) + [0]
      while body.count % 4 != 0 { body.append(0) }
      let length = body.count + 4
      return [type, 0, UInt8(length & 0xFF), UInt8(length >> 8)] + body
    }

    private func record(_ mask: UInt64, _ parts: [UInt8], version: UInt8 = 3) -> [UInt8] {
      let length = UInt32(24 + parts.count)
      return withUnsafeBytes(of: length) { Array($0) } + [version, 0, 24, 0]
        + withUnsafeBytes(of: mask) { Array($0) } + [255, 255, 255, 255, 0, 0, 0, 0] + parts
    }

    @Test func readsRecordsAsTheyAreWritten() {
      let bytes =
        record(0x100, part(2, "name")) + record(0x4000_0300, part(2, "n"))
        + record(0x1000_0000, part(10, "old") + part(12, "new")) + record(0x4000, [])
        + record(0x4000_0400, part(3, "."))
      let events = FileSystemEvent.all(in: bytes[...])
      #expect(events.count == 5)
      #expect(events[0].place == .init(handle: handle, name: Array("name".utf8)))
      #expect(events[0].isNew && !events[0].isGone && !events[0].isFolder)
      #expect(events[1].isNew && events[1].isGone && events[1].isFolder)
      #expect(events[2].place?.name == Array("old".utf8))
      #expect(events[2].new?.name == Array("new".utf8))
      #expect(events[3].isOverflow && events[3].place == nil)
      #expect(events[4].isEnd && events[4].place?.isSelf == true)
      // Records of another version can't be parsed.
      #expect(FileSystemEvent.all(in: record(0x100, part(2, "x"), version: 4)[...]).isEmpty)
      #expect(FileSystemEvent.all(in: bytes.dropLast()).count == 4)
    }

    @Test func noBytesStopIt() throws {
      let property = Property<[UInt8]>("records of file systems") { generator in
        var bytes: [UInt8] = []
        for _ in 0..<generator.number(in: 0...4) {
          let name = String(repeating: "n", count: generator.number(in: 0...9))
          bytes += record(
            generator.next(), part([1, 2, 3, 10, 12][generator.number(in: 0...4)], name))
        }
        for _ in 0..<generator.number(in: 0...8) where !bytes.isEmpty {
          bytes[generator.number(in: 0...(bytes.count - 1))] = UInt8(generator.number(in: 0...255))
        }
        return Array(bytes.dropLast(generator.number(in: 0...20)))
      } fault: { bytes in
        let events = FileSystemEvent.all(in: bytes[...])
        if events.count > bytes.count / 24 { return "\(events.count) of \(bytes.count) bytes" }
        let places = events.flatMap { [$0.place, $0.new].compactMap { $0 } }
        return places.contains { $0.name.contains(0) } ? "a zero in a name" : nil
      }
      let found = try property.counterexample(cases: 2000)
      #expect(found == nil, "\(found.map(String.init(describing:)) ?? "")")
    }

    private static var mayWatch: Bool { (try? FileSystemWatcher()) != nil }

    /// Changes of the watched folders are reported, and no others.
    @Test(.enabled(if: mayWatch, "only who may watch file systems"))
    func reportsOfFoldersThatAreWatched() throws {
      let folder = try TemporaryFolder()
      try folder.makeFolder("in/sub")
      try folder.makeFolder("out")
      let watcher = try FileSystemWatcher()
      func watch(_ name: String) throws -> Int32 {
        let descriptor = try FileSystem.openRoot(Array(folder(name).utf8))
        return try watcher.watch(descriptor.rawValue)
      }
      let number = try watch("in")
      #expect(try watch("in") == number)
      let sub = try watch("in/sub")
      #expect(sub != number)

      try folder.makeFile("in/file", "text")
      try folder.makeFile("out/other", "text")
      #expect(rename(folder("in/file"), folder("in/sub/moved")) == 0)
      #expect(rename(folder("in/sub/moved"), folder("out/gone")) == 0)
      #expect(rename(folder("out/other"), folder("in/come")) == 0)
      #expect(mkdir(folder("in/new"), 0o755) == 0)
      #expect(rmdir(folder("in/sub")) == 0)
      try folder.makeFile("in/last")

      var changes: [FolderWatcher.Change] = []
      while !changes.contains(where: { $0.name == Array("last".utf8) }) {
        var records: [UInt8] = []
        try watcher.nextRecords(appendingTo: &records)
        changes += watcher.changes(in: records[...])
      }
      func first(
        _ what: FolderWatcher.Change.What, _ name: String, in folder: Int32
      ) -> FolderWatcher.Change? {
        changes.first {
          $0.what == what && $0.name.elementsEqual(name.utf8) && $0.folder == folder
        }
      }
      #expect(first(.added, "file", in: number) != nil)
      #expect(first(.added, "other", in: number) == nil)
      let left = try #require(first(.removed, "file", in: number))
      // Kernels before 5.17 report the halves of a renaming separately.
      if left.cookie != 0 {
        #expect(first(.added, "moved", in: sub)?.cookie == left.cookie)
        #expect(first(.added, "gone", in: -1)?.cookie == first(.removed, "moved", in: sub)?.cookie)
      }
      #expect(first(.added, "come", in: number) != nil)
      #expect(first(.added, "new", in: number)?.isFolder == true)
      #expect(first(.removed, "sub", in: number)?.isFolder == true)
      #expect(changes.contains { $0.folder == sub && $0.isForgotten })
      watcher.forget(number)
      #expect(try watch("in") != number)
    }

    @Test(.enabled(if: mayWatch, "only who may watch file systems"))
    func opensFoldersByTheirHandles() throws {
      let folder = try TemporaryFolder()
      try folder.makeFolder("a")
      let a = try FileSystem.openRoot(Array(folder("a").utf8))
      let handle = try FileSystemWatcher.handle(of: a.rawValue)
      #expect(rename(folder("a"), folder("b")) == 0)
      let again = try FileSystemWatcher.open(handle, by: a.rawValue)
      #expect(
        try FileSystem.facts(of: again.rawValue).identity
          == FileSystem.facts(of: a.rawValue).identity)
      #expect(throws: Errno.self) {
        _ = try FileSystemWatcher.open(Array(handle.dropLast()), by: a.rawValue)
      }
    }
  }
#endif
