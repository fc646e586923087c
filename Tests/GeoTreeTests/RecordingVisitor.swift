import GeoCore
import GeoTree
import Synchronization

/// An empty folder plan.
final class NoPlan: Sendable {}

/// An entry that a visitor was shown.
struct Sighting: Hashable, Sendable {
  enum Kind: Hashable, Sendable { case folder, passed, file }

  var kind: Kind
  var path: String
  var size: Int64?
  var isUnreadable = false
}

/// Records what it is shown.
final class RecordingVisitor: ScanVisitor {
  /// How a recording visitor behaves.
  struct Script: Sendable {
    /// Decides whether a sub-folder is entered, by its path.
    var admit: @Sendable (String) -> TraversalDecision = { _ in .entered }
    /// Called after a folder is listed, and before its entries are read.
    var listed: @Sendable (String) -> Void = { _ in }
    /// Decides whether a file is included, by its path.
    var wants: @Sendable (String) -> Bool = { _ in true }
    /// The pretended output of a folder or file, in bytes.
    var weight = 100
  }

  private let script: Script
  private var seen: [Sighting] = []

  init(_ script: Script) { self.script = script }

  private func text(_ path: [UInt8]) -> String { String(decoding: path, as: UTF8.self) }

  func enter(
    _ visit: FolderVisit<NoPlan>, files: NameTable, folders: NameTable
  ) -> FolderDecision<NoPlan>? {
    let path = text(visit.path)
    seen.append(
      Sighting(
        kind: .folder, path: path, size: Int64(files.count + folders.count),
        isUnreadable: visit.isUnreadable))
    script.listed(path)
    var decisions = visit.decisions(ofAll: folders.count)
    for index in decisions.indices where decisions[index] != .hidden {
      decisions[index] = script.admit("\(path)/\(text(folders.name(at: index)))")
    }
    return FolderDecision(plan: NoPlan(), decisions: decisions, wantsFiles: true)
  }

  func pass(_ visit: FolderVisit<NoPlan>) {
    seen.append(
      Sighting(kind: .passed, path: text(visit.path), isUnreadable: visit.isUnreadable))
  }

  func select(
    _ names: NameTable, _ range: Range<Int>, of path: [UInt8], plan: NoPlan,
    facts: inout [EntryFacts]
  ) {
    for (position, index) in range.enumerated()
    where !script.wants("\(text(path))/\(text(names.name(at: index)))") {
      facts[position].status = .hidden
    }
  }

  func visit(
    _ names: NameTable, _ range: Range<Int>, of path: [UInt8], plan: NoPlan, facts: [EntryFacts]
  ) {
    for (position, index) in range.enumerated() {
      let known = facts[position]
      if known.status == .hidden || known.status == .vanished { continue }
      seen.append(
        Sighting(
          kind: .file, path: "\(text(path))/\(text(names.name(at: index)))",
          size: known.status == .known ? known.size : nil,
          isUnreadable: known.status == .unreadable))
    }
  }

  var weight: Int { seen.count * script.weight }

  func takeContent() -> [Sighting] {
    defer { seen = [] }
    return seen
  }
}

/// The results of a scan.
struct Findings: Sendable {
  var seen: [Sighting] = []
  var faults: [ScanFault] = []
  var openedFolders = 0

  var paths: [String] { seen.map(\.path) }
}

/// Scans folders with a script, to the end.
func scan(
  _ roots: [ScanRoot], _ script: RecordingVisitor.Script = .init(),
  options: FileSystemScanner.Options = .init()
) async throws -> Findings {
  let scanner = FileSystemScanner(options: options)
  var findings = Findings()
  let batches = try await scanner.scan(roots, plan: NoPlan()) { RecordingVisitor(script) }
  for try await batch in batches {
    findings.seen += batch.content
    findings.faults += batch.faults
  }
  findings.openedFolders = await scanner.openedFolders
  return findings
}

/// Scans one folder with the label `r`.
func scan(
  _ directory: String, _ script: RecordingVisitor.Script = .init(),
  options: FileSystemScanner.Options = .init()
) async throws -> Findings {
  try await scan(
    [ScanRoot(label: Array("r".utf8), directory: Array(directory.utf8))], script, options: options)
}

extension FileSystemScanner.Options {
  static func threads(_ count: Int) -> Self {
    var options = Self()
    options.threads = count
    return options
  }
}
