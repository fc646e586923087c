// swift-tools-version: 6.2
import PackageDescription

// The levels of the modules, in the order in which data flows. A target imports only the targets in its own
// entry, and each entry names only targets of lower levels:
//
//   1   CSystem, CPage      C names that Swift's importer hides; embedded files
//       CRelease            the commit of a release; for the tool only
//   2   GeoCore             bytes, names, text, JSON, DEFLATE; no system calls
//   3   GeoSystem           descriptors, processes, sockets, threads, sorting in scratch files
//   4   GeoTree             the interface of tree sources, the disk, the ordered scan, selection,
//                           totals; no geometry
//       GeoProjection       places and tiers; no file system
//   5   GeoSources          trees that are not on a disk: lists, git revisions, snapshots
//       GeoFormats          features as text and binary records; no files but scratch files
//   6   GeoVerify           checks of maps against the definition of the projection
//       GeoPipeline         scan → project → tier → emit
//       GeoTrack            reading, making and converting tracks (GPX)
//   7   GeoChange           differences between states; histories
//       GeoDraw             sheets to print
//       GeoAtlas            answers about paths and places, tiles, search
//   8   GeoLive             trees kept up to date in memory, recordings, alerts, samples
//   9   GeoWeb              the page, the server, archives of tiles, sites
//   10  GeoMap, GeoScan, GeoLogger, GeoMapView   the libraries
//   11  geomapper           the tool

/// For modules that handle plain values only: the compiler reports unmarked unsafe constructs.
let pure: [SwiftSetting] = [.strictMemorySafety()]

/// Links the Swift libraries statically, so that the program runs on machines without Swift. Nothing
/// looks up its symbols, whose table has a megabyte; equal functions are kept once.
let standalone: [LinkerSetting] = [
  .unsafeFlags(
    ["-static-stdlib", "-Xlinker", "--no-export-dynamic", "-Xlinker", "--icf=safe"],
    .when(platforms: [.linux], configuration: .release))
]

