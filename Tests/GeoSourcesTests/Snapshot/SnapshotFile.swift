import GeoCore
import GeoPipeline
import GeoTree
import GeoSystem
import TestSupport

@testable import GeoSources

/// Takes a snapshot of folders.
func snapshot(_ request: SnapshotRequest) async throws -> (bytes: [UInt8], faults: [ScanFault]) {
  var bytes: [UInt8] = []
  var faults: [ScanFault] = []
  for try await chunk in try await MapPipeline.openSnapshot(request) {
    chunk.withBytes { part in for index in 0..<part.count { bytes.append(part[index]) } }
    faults += chunk.faults
  }
  return (bytes, faults)
}

func snapshot(of folder: String, label: String = "r", threads: Int = 2) async throws -> [UInt8] {
  var request = SnapshotRequest(
    roots: [ScanRoot(label: Array(label.utf8), directory: Array(folder.utf8))])
  request.scan.threads = threads
  return try await snapshot(request).bytes
}

/// All readable contents of a snapshot, a line for each entry, in the order of the map.
struct SnapshotContents {
  var lines: [String] = []
  var lost: [[UInt8]] = []
  var sizes: [Int64] = []

  init(_ snapshot: Snapshot, storage: Bool = true) {
    var reader = SnapshotRecordReader(snapshot, asksForStorage: storage)
    var listing = SnapshotListing()
    var stack: [(path: [UInt8], child: SnapshotChild)] = []
    for (root, child) in zip(snapshot.header.roots, snapshot.roots()).reversed() {
      stack.append((root.label, child))
    }
    while let (path, child) = stack.popLast() {
      guard case .success(let folder) = child,
        let children = try? reader.read(folder, into: &listing)
      else {
        if child != .failure(.missing), child != .failure(.leftOut) { lost.append(path) }
        continue
      }
      let name = String(decoding: path, as: UTF8.self)
      let time = listing.modified.map { "\($0)" } ?? "-"
      lines.append("\(name)/ \(listing.isListed) \(time) \(Self.text(listing.storage))")
      for index in 0..<listing.files.count {
        let facts = listing.facts[index]
        sizes.append(facts.size)
        let file = String(decoding: listing.files.name(at: index), as: UTF8.self)
        let storage = listing.fileStorage.isEmpty ? nil : listing.fileStorage[index]
        lines.append(
          "\(name)/\(file) \(facts.status) \(facts.kind) \(facts.size) \(facts.modified) "
            + Self.text(storage))
      }
      for (index, child) in children.enumerated().reversed() {
        stack.append((path + [UInt8(ascii: "/")] + listing.folders.name(at: index), child))
      }
    }
  }

  private static func text(_ storage: FileStorage?) -> String {
    guard let storage else { return "-" }
    return "\(storage.identity.inode) \(storage.allocated) \(storage.nanoseconds) "
      + "\(storage.links) \(storage.owner) \(storage.group)"
  }
}

extension TemporaryFolder {
  /// Opens bytes as a snapshot.
  func open(_ bytes: [UInt8]) throws -> Snapshot {
    try makeFile(bytes: Array("snapshot".utf8), bytes)
    return try Snapshot(opening: Array(self("snapshot").utf8))
  }
}
