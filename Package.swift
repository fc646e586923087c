// swift-tools-version: 6.2
import PackageDescription

// Who may import whom, in the order in which data flows. A target names all that its sources import,
// and imports from its own line and those above it only:
//
//   path       GeoPath: names, labels and facts, as bytes
//   system     CSystem, GeoSystem: the only ones that make system calls
//   scan       GeoScan, GeoList, GeoGit: trees on a disk, lists and revisions in place of one; know no
//              geometry
//   select     GeoSelect: what is left out; knows neither files nor geometry
//   project    GeoProjection: knows no file system
//   compress   GeoCompress: DEFLATE, checksums, digests, bases 16 and 64. GeoSnapshot: trees kept in
//              a file
//   tier       GeoTier: what a zoom or a box shows
//   emit       GeoEmit, GeoTile, GeoDeed, GeoVerify: text and tiles, and whether text is right; know no
//              descriptors. CPage, GeoPage: the page. GeoPack: files whose order or beginning is known
//              last, by way of scratch files
//   together   GeoPipeline: a stream of bytes or nodes
//   compare    GeoDiff: the union of several states, and what differs between them
//   ask        GeoAtlas, GeoStats: single paths, places and tiles, sums
//   archive    GeoArchive: tiles of a world in one file. GeoPublish: a site with them
//   track      GeoTrack: lines of places and times, as other programs read and write them
//   record     GeoWatch, GeoRecord: trees that are kept as they change, and what happens in them;
//              GeoLogger: the same as a library, for any source of places
//   draw       GeoDraw: posters, of totals and places
//   use        GeoServe, GeoMap (the library), geomapper (the tool)

/// Modules that handle plain values only: every unsafe construct in them is marked and explained.
let pure: [SwiftSetting] = [.strictMemorySafety()]

/// One file that runs on a machine without Swift: the C and C++ libraries are the system's.
let standalone: [LinkerSetting] = [
  .unsafeFlags(["-static-stdlib"], .when(platforms: [.linux], configuration: .release))
]