let package = Package(
  name: "geomapper",
  platforms: [.macOS(.v15), .iOS(.v18)],
  products: [
    .library(name: "GeoMap", targets: ["GeoMap"]),
    .library(name: "GeoScan", targets: ["GeoScan"]),
    .library(name: "GeoLogger", targets: ["GeoLogger"]),
    .library(name: "GeoMapView", targets: ["GeoMapView"]),
    .executable(name: "geomapper", targets: ["geomapper"]),
  ],
  targets: [
    // 1
    .target(name: "CSystem"),
    .target(name: "CPage"),
    .target(name: "CRelease"),

    // 2
    .target(name: "GeoCore", swiftSettings: pure),

    // 3
    .target(name: "GeoSystem", dependencies: ["CSystem", "GeoCore"]),

    // 4
    .target(name: "GeoTree", dependencies: ["GeoCore", "GeoSystem"]),
    .target(name: "GeoProjection", dependencies: ["GeoCore"], swiftSettings: pure),

    // 5
    .target(
      name: "GeoSources", dependencies: ["GeoCore", "GeoSystem", "GeoTree"], swiftSettings: pure),
    .target(
      name: "GeoFormats", dependencies: ["GeoCore", "GeoSystem", "GeoProjection"],
      swiftSettings: pure),

    // 6
    .target(
      name: "GeoVerify", dependencies: ["GeoCore", "GeoProjection", "GeoFormats"],
      swiftSettings: pure),
    .target(
      name: "GeoPipeline",
      dependencies: [
        "GeoCore", "GeoSystem", "GeoTree", "GeoProjection", "GeoSources", "GeoFormats", "GeoVerify",
      ],
      swiftSettings: pure),
    .target(
      name: "GeoTrack", dependencies: ["GeoCore", "GeoSystem", "GeoProjection", "GeoFormats"],
      swiftSettings: pure),

    // 7
    .target(
      name: "GeoChange",
      dependencies: [
        "GeoCore", "GeoSystem", "GeoTree", "GeoProjection", "GeoSources", "GeoFormats", "GeoVerify",
        "GeoPipeline", "GeoTrack",
      ],
      swiftSettings: pure),
    .target(
      name: "GeoDraw",
      dependencies: [
        "GeoCore", "GeoSystem", "GeoTree", "GeoProjection", "GeoFormats", "GeoChange",
      ],
      swiftSettings: pure),
    .target(
      name: "GeoAtlas",
      dependencies: [
        "GeoCore", "GeoSystem", "GeoTree", "GeoProjection", "GeoFormats", "GeoPipeline",
        "GeoChange",
      ],
      swiftSettings: pure),

    // 8
    .target(
      name: "GeoLive",
      dependencies: [
        "GeoCore", "GeoSystem", "GeoTree", "GeoProjection", "GeoFormats", "GeoPipeline", "GeoAtlas",
        "GeoTrack",
      ],
      swiftSettings: pure),

    // 9
    .target(
      name: "GeoWeb",
      dependencies: [
        "CPage", "GeoCore", "GeoSystem", "GeoTree", "GeoProjection", "GeoSources", "GeoFormats",
        "GeoPipeline", "GeoChange", "GeoDraw", "GeoAtlas", "GeoLive",
      ],
      exclude: ["Page/Assets"],
      swiftSettings: pure),

    // 10
    .target(
      name: "GeoMap",
      dependencies: [
        "GeoCore", "GeoSystem", "GeoTree", "GeoProjection", "GeoSources", "GeoFormats", "GeoVerify",
        "GeoPipeline", "GeoTrack", "GeoChange", "GeoDraw", "GeoAtlas", "GeoLive", "GeoWeb",
      ]),
    .target(
      name: "GeoLogger",
      dependencies: ["GeoCore", "GeoSystem", "GeoTree", "GeoProjection", "GeoFormats", "GeoLive"],
      swiftSettings: pure),
    .target(name: "GeoMapView", dependencies: ["GeoMap"]),
    .target(
      name: "GeoScan",
      dependencies: [
        "GeoCore", "GeoSystem", "GeoTree", "GeoProjection", "GeoSources", "GeoVerify",
        "GeoPipeline", "GeoMap",
      ]),

    // 11
    .executableTarget(
      name: "geomapper",
      dependencies: [
        "CRelease", "GeoCore", "GeoSystem", "GeoTree", "GeoProjection", "GeoSources", "GeoFormats",
        "GeoVerify", "GeoPipeline", "GeoChange", "GeoDraw", "GeoAtlas", "GeoTrack", "GeoLive",
        "GeoWeb",
      ],
      linkerSettings: standalone),

    // tests
    .target(name: "CTestSupport", path: "Tests/CTestSupport"),
    .target(
      name: "TestSupport", dependencies: ["CTestSupport", "GeoCore", "GeoSystem", "GeoTree"],
      path: "Tests/TestSupport"),
    .testTarget(name: "GeoCoreTests", dependencies: ["GeoCore", "TestSupport"]),
    .testTarget(name: "GeoSystemTests", dependencies: ["GeoCore", "GeoSystem", "TestSupport"]),
    .testTarget(
      name: "GeoTreeTests", dependencies: ["GeoCore", "GeoSystem", "GeoTree", "TestSupport"]),
    .testTarget(
      name: "GeoProjectionTests", dependencies: ["GeoCore", "GeoProjection", "TestSupport"],
      resources: [.copy("Vectors")]),
    .testTarget(
      name: "GeoSourcesTests",
      dependencies: ["GeoCore", "GeoSystem", "GeoTree", "GeoSources", "GeoPipeline", "TestSupport"]),
    .testTarget(
      name: "GeoFormatsTests",
      dependencies: ["GeoCore", "GeoProjection", "GeoFormats", "TestSupport"],
      resources: [.copy("Golden")]),
    .testTarget(
      name: "GeoVerifyTests",
      dependencies: [
        "GeoCore", "GeoTree", "GeoProjection", "GeoPipeline", "GeoVerify", "TestSupport",
      ]),
    .testTarget(
      name: "GeoChangeTests",
      dependencies: [
        "GeoCore", "GeoSystem", "GeoTree", "GeoProjection", "GeoSources", "GeoFormats", "GeoVerify",
        "GeoPipeline", "GeoChange", "GeoAtlas", "GeoWeb", "TestSupport",
      ]),
    .testTarget(
      name: "GeoDrawTests",
      dependencies: [
        "GeoCore", "GeoTree", "GeoProjection", "GeoFormats", "GeoPipeline", "GeoChange", "GeoDraw",
        "TestSupport",
      ],
      exclude: ["Golden"]),
    .testTarget(
      name: "GeoAtlasTests",
      dependencies: [
        "GeoCore", "GeoSystem", "GeoTree", "GeoProjection", "GeoFormats", "GeoPipeline",
        "GeoChange",
        "GeoAtlas", "TestSupport",
      ],
      resources: [.copy("Vector/Golden")]),
    .testTarget(name: "GeoTrackTests", dependencies: ["GeoCore", "GeoTrack", "TestSupport"]),
    .testTarget(
      name: "GeoLiveTests",
      dependencies: [
        "GeoCore", "GeoSystem", "GeoTree", "GeoProjection", "GeoSources", "GeoFormats", "GeoAtlas",
        "GeoLive", "TestSupport",
      ],
      resources: [.copy("Record/Golden")]),
    .testTarget(
      name: "GeoWebTests",
      dependencies: [
        "GeoCore", "GeoSystem", "GeoTree", "GeoProjection", "GeoChange", "GeoAtlas", "GeoLive",
        "GeoWeb", "TestSupport",
      ],
      resources: [.copy("Archive/Golden")]),
    .testTarget(
      name: "GeoMapTests",
      dependencies: [
        "GeoCore", "GeoTree", "GeoProjection", "GeoSources", "GeoFormats", "GeoVerify",
        "GeoPipeline", "GeoDraw", "GeoMap", "GeoScan", "TestSupport",
      ]),
    .testTarget(
      name: "GeoLoggerTests", dependencies: ["GeoLogger", "GeoLive", "GeoSystem", "TestSupport"]),
    // most tests run the built tool; some import it
    .testTarget(
      name: "geomapperTests",
      dependencies: ["geomapper", "GeoCore", "GeoTree", "GeoSources", "TestSupport"],
      // Interposed: preloaded before libc; Written: files of earlier versions
      exclude: ["Interposed"]),
  ]
)
