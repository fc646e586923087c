// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "describe",
  platforms: [.macOS(.v15)],
  dependencies: [.package(path: "../geomapper")],
  targets: [
    .executableTarget(
      name: "describe",
      dependencies: [.product(name: "GeoMap", package: "geomapper")])
  ])
