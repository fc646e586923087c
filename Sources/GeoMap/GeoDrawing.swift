import Foundation
import GeoAtlas
import GeoCore
import GeoDraw
import GeoPipeline
import GeoProjection
import GeoSystem
import GeoTree

/// How a sheet to print is drawn.
public struct GeoDrawing: Sendable {
  /// What the colours of lands mean.
  public enum Colours: String, Hashable, Sendable, CaseIterable {
    /// Nothing: they only make neighbours different.
    case tints
    /// The total size.
    case size
    /// The newest time of change.
    case age
    /// The type of file with the most bytes.
    case type
  }

  /// The part of the map that is drawn.
  public enum Part: Hashable, Sendable {
    /// All roots.
    case world
    /// The lands in a box.
    case box(BoundingBox)
    /// A folder, by its path on the map.
    case folder(path: String)
  }

  /// The part of the map that is drawn.
  public var part = Part.world
  /// What the colours of lands mean.
  public var colours = Colours.tints
  /// The width of the sheet in millimetres, 80 to 2,000.
  public var width = 420
  /// The height of the sheet in millimetres, 80 to 2,000. One side is at most three times the other.
  public var height = 297
  /// The title; nil for the names of what is drawn.
  public var title: String?
  /// Whether the ground is dark.
  public var isDark = false
  /// The time of the scan, which is printed, and from which ages are counted; nil if unknown.
  public var date: Date?

  /// Makes a drawing of the whole world on A3.
  public init() {}

  fileprivate var options: PosterOptions {
    get throws(GeoDrawingError) {
      guard let size = SheetSize(parsing: Array("\(width)x\(height)".utf8)) else {
        throw .badSize(width: width, height: height)
      }
      var options = PosterOptions()
      options.size = size
      options.title = title.map { Array($0.utf8) }
      options.isDark = isDark
      options.shading = Shading(rawValue: colours.rawValue) ?? .tints
      options.date = date.map { UnixTime.seconds(of: $0) }
      return options
    }
  }

  fileprivate var target: PosterTarget {
    switch part {
    case .world: .world
    case .box(let box): .box(box)
    case .folder(let path): .folder(Array(path.utf8).components.map { Array($0) })
    }
  }
}

/// Why a sheet can't be drawn.
public enum GeoDrawingError: Error, Hashable, Sendable, CustomStringConvertible, LocalizedError {
  /// A side is not 80 to 2,000 mm, or more than three times the other.
  case badSize(width: Int, height: Int)
  /// The folder doesn't exist.
  case noFolder(path: String)
  /// The folder is too small to draw as an area.
  case noLand(path: String)
  /// The box crosses the antimeridian, or has no extent.
  case badBox

  /// The error and what to do, in words.
  public var description: String {
    switch self {
    case .badSize(let width, let height):
      "a sheet of \(width) × \(height) mm can't be drawn: sides are 80 to 2,000 mm, and one is at "
        + "most three times the other"
    case .noFolder(let path): "the map has no folder '\(path)'"
    case .noLand(let path): "the folder '\(path)' has no land to draw; draw its parent"
    case .badBox: "a box that crosses the antimeridian or has no extent can't be drawn"
    }
  }

  /// The error and what to do, in words.
  public var errorDescription: String? { description }
}

extension GeoWorld {
  /// Draws a sheet to print: the SVG that `geomapper draw` writes, without scripts, fonts or other
  /// files.
  ///
  /// The whole tree is read once. ``selection`` and ``layout`` count; ``filter`` has no effect.
  ///
  /// - Parameters:
  ///   - drawing: What is drawn, and how.
  ///   - report: Called with entries that could not be read, as they are found.
  /// - Returns: The SVG as UTF-8.
  /// - Throws: `MapError` as ``lookup(cacheLimit:readsDisk:)``; ``GeoDrawingError``;
  ///   `CancellationError` if the task was cancelled.
  /// - Complexity: O(entries), and the size of the sheet.
  public func draw(
    _ drawing: GeoDrawing = GeoDrawing(),
    report: @escaping @Sendable ([ScanFault]) -> Void = { _ in }
  ) async throws -> [UInt8] {
    var options = try drawing.options
    let world = try await selected(report: report)
    let roots = try WorldRoots(try world.request().request.roots, layout)
    let totals = try await TreeTotals.all(of: roots.roots, options: scan, report: report)
    try Task.checkCancellation()
    options.rootFiles = roots.roots.map(\.listing.files)
    do {
      return try await WorkerThread.run { [options, target = drawing.target] in
        try Poster(of: totals, by: roots.engine, showing: target, options).svg
      }
    } catch let error as PosterError {
      let path = if case .folder(let path) = drawing.part { path } else { "" }
      switch error {
      case .noFolder: throw GeoDrawingError.noFolder(path: path)
      case .noLand: throw GeoDrawingError.noLand(path: path)
      case .badBox: throw GeoDrawingError.badBox
      }
    }
  }

  /// The world without ``list`` and ``selection``: what they select is kept in a scratch file, so
  /// that it can be read more than once.
  func selected(report: ([ScanFault]) -> Void) async throws -> GeoWorld {
    let (request, _) = try request()
    if list == nil, !selection.isActive, !scan.followsLinks { return self }
    var snapshot = SnapshotRequest(roots: request.roots)
    snapshot.selection = selection
    snapshot.scan = scan
    if let list { try snapshot.read(list) }
    let kept = try await MapPipeline.index(snapshot, report: report)
    var world = self
    world.list = nil
    world.selection = Selection()
    world.scan.followsLinks = false
    for root in kept {
      guard let index = world.roots.firstIndex(where: { $0.rawLabel == root.label }) else {
        continue
      }
      world.roots[index].source = root.source
    }
    return world
  }
}
