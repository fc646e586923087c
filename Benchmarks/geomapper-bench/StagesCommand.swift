import Dispatch
import GeoPath
import GeoProjection
import GeoScan
import Synchronization

/// `stages`: times the stages alone, through the modules' public interfaces.
enum StagesCommand {
  static let usage = "stages [--only NAMES] [--runs N] [--dir DIR] [--json FILE]"

  /// Something that is timed: the body returns how many items it took care of.
  struct Stage {
    let name: String
    let item: String
    let body: () async throws(Failure) -> Int
  }

  /// Runs the command on a task of its own, and waits for it.
  static func run(_ list: [String]) throws(Failure) {
    let done = DispatchSemaphore(value: 0)
    let result = Mutex<Failure?>(nil)
    Task.detached {
      do throws(Failure) {
        try await measure(list)
      } catch {
        result.withLock { $0 = error }
      }
      done.signal()
    }
    done.wait()
    if let failure = result.withLock({ $0 }) { throw failure }
  }

  private static func measure(_ list: [String]) async throws(Failure) {
    let arguments = try Arguments(list, options: ["only", "runs", "dir", "json"])
    var stages = try pureStages()
    if let path = arguments.text("dir") {
      stages += scanStages(try CompareCommand.existingFolder(path))
    }
    if let only = arguments.list("only") {
      stages = stages.filter { stage in only.contains { stage.name.hasPrefix($0) } }
      if stages.isEmpty { throw Failure("--only: there is no such stage") }
    }
    let runs = max(1, try arguments.number("runs") ?? 25)
    var figures = [[Double]](repeating: [], count: stages.count)
    for round in 0...runs {
      for (index, stage) in stages.enumerated() {
        let begin = System.now()
        let items = try await stage.body()
        let passed = System.now() - begin
        if round > 0 { figures[index].append(passed * 1e9 / Double(max(1, items))) }
      }
    }
    var table = Table(["stage", "median ns", "min–max ns", "IQR", "for each"])
    for (stage, nanoseconds) in zip(stages, figures) {
      guard let summary = Summary(nanoseconds) else { continue }
      table.add([
        stage.name, Text.significant(summary.median),
        "\(Text.significant(summary.least))–\(Text.significant(summary.most))",
        "\(Text.decimals(summary.spread * 100, 1)) %", stage.item,
      ])
    }
    let machine = Machine.current(folder: arguments.text("dir") ?? ".")
    System.print("\(machine.text), \(runs) rounds\n\n\(table.text)")
    if let path = arguments.text("json") {
      let list = zip(stages, figures).map { stage, nanoseconds in
        JSON.object([
          ("name", .string(stage.name)), ("item", .string(stage.item)),
          ("nanoseconds", .array(nanoseconds.map { .number($0) })),
        ])
      }
      let json = JSON.object([
        ("kind", .string("stages")), ("schema", .number(1)), ("date", .string(System.date())),
        ("machine", machine.json), ("stages", .array(list)),
      ])
      try System.replace(path, with: json.text() + "\n")
    }
  }

  /// The stages that need no disk, each over some ten thousand names.
  private static func pureStages() throws(Failure) -> [Stage] {
    let world = try StageWorld()
    return [
      Stage(name: "hash", item: "name") {
        var sum: UInt64 = 0
        let bytes = world.files.bytes.span
        for record in world.files.records {
          sum ^= XXH64.hash(bytes.extracting(record.range), seed: 1)
        }
        return sum == 1 ? 0 : world.files.count
      },
      Stage(name: "file: place, chart, degrees", item: "file") {
        var places: [FilePlace] = []
        for range in world.batches {
          world.engine.placeFiles(world.files, range, in: world.city, into: &places)
        }
        return world.files.count
      },
      Stage(name: "folder: share of land", item: "folder") {
        var places: [FolderPlace] = []
        for _ in 0..<500 {
          world.engine.placeFolders(world.names, in: world.parent, fileCount: 20, into: &places)
        }
        return 500 * world.names.count
      },
      Stage(name: "folder: coast and centre", item: "folder") {
        var ring: [Coordinate] = []
        var sum: Int64 = 0
        for _ in 0..<500 {
          for folder in world.folders {
            world.engine.coastline(of: folder, into: &ring)
            sum ^= world.engine.coordinate(of: folder).longitude
          }
        }
        return sum == 1 ? 0 : 500 * world.folders.count
      },
      Stage(name: "writer: file", item: "file") { world.writeFiles() },
      Stage(name: "writer: folder", item: "folder") { world.writeFolders() },
    ]
  }

  /// The scanner alone, with a visitor that enters everything and keeps nothing.
  private static func scanStages(_ folder: String) -> [Stage] {
    func scan(_ options: FileSystemScanner.Options) async throws(Failure) -> Int {
      let root = ScanRoot(label: Array("root".utf8), directory: Array(folder.utf8))
      do {
        let batches = try await FileSystemScanner(options: options).scan(
          [root], plan: StageVisitor.Plan(), visitor: { StageVisitor() })
        var count = 0
        for try await batch in batches { count += batch.content }
        return count
      } catch {
        throw Failure("scan: \(error)")
      }
    }
    var listing = FileSystemScanner.Options()
    listing.readsMetadata = false
    var single = FileSystemScanner.Options()
    single.threads = 1
    return [
      Stage(name: "scan: list and stat", item: "entry") { () async throws(Failure) in
        try await scan(FileSystemScanner.Options())
      },
      Stage(name: "scan: list and stat, 1 thread", item: "entry") { () async throws(Failure) in
        try await scan(single)
      },
      Stage(name: "scan: list", item: "entry") { () async throws(Failure) in
        try await scan(listing)
      },
    ]
  }
}
