// swift-tools-version: 6.2
import PackageDescription

// Makes the trees of the benchmarks; see README.md. The package needs nothing of geomapper's: the benchmarks start
// the built tool.

let package = Package(
  name: "benchmarks",
  products: [.executable(name: "make-tree", targets: ["make-tree"])],
  targets: [.executableTarget(name: "make-tree")]
)
