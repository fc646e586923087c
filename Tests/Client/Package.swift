// swift-tools-version: 6.2
import PackageDescription

// A client of the libraries, which takes them by version: check_client.py makes the repository with the
// tag, and runs the programs. Each imports one library of geomapper.

let repository = Context.environment["GEOMAPPER_REPOSITORY"] ?? "../.."

let package = Package(
  name: "client",
  platforms: [.macOS(.v15)],
  dependencies: [.package(url: "file://\(repository)", exact: "0.2.0")],
  targets: [
    .target(name: "Place", path: "Sources/place"),
    .executableTarget(
      name: "maps", dependencies: ["Place", .product(name: "GeoMap", package: "geomapper")]),
    .executableTarget(
      name: "scans", dependencies: ["Place", .product(name: "GeoScan", package: "geomapper")]),
    .executableTarget(
      name: "recordings", dependencies: [.product(name: "GeoLogger", package: "geomapper")]),
    .executableTarget(
      name: "views", dependencies: [.product(name: "GeoMapView", package: "geomapper")]),
  ],
  swiftLanguageModes: [.v6]
)

for target in package.targets {
  target.swiftSettings = [.enableUpcomingFeature("MemberImportVisibility")]
}
