import Dispatch
import GeoCore
import GeoProjection
import GeoTree
import Synchronization

/// `stages`: measures single stages through the modules' interfaces.
enum StagesCommand {
  static let usage = "stages [--only NAMES] [--runs N] [--dir DIR] [--json FILE]"

  /// A stage to measure; the body returns the number of items that it processed.
  struct Stage {
    let name: String
    let item: String
    let body: () async throws(Failure) -> Int
  }

  static func run(_ list: [String]) throws(Failure) {
    let arguments = try Arguments(list, options: ["only", "runs", "dir", "json"])
    let report = try measure(
      folder: arguments.text("dir"), only: arguments.list("only"),
      runs: max(1, try arguments.number("runs") ?? 25))
    System.print("\(report.machine.text), \(report.runs) rounds\n\n\(report.text)")
    if let path = arguments.text("json") {
      try System.replace(path, with: report.json.text() + "\n")
    }
  }

  /// Measures the stages on a separate task, and waits for it.
  ///
  /// - Parameter folder: The folder for the scanner; without it that stage is left out.
  static func measure(
    folder: String?, only: [String]? = nil, runs: Int
  ) throws(Failure) -> StagesReport {
    let done = DispatchSemaphore(value: 0)
    let result = Mutex<Result<StagesReport, Failure>>(.failure(Failure("stages: nothing came")))
    Task.detached {
      do throws(Failure) {
        let report = try await report(folder: folder, only: only, runs: runs)
        result.withLock { $0 = .success(report) }
      } catch {
        result.withLock { $0 = .failure(error) }
      }
      done.signal()
    }
    done.wait()
    return try result.withLock { $0 }.get()
  }

  private static func report(
    folder: String?, only: [String]?, runs: Int
  ) async throws(Failure) -> StagesReport {
    var stages = try pureStages()
    if let folder { stages += scanStages(try CompareCommand.existingFolder(folder)) }
    if let only {
      stages = stages.filter { stage in only.contains { stage.name.hasPrefix($0) } }
      if stages.isEmpty { throw Failure("--only: there is no such stage") }
    }
    var report = StagesReport(
      date: System.date(), machine: Machine.current(folder: folder ?? "."),
      stages: stages.map { StagesReport.Stage(name: $0.name, item: $0.item) })
    for round in 0...runs {
      for (index, stage) in stages.enumerated() {
        let begin = System.now()
        let items = try await stage.body()
        let passed = System.now() - begin
        guard round > 0 else { continue }
        report.stages[index].nanoseconds.append(passed * 1e9 / Double(max(1, items)))
      }
    }
    return report
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
      Stage(name: "file: the same, and decimals written", item: "file") { world.writePlaces() },
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
