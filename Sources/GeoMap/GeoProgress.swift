import Foundation
import GeoPipeline
import GeoSystem
import GeoTree
import GeoWeb
import Synchronization

/// How far a long operation is.
public struct GeoProgress: Hashable, Sendable {
  /// A part of an operation.
  public enum Part: Hashable, Sendable, CaseIterable {
    /// The tree is read.
    case reading
    /// The nodes that become visible at each zoom are counted.
    case zooms
    /// Totals are added up.
    case totals
    /// Tiles are made.
    case tiles
    /// States or commits are read.
    case history

    fileprivate init?(named word: String) {
      switch word {
      case "reading": self = .reading
      case "zooms": self = .zooms
      case "totals": self = .totals
      case "tiles": self = .tiles
      case "history": self = .history
      default: return nil
      }
    }
  }

  /// The part that is running.
  public let part: Part
  /// How much of the part is done, 0 to 1; nil if unknown. It ends with 1.
  public let fraction: Double?
  /// The number of folders so far; 0 if the part doesn't count them.
  public let folders: Int
  /// The number of files so far; 0 if the part doesn't count them.
  public let files: Int
  package let rawPath: [UInt8]
  /// The path as text; invalid UTF-8 becomes U+FFFD.
  public var path: String { String(decoding: rawPath, as: UTF8.self) }

  init(
    part: Part = .reading, fraction: Double? = nil, folders: Int = 0, files: Int = 0,
    rawPath: [UInt8] = []
  ) {
    (self.part, self.fraction) = (part, fraction)
    (self.folders, self.files, self.rawPath) = (folders, files, rawPath)
  }

  init(part: Part, steps: Int, of total: Int?) {
    self.init(part: part, fraction: total.map { min(1, Double(steps) / Double(max(1, $0))) })
  }

  /// Reports progress; each part whose length is known ends with a fraction of 1.
  final class Parts: Sendable {
    private let last = Mutex(GeoProgress())
    private let progress: @Sendable (GeoProgress) -> Void

    init(_ progress: @escaping @Sendable (GeoProgress) -> Void) { self.progress = progress }

    func report(_ next: GeoProgress) {
      let last = last.withLock { (last) -> GeoProgress in
        defer { last = next }
        return last
      }
      if last.part != next.part { end(last) }
      progress(next)
    }

    func end() { end(last.withLock(\.self)) }

    private func end(_ last: GeoProgress) {
      guard let fraction = last.fraction, fraction < 1 else { return }
      progress(
        GeoProgress(
          part: last.part, fraction: 1, folders: last.folders, files: last.files,
          rawPath: last.rawPath))
    }
  }

  final class Pass: Sendable {
    private let part: Part
    private let total: Int?
    private let reach = Mutex(ScanReach())
    private let progress: @Sendable (GeoProgress) -> Void

    init(_ part: Part, of total: Int?, _ progress: @escaping @Sendable (GeoProgress) -> Void) {
      (self.part, self.total, self.progress) = (part, total, progress)
    }

    func add(_ more: ScanReach, _ path: [UInt8]) {
      let reach = reach.withLock { (reach) -> ScanReach in
        reach += more
        return reach
      }
      progress(
        GeoProgress(
          part: part, fraction: total.map { min(1, Double(reach.entries) / Double(max(1, $0))) },
          folders: reach.folders, files: reach.files, rawPath: path))
    }
  }

  final class Report: TreeReport {
    private let report: @Sendable ([ScanFault]) -> Void
    private let parts: Parts
    private var folders = 0
    private var files = 0

    init(
      _ report: @escaping @Sendable ([ScanFault]) -> Void,
      _ progress: @escaping @Sendable (GeoProgress) -> Void
    ) {
      self.report = report
      parts = Parts(progress)
    }

    func end() { parts.end() }

    /// For each reading of a sequence of chunks.
    static func notes(
      _ report: @escaping @Sendable ([ScanFault]) -> Void,
      _ progress: @escaping @Sendable (GeoProgress) -> Void
    ) -> @Sendable () -> (MapChunk) -> Void {
      {
        let note = Report(report, progress)
        return { note.add($0) }
      }
    }

    var preparationListener: FileSystemScanner.PreparationListener? { nil }

    func add(_ chunk: MapChunk) {
      if !chunk.faults.isEmpty { report(chunk.faults) }
      if let counted = chunk.counted {
        return parts.report(
          GeoProgress(
            part: .totals, folders: counted.folders, files: counted.files, rawPath: chunk.place))
      }
      folders += chunk.summary.folders
      files += chunk.summary.files
      parts.report(GeoProgress(folders: folders, files: files, rawPath: chunk.place))
    }

    func show(thousandths: Int, of part: String) {
      parts.report(
        GeoProgress(part: Part(named: part) ?? .tiles, fraction: Double(thousandths) / 1000))
    }

    func listener(_ part: String, of total: Int?) -> FileSystemScanner.Listener? {
      let pass = Pass(Part(named: part) ?? .reading, of: total, parts.report)
      return { pass.add($0, $1) }
    }
  }
}

/// Runs work that blocks on a thread of its own, so that it takes none of the cooperative pool. The
/// work belongs to the calling task, and ends with it.
package func onOwnThread<Value: Sendable>(
  _ body: @Sendable () async throws -> Value
) async throws -> Value {
  let (gate, opening) = AsyncStream<Void>.makeStream()
  defer { opening.finish() }
  let executor: MainThreadExecutor = try await withCheckedThrowingContinuation { continuation in
    do throws(Errno) {
      try WorkerThread.run { executor in
        continuation.resume(returning: executor)
        for await _ in gate {}
      }
    } catch {
      continuation.resume(throwing: MapError.noThread(error))
    }
  }
  return try await withTaskExecutorPreference(executor) { try await body() }
}
