import GeoPipeline
import GeoFormats
import GeoSources
import GeoMap
import GeoScan
import GeoProjection
import GeoTree
import TestSupport
import Testing

@testable import GeoPipeline

/// Requests that the library refuses at once.
@Suite struct ConflictTests {
  private func request() throws -> MapRequest {
    MapRequest(roots: [ScanRoot(label: [0x61], directory: [UInt8(ascii: "/")])])
  }

  /// The map of a request, and its list.
  private struct Asked {
    var map: MapRequest
    var list: ListSource?
  }

  private static func list(_ format: ListFormat) -> ListSource {
    var list = ListSource(file: Array("nowhere".utf8))
    list.format = format
    return list
  }

  /// Every option by itself.
  private func options() throws -> [(MapOption, (inout Asked) throws -> Void)] {
    var options: [(MapOption, (inout Asked) throws -> Void)] = [
      (.tippecanoe, { $0.map.tippecanoe = true }), (.lonlat, { $0.map.lonlat = true }),
      (.links, { $0.map.scan.countsLinks = true }),
      (.totals, { $0.map.totals = true }), (.followsLinks, { $0.map.scan.followsLinks = true }),
      (.staysOnFileSystem, { $0.map.scan.staysOnFileSystem = true }),
      (.noMetadata, { $0.map.scan.readsMetadata = false }),
      (.sizes, { $0.map.selection.requireSize(.above(1)) }),
      (.newer, { $0.map.selection.newer = 1 }), (.older, { $0.map.selection.older = 1 }),
      (.gitignore, { $0.map.selection.excludeIgnored() }),
    ]
    for format in OutputFormat.allCases {
      options.append((.format(format), { $0.map.format = format }))
    }
    for format in ListFormat.allCases {
      options.append((.list(format), { $0.list = Self.list(format) }))
    }
    return options
  }

  /// Whether two options go together, by the documentation of the command line.
  private func goTogether(_ a: MapOption, _ b: MapOption) -> Bool {
    switch (a, b) {
    case (.tippecanoe, .format(let format)): return format.isGeoJSON
    case (.links, .format(let format)), (.lonlat, .format(let format)):
      return format.isGeoJSON || format == .flatgeobuf || format == .parquet
    case (.totals, .format(let format)): return format != .gpx
    case (.links, .noMetadata), (.totals, .noMetadata), (.sizes, .noMetadata),
      (.newer, .noMetadata), (.older, .noMetadata):
      return false
    case (.links, .list), (.totals, .list), (.followsLinks, .list), (.staysOnFileSystem, .list),
      (.gitignore, .list):
      return false
    case (.sizes, .list(.lines)), (.newer, .list(.lines)), (.older, .list(.lines)): return false
    default: return true
    }
  }

  @Test func everyPairOfOptionsIsDecided() async throws {
    let options = try options()
    var refused = 0
    for (a, ask) in options {
      for (b, askAlso) in options {
        if case .format = a, case .format = b { continue }
        if case .list = a, case .list = b { continue }
        var asked = Asked(map: try request())
        try ask(&asked)
        try askAlso(&asked)
        let isRight = goTogether(a, b) && goTogether(b, a)
        var request = asked.map
        var found = request.conflict
        if let list = asked.list {
          do throws(MapError) {
            try request.read(list)
          } catch {
            // Conflicts are refused before the list is opened.
            if case .conflict(let conflict) = error { found = conflict }
          }
        }
        #expect((found == nil) == isRight, "\(a), \(b): \(found as Any)")
        guard let conflict = found else { continue }
        refused += 1
        #expect(Set([conflict.option, conflict.other]) == [a, b])
        if asked.list == nil {
          await #expect(throws: MapError.conflict(conflict)) {
            _ = try await MapPipeline.open(request)
          }
          await #expect(throws: MapError.conflict(conflict)) {
            _ = try await MapPipeline.openNodes(request)
          }
        }
        let text = MapError.conflict(conflict).description
        #expect(text.contains(conflict.option.name), "\(text)")
      }
    }
    #expect(refused > 40)
  }

  @Test func optionsOfOtherFormatsAreRefused() throws {
    let options: [(OutputFormat, (inout MapRequest) -> Void)] = [
      (.flatgeobuf, { $0.isIndexed = false }), (.parquet, { $0.compression = .gzip }),
      (.csv, { $0.quotesAll = true }),
    ]
    for format in OutputFormat.allCases {
      for (only, ask) in options {
        var request = try request()
        request.format = format
        ask(&request)
        #expect((request.conflict == nil) == (format == only))
      }
    }
  }

  @Test func zeroSeparatorsAreForListsOnly() throws {
    for format in ListFormat.allCases {
      var list = Self.list(format)
      list.isZeroSeparated = true
      #expect((try request().conflict(with: list) != nil) == !(format == .lines || format == .find))
    }
  }

  @Test func libraryRefusesConflicts() async throws {
    let folder = try TemporaryFolder()
    var world = GeoWorld(folder: .init(fileURLWithPath: folder.path))
    world.includesTotals = true
    world.scan.readsMetadata = false
    await #expect(throws: MapError.self) { _ = try await world.nodes() }
  }
}