let package = Package(
  name: "geomapper",
  platforms: [.macOS(.v15)],
  products: [
    .library(name: "GeoMap", targets: ["GeoMap"]),
    .library(name: "GeoLogger", targets: ["GeoLogger"]),
    .library(name: "GeoMapView", targets: ["GeoMapView"]),
    .executable(name: "geomapper", targets: ["geomapper"]),
    .executable(name: "geomapper-bench", targets: ["geomapper-bench"]),
  ],
  targets: [
    // path: names, labels and facts of entries, as bytes
    .target(name: "GeoPath", swiftSettings: pure),

    // scan
    .target(name: "CSystem"),
    .target(name: "GeoSystem", dependencies: ["CSystem", "GeoPath"]),
    .target(name: "GeoScan", dependencies: ["GeoPath", "GeoSystem"]),

    // scan, of a list instead of a disk
    .target(
      name: "GeoList", dependencies: ["GeoPath", "GeoSystem", "GeoScan"], swiftSettings: pure),

    // select
    .target(name: "GeoSelect", dependencies: ["GeoPath"], swiftSettings: pure),

    // project
    .target(name: "GeoProjection", dependencies: ["GeoPath"], swiftSettings: pure),

    // tier
    .target(name: "GeoTier", dependencies: ["GeoProjection"], swiftSettings: pure),

    // compress: DEFLATE, for whoever writes or reads packed bytes
    .target(name: "GeoCompress", dependencies: ["GeoPath"], swiftSettings: pure),

    // snapshots of trees, in files
    .target(
      name: "GeoSnapshot", dependencies: ["GeoPath", "GeoSystem", "GeoScan", "GeoCompress"],
      swiftSettings: pure),

    // revisions of git repositories, in place of a disk
    .target(
      name: "GeoGit", dependencies: ["GeoPath", "GeoSystem", "GeoScan"], swiftSettings: pure),

    // page: what a browser shows; C embeds its files
    .target(name: "CPage"),
    .target(
      name: "GeoPage", dependencies: ["CPage", "GeoPath", "GeoCompress"], exclude: ["Assets"],
      swiftSettings: pure),

    // emit
    .target(
      name: "GeoEmit", dependencies: ["GeoPath", "GeoPage", "GeoProjection"], swiftSettings: pure),

    // pack: files that begin with what is known last
    .target(
      name: "GeoPack", dependencies: ["GeoPath", "GeoSystem", "GeoCompress", "GeoEmit"],
      swiftSettings: pure),

    // tile
    .target(
      name: "GeoTile", dependencies: ["GeoPath", "GeoProjection", "GeoTier", "GeoEmit"],
      swiftSettings: pure),

    // deeds and parts of maps, as texts
    .target(
      name: "GeoDeed", dependencies: ["GeoPath", "GeoProjection", "GeoEmit"], swiftSettings: pure),

    // whether maps are what they have to be
    .target(
      name: "GeoVerify", dependencies: ["GeoPath", "GeoProjection", "GeoEmit"],
      swiftSettings: pure),

    // the stages put together
    .target(
      name: "GeoPipeline",
      dependencies: [
        "GeoPath", "GeoSystem", "GeoScan", "GeoList", "GeoSelect", "GeoProjection", "GeoCompress",
        "GeoTier", "GeoEmit", "GeoDeed", "GeoVerify", "GeoSnapshot", "GeoGit", "GeoPack",
      ],
      swiftSettings: pure),

    // differences between states, and the world of all of them
    .target(
      name: "GeoDiff",
      dependencies: [
        "GeoPath", "GeoSystem", "GeoScan", "GeoSelect", "GeoPage", "GeoProjection", "GeoTier",
        "GeoEmit", "GeoPack", "GeoVerify", "GeoPipeline",
      ],
      swiftSettings: pure),

    // add up what a tree consists of
    .target(
      name: "GeoStats", dependencies: ["GeoPath", "GeoSystem", "GeoScan"], swiftSettings: pure),

    // ask: places of single paths, paths of places, and tiles, with the listings on the way alone
    .target(
      name: "GeoAtlas",
      dependencies: [
        "GeoPath", "GeoSystem", "GeoScan", "GeoStats", "GeoSelect", "GeoProjection", "GeoTier",
        "GeoEmit", "GeoTile", "GeoPipeline", "GeoDiff",
      ],
      swiftSettings: pure),

    // trees that are kept in memory as they change on a disk
    .target(
      name: "GeoWatch", dependencies: ["GeoPath", "GeoSystem", "GeoScan"], swiftSettings: pure),

    // archive: tiles of a world in one file
    .target(
      name: "GeoArchive",
      dependencies: [
        "GeoPath", "GeoSystem", "GeoScan", "GeoCompress", "GeoProjection", "GeoTier", "GeoTile",
        "GeoAtlas",
      ],
      swiftSettings: pure),

    // publish: a world as a site of static files
    .target(
      name: "GeoPublish",
      dependencies: [
        "GeoPath", "GeoSystem", "GeoScan", "GeoCompress", "GeoProjection", "GeoEmit", "GeoPack",
        "GeoTile", "GeoPage", "GeoAtlas", "GeoArchive",
      ],
      swiftSettings: pure),

    // tracks: lines of places and times, and the programs that they come from and go to
    .target(
      name: "GeoTrack", dependencies: ["GeoPath", "GeoSystem", "GeoProjection", "GeoEmit"],
      swiftSettings: pure),

    // recordings of what happens in folders: making, reading and playing them
    .target(
      name: "GeoRecord",
      dependencies: [
        "GeoPath", "GeoSystem", "GeoScan", "GeoWatch", "GeoSelect", "GeoProjection",
        "GeoEmit", "GeoPipeline", "GeoAtlas", "GeoTrack",
      ], swiftSettings: pure),
    .target(
      name: "GeoLogger",
      dependencies: [
        "GeoPath", "GeoSystem", "GeoScan", "GeoProjection", "GeoEmit", "GeoWatch", "GeoRecord",
      ],
      swiftSettings: pure),

    // draw: sheets to print
    .target(
      name: "GeoDraw",
      dependencies: [
        "GeoPath", "GeoSystem", "GeoScan", "GeoCompress", "GeoProjection", "GeoTier", "GeoEmit",
        "GeoStats",
      ],
      swiftSettings: pure),

    // use: the server, the library, the tool
    .target(
      name: "GeoServe",
      dependencies: [
        "GeoPath", "GeoSystem", "GeoScan", "GeoSelect", "GeoCompress", "GeoProjection", "GeoEmit",
        "GeoTier", "GeoTile", "GeoAtlas", "GeoPipeline", "GeoStats", "GeoDiff", "GeoDraw",
      ],
      swiftSettings: pure),
    .target(
      name: "GeoMap",
      dependencies: [
        "GeoPath", "GeoSystem", "GeoScan", "GeoList", "GeoSelect", "GeoProjection", "GeoTier",
        "GeoEmit", "GeoTile", "GeoPipeline", "GeoDeed", "GeoVerify", "GeoAtlas", "GeoStats",
        "GeoSnapshot", "GeoGit",
      ]),
    // the view, where SwiftUI and MapKit are; Tests/Apple stands in for them
    .target(name: "GeoMapView", dependencies: ["GeoMap"]),
    .executableTarget(
      name: "geomapper",
      dependencies: [
        "GeoPath", "GeoSystem", "GeoScan", "GeoList", "GeoSelect", "GeoProjection", "GeoTier",
        "GeoEmit", "GeoDeed", "GeoVerify", "GeoPipeline", "GeoAtlas", "GeoStats", "GeoServe",
        "GeoPage", "GeoTrack", "GeoSnapshot", "GeoGit", "GeoArchive",
        "GeoPublish", "GeoDiff", "GeoDraw", "GeoWatch", "GeoRecord",
      ],
      linkerSettings: standalone),

    // benchmarks
    .target(name: "CLaunch", path: "Benchmarks/CLaunch"),
    .target(name: "Statistics", path: "Benchmarks/Statistics"),
    .executableTarget(
      name: "geomapper-bench",
      dependencies: ["CLaunch", "Statistics", "GeoPath", "GeoScan", "GeoProjection", "GeoEmit"],
      path: "Benchmarks/geomapper-bench", linkerSettings: standalone),

    // tests
    .target(name: "CTestSupport", path: "Tests/CTestSupport"),
    .target(name: "TestSupport", dependencies: ["CTestSupport"], path: "Tests/TestSupport"),
    .testTarget(name: "GeoPathTests", dependencies: ["GeoPath", "TestSupport"]),
    .testTarget(name: "GeoPageTests", dependencies: ["GeoPage", "GeoCompress", "GeoStats"]),
    .testTarget(name: "GeoSelectTests", dependencies: ["GeoPath", "GeoSelect", "TestSupport"]),
    .testTarget(
      name: "GeoProjectionTests", dependencies: ["GeoPath", "GeoProjection", "TestSupport"],
      resources: [.copy("Vectors")]),
    .testTarget(name: "GeoSystemTests", dependencies: ["GeoSystem", "TestSupport"]),
    .testTarget(
      name: "GeoScanTests", dependencies: ["GeoPath", "GeoSystem", "GeoScan", "TestSupport"]),
    .testTarget(
      name: "GeoListTests", dependencies: ["GeoPath", "GeoScan", "GeoList", "TestSupport"]),
    .testTarget(
      name: "GeoEmitTests",
      dependencies: ["GeoPath", "GeoPage", "GeoProjection", "GeoEmit", "TestSupport"],
      resources: [.copy("Golden")]),
    .testTarget(
      name: "GeoPackTests",
      dependencies: ["GeoPath", "GeoProjection", "GeoEmit", "GeoPack", "TestSupport"]),
    .testTarget(
      name: "GeoDeedTests",
      dependencies: ["GeoPath", "GeoProjection", "GeoEmit", "GeoDeed", "TestSupport"]),
    .testTarget(
      name: "GeoMapTests",
      dependencies: [
        "GeoPath", "GeoDeed", "GeoVerify",
        "GeoScan", "GeoSelect", "GeoProjection", "GeoTier", "GeoEmit", "GeoPipeline", "GeoMap",
        "TestSupport",
      ]),
    .testTarget(
      name: "GeoSnapshotTests",
      dependencies: [
        "GeoPath", "GeoSystem", "GeoScan", "GeoList", "GeoSelect", "GeoCompress", "GeoSnapshot",
        "GeoPipeline", "TestSupport",
      ]),
    .testTarget(
      name: "GeoDiffTests",
      dependencies: [
        "GeoPath", "GeoSystem", "GeoScan", "GeoList", "GeoGit", "GeoSelect", "GeoProjection",
        "GeoEmit", "GeoPipeline", "GeoDiff", "GeoVerify", "GeoTile", "GeoAtlas", "TestSupport",
      ]),
    .testTarget(name: "GeoCompressTests", dependencies: ["GeoCompress", "TestSupport"]),
    .testTarget(
      name: "GeoTierTests", dependencies: ["GeoPath", "GeoProjection", "GeoTier", "TestSupport"]),
    .testTarget(
      name: "GeoTileTests", dependencies: ["GeoPath", "GeoProjection", "GeoTile", "TestSupport"],
      resources: [.copy("Golden")]),
    .testTarget(
      name: "GeoAtlasTests",
      dependencies: [
        "GeoPath", "GeoSystem", "GeoScan", "GeoSelect", "GeoProjection", "GeoEmit", "GeoTile",
        "GeoPipeline", "GeoDiff", "GeoAtlas", "TestSupport",
      ]),
    .testTarget(
      name: "GeoVerifyTests",
      dependencies: [
        "GeoPath", "GeoProjection", "GeoScan", "GeoSelect", "GeoPipeline", "GeoVerify",
        "TestSupport",
      ]),
    .testTarget(
      name: "GeoServeTests",
      dependencies: ["GeoSystem", "GeoScan", "GeoAtlas", "GeoServe", "TestSupport"]),
    .testTarget(
      name: "GeoStatsTests", dependencies: ["GeoPath", "GeoScan", "GeoStats", "TestSupport"]),
    .testTarget(
      name: "GeoArchiveTests",
      dependencies: [
        "GeoPath", "GeoSystem", "GeoScan", "GeoCompress", "GeoTile", "GeoAtlas", "GeoArchive",
        "TestSupport",
      ],
      resources: [.copy("Golden")]),
    .testTarget(
      name: "GeoPublishTests", dependencies: ["GeoSystem", "GeoPublish", "TestSupport"]),
    .testTarget(
      name: "GeoTrackTests", dependencies: ["GeoPath", "GeoTrack", "TestSupport"]),
    .testTarget(
      name: "GeoWatchTests",
      dependencies: ["GeoPath", "GeoSystem", "GeoScan", "GeoWatch", "TestSupport"]),
    .testTarget(
      name: "GeoRecordTests",
      dependencies: [
        "GeoSystem", "GeoList", "GeoProjection", "GeoEmit", "GeoRecord", "TestSupport",
      ],
      resources: [.copy("Golden")]),
    .testTarget(name: "GeoLoggerTests", dependencies: ["GeoLogger", "TestSupport"]),
    .testTarget(
      name: "GeoDrawTests",
      dependencies: [
        "GeoPath", "GeoScan", "GeoStats", "GeoProjection", "GeoTier", "GeoPipeline", "GeoDraw",
        "TestSupport",
      ],
      exclude: ["Golden"]),
    .testTarget(name: "StatisticsTests", dependencies: ["Statistics", "TestSupport"]),
    // runs the built tool, so it links none of it
    .testTarget(
      name: "geomapperTests", dependencies: ["TestSupport"],
      // built by the tests, to be put in front of libc
      exclude: ["Interposed"]),
  ]
)
