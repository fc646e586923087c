import GeoCore
import GeoTree
import TestSupport

@testable import GeoSources

/// Records a scan of a list, with a line for each folder and file.
final class ListRecorder: ScanVisitor {
  /// An empty folder plan.
  final class NoPlan: Sendable {}

  private var lines: [String] = []

  private func text(_ bytes: [UInt8]) -> String {
    bytes.count < 1000 || bytes.count > 0xFFFF ? TerminalText.escaped(bytes) : "\(bytes.count)"
  }

  func enter(
    _ visit: FolderVisit<NoPlan>, files: NameTable, folders: NameTable
  ) -> FolderDecision<NoPlan>? {
    let names = folders.records.indices.map { folders.name(at: $0) }
    if files.count != visit.fileCount || !isIncreasing(names) { lines.append("out of order") }
    lines.append(line(of: visit, entries: visit.fileCount + folders.count))
    return FolderDecision(
      plan: NoPlan(), decisions: names.map { _ in .entered }, wantsFiles: true)
  }

  func pass(_ visit: FolderVisit<NoPlan>) { lines.append(line(of: visit, entries: nil)) }

  private func line(of visit: FolderVisit<NoPlan>, entries: Int?) -> String {
    "\(text(visit.path))/ \(entries.map { "\($0)" } ?? "?")"
      + (visit.modified.map { " @\($0)" } ?? "") + (visit.isUnreadable ? " unreadable" : "")
  }

  func visit(
    _ names: NameTable, _ range: Range<Int>, of path: [UInt8], plan: NoPlan, facts: [EntryFacts]
  ) {
    for (facts, index) in zip(facts, range) {
      var line = "\(text(path))/\(text(names.name(at: index)))"
      switch facts.status {
      case .known: line += " \(facts.size) @\(facts.modified)"
      case .sized: line += " \(facts.size)"
      case .unreadable: line += " unreadable"
      case .unasked: break
      case .hidden, .vanished: line += " out of order"
      }
      if facts.kind != .regular { line += " \(facts.kind)" }
      lines.append(line)
    }
    let all = range.map { names.name(at: $0) }
    if !isIncreasing(all) { lines.append("out of order") }
  }

  private func isIncreasing(_ names: [[UInt8]]) -> Bool {
    zip(names, names.dropFirst()).allSatisfy { $0.lexicographicallyPrecedes($1) }
  }

  var weight: Int { lines.count * 100 }

  func takeContent() -> [String] {
    defer { lines = [] }
    return lines
  }
}

/// The recorded scan of a list.
struct Listing: Equatable, Sendable {
  var lines: [String] = []
  var faults: [String] = []
}

/// Reads a list to its end; the root's label is `r`.
func list(
  _ bytes: [UInt8], _ format: ListFormat = .lines, zero: Bool = false, prefix: String = ".",
  memory: Int = 1 << 20
) async throws -> Listing {
  let file = try ListFile(bytes)
  var source = ListSource(file: file.path)
  source.format = format
  source.isZeroSeparated = zero
  source.memory = memory
  var listing = Listing()
  let root = ScanRoot(
    label: Array("r".utf8), directory: Array(prefix.utf8), source: try ListTree(opening: source))
  let batches = try await FileSystemScanner().scan([root], plan: ListRecorder.NoPlan()) {
    ListRecorder()
  }
  for try await batch in batches {
    listing.lines += batch.content
    listing.faults += batch.faults.map { fault in
      let path = fault.path
      let place = path.hasPrefix("/") ? String(path.dropFirst(file.path.count + 2)) : path
      if case .listed(let reason) = fault.reason { return "\(place): \(reason)" }
      return "\(place): \(fault.reason)"
    }
  }
  return listing
}

/// Reads a list from a string to its end.
func list(
  _ text: String, _ format: ListFormat = .lines, zero: Bool = false, prefix: String = "."
) async throws -> Listing {
  try await list(Array(text.utf8), format, zero: zero, prefix: prefix)
}
