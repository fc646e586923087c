// A model for a view, which follows the disk. Imports GeoMapView alone.
import Foundation
import GeoMapView

let home = FileManager.default.temporaryDirectory.appending(
  component: "client-\(UUID().uuidString)", directoryHint: .isDirectory)
defer { try? FileManager.default.removeItem(at: home) }
for name in ["music/jazz", "work"] {
  try FileManager.default.createDirectory(
    at: home.appending(path: name), withIntermediateDirectories: true)
}

var world = GeoWorld(folder: home)
world.includesOutlines = true
let model = GeoMapViewModel(world: world)
model.viewport = MapViewport(zoom: 30)
await model.finishLoading()
precondition(model.phase == .complete && model.visibleNodes.count == 4)
guard let work = model.visibleNodes.first(where: { $0.name == "work" }) else { fatalError() }
precondition(model.node(at: work.coordinate, zoom: 2, within: 0) == work)
try Data("new".utf8).write(to: home.appending(path: "work/new.txt"))
model.noteChange(at: home.appending(path: "work/new.txt"))
await model.finishLoading()
precondition(model.visibleNodes.contains { $0.name == "new.txt" })
#if canImport(SwiftUI) && canImport(MapKit)
  _ = ImmersiveMapView(model: model)
#endif
print("\(model.visibleNodes.count) nodes are visible")
