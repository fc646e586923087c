import Foundation
import GeoCore
import GeoDraw
import GeoMap
import GeoPipeline
import GeoProjection
import GeoScan
import GeoSources
import GeoTree
import Testing

/// Errors of reading a world, in the library's own words and types.
@Suite struct WorldErrorTests {
  private func error(_ roots: GeoWorld.Root...) async -> MapError? {
    do {
      _ = try await GeoWorld(roots: roots).nodes()
      return nil
    } catch {
      return error as? MapError
    }
  }

  private func root(_ label: String, _ folder: String) throws -> GeoWorld.Root {
    GeoWorld.Root(label: label, folder: try #require(URL(string: folder)))
  }

  @Test(arguments: ["https://example.org/tmp", "mailto:a", "tmp"])
  func otherURLsAreRefused(text: String) async throws {
    let url = try #require(URL(string: text))
    #expect(await error(GeoWorld.Root(label: "a", folder: url)) == .notFileURL(text))
  }

  @Test(arguments: ["file:///tmp%00x", "file:///tmp/%00", "file:///%00", "file:///tmp/a%00/b"])
  func pathsWithAZeroByteAreRefused(text: String) async throws {
    guard case .refusedRoot(.refusedDirectory) = await error(try root("a", text)) else {
      Issue.record("\(text) is not refused")
      return
    }
  }

  @Test func missingFoldersAreErrors() async throws {
    let nowhere = "/nowhere-\(UUID().uuidString)"
    let found = await error(try root("a", "file://\(nowhere)"))
    #expect(found == .rootNotFound(directory: Array(nowhere.utf8), .noEntry))
    let file = await error(try root("a", "file:///dev/null"))
    #expect(file == .rootNotFolder(directory: Array("/dev/null".utf8)))
  }

  @Test func aWorldWithoutRootsIsRefused() async throws {
    let found = await error()
    #expect(found == .refusedRoot(.noRoots))
    #expect(found?.localizedDescription == "a world needs a root: give at least one folder")
    #expect(throws: MapError.refusedRoot(.noRoots)) { try GeoWorld(roots: []).lookup() }
    await #expect(throws: MapError.refusedRoot(.noRoots)) { try await GeoWorld(roots: []).stats() }
  }

  @Test(
    arguments: [
      ([.nan, 0, 1, 1], BoundingBox.Fault.outOfRange(.west)),
      ([0, -.infinity, 1, 1], .outOfRange(.south)),
      ([0, 0, 180.1, 1], .outOfRange(.east)), ([0, 0, 1, .nan], .outOfRange(.north)),
      ([0, 2, 1, 1], .southAboveNorth),
    ] as [([Double], BoundingBox.Fault)])
  func invalidBoxesAreRefused(edges: [Double], error: BoundingBox.Fault) {
    #expect(throws: error) {
      try BoundingBox(west: edges[0], south: edges[1], east: edges[2], north: edges[3])
    }
  }

  @Test func invalidLabelsAreErrors() async throws {
    let doubled = await error(try root("a", "file:///tmp"), try root("a", "file:///usr"))
    guard case .refusedRoot(.doubledLabel(let label, _, _)) = doubled else {
      Issue.record("two labels are alike: \(String(describing: doubled))")
      return
    }
    #expect(label == Array("a".utf8))
    let bad = await error(try root("a/b", "file:///tmp"))
    #expect(bad?.description.contains("'a/b' can't be a label") == true)
  }

  @Test func errorsSayWhatIsWrong() {
    let error: any Error = MapError.rootNotFolder(directory: [0x1B, 0x0A, 0xFF])
    #expect(error.localizedDescription == #"can't map '\u{1B}\n\xFF': not a folder"#)
    #expect("\(error)" == error.localizedDescription)
    let thread = MapError.noThread(Errno(rawValue: 11))
    #expect(thread.localizedDescription.hasPrefix("can't start a thread to read with: "))
  }

  @Test func everyErrorSaysTheSameInEveryWay() {
    let errors: [any GeoError] = [
      Failure.usage("x"), MapError.severalRootsOfList, RootError.noRoots, SnapshotError.tooLarge,
      GitError.unreadable(.noEntry), ListError.noScratch(.noEntry),
      BoundingBox.Fault.southAboveNorth, GeoDrawingError.badBox, Selection.GlobError.empty,
      VerificationError.cancelled,
    ]
    for error in errors {
      #expect(error.localizedDescription == error.description)
      #expect(error is any LocalizedError)
    }
  }

  @Test func oneImportIsEnough() throws {
    var options = FileSystemScanner.Options()
    options.method = .portable
    #expect(options.method != .native)
    #expect(throws: (any Error).self) {
      try BoundingBox(west: 0, south: 2, east: 1, north: 1)
    }
    #expect(ScanFault.Reason.unreadable(Errno.accessDenied) != .vanished)
  }
}
