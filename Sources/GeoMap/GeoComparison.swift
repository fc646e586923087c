import Foundation
import GeoChange
import GeoCore
import GeoFormats
import GeoPipeline
import GeoProjection
import GeoTree
import GeoWeb

/// What changed between two states of a tree.
///
/// ```swift
/// let old = try await GeoWorld(snapshot: URL(filePath: "monday.geosnap"))
/// let changes = try await GeoWorld(folder: URL(filePath: "/home")).changes(since: old)
/// for folder in changes.grown { print(folder.path, folder.bytes) }
/// ```
public struct GeoComparison: Hashable, Sendable {
  /// Counts of one kind of change.
  public struct Amount: Hashable, Sendable {
    /// The number of files.
    public let files: Int
    /// Their bytes, of changed files the growth; nil if a size is unknown.
    public let bytes: Int64?
    /// The number of folders; 0 for changed and moved.
    public let folders: Int

    init(_ amount: ChangeSummary.Amount) {
      files = amount.files
      bytes = amount.isSized ? amount.bytes : nil
      folders = amount.folders
    }
  }

  /// What grew or shrank: a folder, or a part of one. No growth is part of another, and all
  /// together are the whole change.
  public struct Growth: Hashable, Sendable {
    /// What counts.
    public enum Part: Hashable, Sendable {
      /// Everything below the folder.
      case folder
      /// The files in the folder itself.
      case files
      /// The correction for files with names in several parts of the folder, which count once.
      case names
    }

    /// The path of the folder on the map, as bytes.
    public let rawPath: [UInt8]
    /// What of the folder counts.
    public let part: Part
    /// The bytes in the new state less those in the old one.
    public let bytes: Int64
    /// The bytes that moved here from other places, or away from here if it shrank.
    public let moved: Int64
    /// Nil if that folder contains this one, or nothing moved.
    package let rawMovedPath: [UInt8]?
    /// The deepest folder with more than half of the change.
    package let rawMostlyPath: [UInt8]?
    /// The path as text; invalid UTF-8 becomes U+FFFD.
    public var path: String { String(decoding: rawPath, as: UTF8.self) }
    /// The folder of the places that bytes moved from or to, as text.
    public var movedPath: String? { rawMovedPath.map { String(decoding: $0, as: UTF8.self) } }
    /// The deepest folder with more than half of the change, as text.
    public var mostlyPath: String? { rawMostlyPath.map { String(decoding: $0, as: UTF8.self) } }

    init(_ row: GrowthRow) {
      (rawPath, bytes, moved) = (row.path, row.bytes, row.moved)
      (rawMovedPath, rawMostlyPath) = (row.otherPath, row.mostly)
      part =
        switch row.part {
        case .folder: .folder
        case .files: .files
        case .names: .names
        }
    }
  }

  /// The measure of sizes.
  public enum Measure: Hashable, Sendable {
    /// Room on disk.
    case allocated
    /// Apparent size.
    case apparent
  }

  /// A folder that moved with everything in it.
  public struct Move: Hashable, Sendable {
    /// The new path on the map, as bytes.
    public let rawPath: [UInt8]
    /// The path before the move, as bytes.
    public let rawOldPath: [UInt8]
    /// The number of files below it.
    public let files: Int
    /// The new path as text; invalid UTF-8 becomes U+FFFD.
    public var path: String { String(decoding: rawPath, as: UTF8.self) }
    /// The path before the move as text.
    public var oldPath: String { String(decoding: rawOldPath, as: UTF8.self) }
  }

  /// Files and folders that were added.
  public let added: Amount
  /// Files and folders that were removed.
  public let removed: Amount
  /// Files that changed.
  public let changed: Amount
  /// Files that moved.
  public let moved: Amount
  /// The measure of all sizes: room on disk if both states know it. Each file counts once, however
  /// many names it has.
  public let measure: Measure
  /// The bytes in the new state less those in the old one; nil if a size is unknown.
  public let bytes: Int64?
  /// What grew most, the largest growth first. A folder that was moved grows at its new path and
  /// shrinks at the old one: ``Growth/moved`` says how much of a row only moved.
  public let grown: [Growth]
  /// What shrank most, with negative bytes.
  public let shrunk: [Growth]
  /// The largest new files.
  public let largestNew: [TreeStats.Entry]
  /// Folders that moved as a whole, those with most files first.
  public let folderMoves: [Move]
  /// Whether nothing differs.
  public let isEmpty: Bool

