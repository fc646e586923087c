import GeoPipeline
import GeoProjection
import GeoTree

// Names of earlier versions. They still work, and the compiler suggests the new ones.

/// The former name of `ShardManifest`.
@available(*, deprecated, renamed: "ShardManifest")
public typealias Deed = ShardManifest
/// The former name of `ShardManifestError`.
@available(*, deprecated, renamed: "ShardManifestError")
public typealias DeedError = ShardManifestError
/// The former name of `ShardSet`.
@available(*, deprecated, renamed: "ShardSet")
public typealias DeedSet = ShardSet

extension GeoWorld {
  /// The former form of `sheet(_:since:report:)`.
  @available(*, deprecated, renamed: "sheet(_:since:report:)", message: "its svg has the bytes")
  public func draw(
    _ drawing: GeoDrawing = GeoDrawing(),
    report: @escaping @Sendable ([ScanFault]) -> Void = { _ in }
  ) async throws -> [UInt8] { try await sheet(drawing, report: report).svg }

  /// The former name of `shard`.
  @available(*, deprecated, renamed: "shard")
  public var deed: ShardManifest? {
    get { shard }
    set { shard = newValue }
  }

  /// The former name of `shard(of:)`.
  @available(*, deprecated, renamed: "shard(of:)")
  public func deed(of path: [UInt8]) throws(MapError) -> ShardManifest { try shard(of: path) }

  /// The former name of `split(into:)`.
  @available(*, deprecated, renamed: "split(into:)")
  public func deeds(splitInto number: Int) throws(MapError) -> ShardSet { try split(into: number) }
}

extension ShardSet {
  /// The former name of `manifests`.
  @available(*, deprecated, renamed: "manifests")
  public var deeds: [ShardManifest] { manifests }
}

extension ShardManifest {
  /// The former name of `Intermediate`.
  @available(*, deprecated, renamed: "Intermediate")
  public typealias Way = Intermediate

  /// The former name of `checksum`.
  @available(*, deprecated, renamed: "checksum")
  public var seal: UInt64 { checksum }

  /// The former name of `intermediates`.
  @available(*, deprecated, renamed: "intermediates")
  public var ways: [Intermediate] {
    get { intermediates }
    set { intermediates = newValue }
  }

  /// The former name of `init(layout:labels:set:number:count:places:intermediates:cuts:)`.
  @available(
    *, deprecated,
    renamed: "init(layout:labels:set:number:count:places:intermediates:cuts:)"
  )
  public init(
    layout: Layout, labels: [[UInt8]], set: UInt64 = 0, number: Int = 0, count: Int = 1,
    places: [Place], ways: [Intermediate], cuts: [[UInt8]] = []
  ) {
    self.init(
      layout: layout, labels: labels, set: set, number: number, count: count, places: places,
      intermediates: ways, cuts: cuts)
  }
}

extension LookupObstacle {
  /// The former name of `shard`.
  @available(*, deprecated, renamed: "shard")
  public static let deed = Self.shard
}

extension MapError {
  /// The former name of `mismatch(path:directory:)`.
  @available(*, deprecated, renamed: "mismatch(path:directory:)")
  public static func misfit(path: [UInt8], directory: [UInt8]?) -> Self {
    .mismatch(path: path, directory: directory)
  }
}

extension MapFilter {
  /// The former name of `maximumDepth`.
  @available(*, deprecated, renamed: "maximumDepth")
  public var maxDepth: Int? {
    get { maximumDepth }
    set { maximumDepth = newValue }
  }

  /// The former name of `init(zoom:box:maximumDepth:)`.
  @available(*, deprecated, renamed: "init(zoom:box:maximumDepth:)")
  public init(zoom: Int? = nil, box: BoundingBox? = nil, maxDepth: Int?) {
    self.init(zoom: zoom, box: box, maximumDepth: maxDepth)
  }
}

extension GeoNode {
  /// The former name of `minimumZoom`.
  @available(*, deprecated, renamed: "minimumZoom")
  public var minzoom: Int { minimumZoom }
}

extension PlannedNode {
  /// The former name of `minimumZoom`.
  @available(*, deprecated, renamed: "minimumZoom")
  public var minzoom: Int? { minimumZoom }
}

extension GeoLookup {
  /// The former form of `ask(_:)` of `GeoReader`.
  @available(*, deprecated, message: "use GeoWorld.reader(), whose questions are asynchronous")
  public func ask<Answer: Sendable>(
    _ question: @escaping @Sendable (GeoLookup) throws -> Answer
  ) async throws -> Answer { try await GeoReader(self).ask(question) }
}
