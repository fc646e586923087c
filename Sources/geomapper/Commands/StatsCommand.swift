import GeoPath
import GeoPipeline
import GeoScan
import GeoStats
import GeoSystem

extension Command {
  /// `geomapper stats`
  static let stats = Command(
    name: "stats",
    summary: "Tell what folders consist of.",
    usage: "stats [OPTION]... [[LABEL=]DIR]...",
    description: [
      "Tell how many files, folders and bytes there are, by continent and country, by extension "
        + "and by age, and what is largest, newest, deepest and widest. A file of several names "
        + "counts once for its bytes. Without a DIR it is about the current folder."
    ],
    options: Option.stats,
    examples: [
      Example(line: "geomapper stats /usr", effect: "What is in /usr?"),
      Example(
        line: "geomapper stats --json --top 100 ~ > home.json", effect: "The same for a program."),
    ],
    run: StatsCommand.run)
}

/// `geomapper stats`: tells what folders consist of.
enum StatsCommand {
  @Sendable
  static func run(_ low: LowArguments) throws(Failure) -> ExitStatus {
    let roots: [ScanRoot]
    do throws(Failure) {
      roots = try MapPlan.checked(try MapPlan.sources(low))
    } catch {
      throw error.hinting(at: "\(Tool.name) stats --help")
    }
    let now = ThisProcess.unixNanoseconds / 1_000_000_000
    var scan = StatsScan(now: now)
    scan.top = low.stats.top ?? 10
    scan.scan.threads = low.threads
    scan.scan.staysOnFileSystem = low.links.staysOnFileSystem
    let isQuiet = low.isQuiet

    let (stats, faults) = try MainThreadExecutor().run { [scan, roots] in
      await outcome(of: scan, roots, isQuiet: isQuiet)
    }.get()
    let text = StatsText(stats: stats, top: scan.top, now: now)
    try StandardOutput.print(low.stats.isJSON ? text.json : text.plain)
    return faults == 0 ? .success : .incomplete
  }

  private static func outcome(
    of scan: StatsScan, _ roots: [ScanRoot], isQuiet: Bool
  ) async -> Result<(TreeStats, Int), Failure> {
    let faults = FaultList(isQuiet: isQuiet)
    do {
      let stats = try await scan.run(roots) { faults.add($0) }
      faults.finish()
      return .success((stats, faults.count))
    } catch let error as FileSystemScanner.Failure {
      switch error {
      case .noThread(let reason):
        return .failure(.output("can't start a thread to read with: \(reason)"))
      }
    } catch {
      return .failure(.output("it was broken off: \(error)"))
    }
  }
}

/// Names what could not be read, the first hundred.
final class FaultList {
  private static let mostNamed = 100
  private let isQuiet: Bool
  private(set) var count = 0

  init(isQuiet: Bool) { self.isQuiet = isQuiet }

  func add(_ faults: [ScanFault]) {
    for fault in faults {
      count += 1
      if isQuiet || count > Self.mostNamed { continue }
      let reason =
        switch fault.reason {
        case .unreadable(let error): "\(error)"
        case .vanished: "vanished while it was read"
        case .listed(let text): text
        }
      Messages.note("\(TerminalText.escaped(fault.path)): \(reason)")
    }
  }

  func finish() {
    if !isQuiet, count > Self.mostNamed {
      Messages.note("and \(Quantity.grouped(count - Self.mostNamed)) more")
    }
  }
}