  init(_ tree: ChangeTree, limit: Int) {
    let summary = ChangeSummary(tree, top: limit)
    added = Amount(summary.added)
    removed = Amount(summary.removed)
    changed = Amount(summary.changed)
    moved = Amount(summary.moved)
    measure = tree.measure == .allocated ? .allocated : .apparent
    bytes = tree.totalGrowth
    grown = summary.grown.map { Growth($0) }
    shrunk = summary.shrunk.map { Growth($0) }
    largestNew = summary.largest.map { TreeStats.Entry(rawPath: $0.path, value: $0.bytes) }
    folderMoves = summary.folderMoves.map {
      Move(rawPath: $0.to, rawOldPath: $0.from, files: $0.files)
    }
    isEmpty = tree.isEmpty
  }
}

extension GeoWorld {
  /// Compares an earlier state with this one. Files are compared by type, size and time of change;
  /// no file is opened.
  ///
  /// Roots of one label are compared; a root that only one state has is new or gone as a whole. The
  /// selection, the layout and the way of reading of this world count. Cancelling the task ends it.
  ///
  /// - Parameters:
  ///   - old: The earlier state: folders, a snapshot, or a revision.
  ///   - measure: The measure of sizes; nil for room on disk if both states know it.
  ///   - limit: The length of each list.
  ///   - progress: Called after each batch of folders.
  ///   - report: Called with entries that could not be read, as they are found.
  /// - Throws: `GeoError` as ``nodes()``; `CancellationError` if the task was cancelled.
  /// - Complexity: O(entries of both states).
  public func changes(
    since old: GeoWorld, measure: GeoComparison.Measure? = nil, limit: Int = 10,
    progress: @Sendable (GeoProgress) -> Void = { _ in },
    report: @Sendable ([ScanFault]) -> Void = { _ in }
  ) async throws -> GeoComparison {
    let (tree, _) = try await compare(with: old, measure, progress: progress, report: report)
    let result = GeoComparison(tree, limit: max(0, limit))
    if let failure = tree.failure { throw MapError.noScratch(failure) }
    return result
  }

  func compare(
    with old: GeoWorld, _ measure: GeoComparison.Measure?,
    progress: @Sendable (GeoProgress) -> Void, report: @Sendable ([ScanFault]) -> Void
  ) async throws -> (ChangeTree, GeoProjectionEngine) {
    var comparison = try comparison(with: old)
    comparison.asksForFolders = false
    comparison.measure = measure.map { $0 == .allocated ? .allocated : .bytes }
    let started = try await comparison.start()
    var batches = started.makeAsyncIterator()
    while let step = try await batches.next(isolation: nil) {
      if !step.faults.isEmpty { report(step.faults) }
      progress(GeoProgress(folders: step.folders, files: step.files, rawPath: step.place))
    }
    return (try batches.finish(), started.engine)
  }

  /// The map of what changed: the bytes that `geomapper diff` writes.
  ///
  /// The trees are read when the bytes are.
  ///
  /// - Parameters:
  ///   - old: The earlier state.
  ///   - format: `geojson`, `geojsonseq`, `geojsonl`, `csv` or `html`.
  ///   - progress: Called as the bytes are read.
  ///   - report: Called with entries that could not be read, as they are found.
  /// - Throws: `GeoError` as ``nodes()``, or for another format.
  public func changedFeatures(
    since old: GeoWorld, format: OutputFormat = .geojson,
    progress: @escaping @Sendable (GeoProgress) -> Void = { _ in },
    report: @escaping @Sendable ([ScanFault]) -> Void = { _ in }
  ) throws -> GeoBytes {
    let file = try format.file(
      among: OutputFormat.allCases.filter { $0.file.holds.contains(.changes) }, of: "changes")
    let comparison = try comparison(with: old)
    var request = ChangeMapRequest(
      comparison,
      states: [old, self].map(\.state),
      frame: StandalonePage.changes.frame)
    request.format = file
    request.filter = filter
    return GeoBytes(reporting: GeoProgress.Report.notes(report, progress)) { [request] temporary in
      var request = request
      request.comparison.scan.temporary = temporary
      return try await request.open()
    }
  }

  var state: MapState { MapState(name: Array(roots.map(\.label).joined(separator: ", ").utf8)) }

  func comparison(with old: GeoWorld) throws(MapError) -> Comparison {
    try old.checkLookup()
    try checkLookup()
    let (before, now) = (try old.request().request, try request().request)
    var comparison = Comparison(old: before.roots, new: now.roots)
    comparison.layout = layout
    comparison.selection = selection
    comparison.scan = scan
    return comparison
  }
}
