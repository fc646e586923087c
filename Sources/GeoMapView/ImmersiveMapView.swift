// A SwiftUI view of a map, for Apple's platforms.
// In: a `GeoMapViewModel`. Out: the map on the screen; all state is in the model.
// Start with `ImmersiveMapView`.
// A client imports nothing else: the worlds and models that the view shows are offered, too.

@_exported import GeoMap

#if canImport(SwiftUI) && canImport(MapKit)
  import MapKit
  import SwiftUI

  /// An interactive map: polygons for folders, markers for files, and a sheet for the tapped node.
  ///
  /// Moving the map sets the model's viewport, and the view shows the nodes that the model then
  /// loads.
  ///
  /// ```swift
  /// ImmersiveMapView(model: GeoMapViewModel(world: GeoWorld(folder: URL(filePath: "/usr"))))
  /// ```
  public struct ImmersiveMapView: View {
    private let model: GeoMapViewModel
    @State private var position = MapCameraPosition.region(.wholeWorld)
    @State private var size = CGSize.zero
    @State private var tier = MapTier.continents
    /// The camera's zoom with its fraction, which the model's viewport drops.
    @State private var zoom = 0.0

    /// Of a tap from a file, in points.
    private static let reach = 24.0
    /// Of the change between tiers, in seconds.
    private static let fade = 0.35

    /// Makes a view of a model.
    public init(model: GeoMapViewModel) { self.model = model }

    /// The map with the name of its tier on top, and the sheet.
    public var body: some View {
      MapReader { proxy in
        Map(position: $position, interactionModes: [.pan, .zoom]) {
          ForEach(folders) { folder in
            MapPolygon(coordinates: folder.outline.map { CLLocationCoordinate2D($0) })
              .foregroundStyle(
                FolderColor.of(folder).opacity(tier.strength(ofDepth: folder.depth))
              )
              .stroke(FolderColor.of(folder), lineWidth: folder.depth == 0 ? 2 : 1)
          }
          ForEach(files) { file in
            Marker(
              file.name, systemImage: FileSymbol.of(file),
              coordinate: CLLocationCoordinate2D(file.coordinate))
          }
        }
        .onMapCameraChange(frequency: .onEnd) { context in show(context.region) }
        .onTapGesture { point in
          guard let place = proxy.convert(point, from: .local) else { return }
          model.select(model.node(at: GeoCoordinate(place), zoom: zoom, within: Self.reach))
        }
      }
      .onGeometryChange(for: CGSize.self) { geometry in
        geometry.size
      } action: { newSize in
        size = newSize
      }
      .overlay(alignment: .top) {
        Text(tier.word)
          .font(.headline)
          .padding(8)
          .background(.regularMaterial, in: Capsule())
          .id(tier)
          .transition(.opacity)
      }
      .animation(.easeInOut(duration: Self.fade), value: tier)
      .sheet(item: selection) { node in
        NodeSheet(node: node, model: model)
          .presentationDetents([.medium, .large])
      }
      .task {
        // Polygons need coast lines, which a world computes only on request.
        if !model.world.includesOutlines { model.world.includesOutlines = true }
        model.reload()
      }
    }

    /// Outer ones first.
    private var folders: [GeoNode] {
      model.visibleNodes.filter { !$0.outline.isEmpty }.sorted { $0.depth < $1.depth }
    }

    private var files: [GeoNode] { model.visibleNodes.filter { $0.nodeType == .poi } }

    private var selection: Binding<GeoNode?> {
      Binding(
        get: { @MainActor in model.selection }, set: { @MainActor node in model.select(node) })
    }

    private func show(_ region: MKCoordinateRegion) {
      guard size.width > 0, region.span.longitudeDelta > 0 else { return }
      // A world of 512 points at zoom 0.
      zoom = max(0, log2(360 / region.span.longitudeDelta * size.width / 512))
      model.viewport = MapViewport(
        center: GeoCoordinate(region.center), zoom: zoom, width: size.width, height: size.height)
      withAnimation(.easeInOut(duration: Self.fade)) {
        tier = MapTier(zoom: model.viewport.zoom)
      }
    }
  }

  extension MKCoordinateRegion {
    fileprivate static var wholeWorld: MKCoordinateRegion {
      MKCoordinateRegion(
        center: CLLocationCoordinate2D(latitude: 0, longitude: 0),
        span: MKCoordinateSpan(latitudeDelta: 160, longitudeDelta: 350))
    }
  }

  enum FolderColor {
    private static let all: [Color] = [.orange, .green, .pink, .teal, .yellow, .purple]

    static func of(_ folder: GeoNode) -> Color { all[Int(folder.id % UInt64(all.count))] }
  }

  enum FileSymbol {
    static func of(_ node: GeoNode) -> String {
      switch node.entryKind {
      case .directory: "folder"
      case .symlink: "link"
      case .regular, .unknown: "doc"
      case .fifo, .socket, .block, .character: "gearshape"
      }
    }
  }
#endif

/// The finest kind of node that a zoom shows, from continents to files.
public enum MapTier: Int, CaseIterable, Comparable, Sendable {
  /// Roots.
  case continents
  /// Folders in a root.
  case countries
  /// Folders two below a root.
  case states
  /// All deeper folders.
  case districts
  /// Files.
  case files

  /// Makes the tier of a zoom.
  public init(zoom: Int) {
    self = MapTier(rawValue: max(0, min(zoom, MapTier.files.rawValue))) ?? .files
  }

  /// Compares tiers: coarser ones come first.
  public static func < (a: MapTier, b: MapTier) -> Bool { a.rawValue < b.rawValue }

  /// The tier's name, for display.
  public var word: String {
    switch self {
    case .continents: "Continents"
    case .countries: "Countries"
    case .states: "States"
    case .districts: "Districts"
    case .files: "Files"
    }
  }

  /// Returns the opacity of folders of a depth at this tier, 0 to 1. Folders of the tier itself are
  /// the strongest; those around them fade.
  public func strength(ofDepth depth: Int) -> Double {
    let distance = min(rawValue, MapTier.districts.rawValue) - min(depth, 3)
    switch distance {
    case ...0: return 0.5
    case 1: return 0.3
    default: return 0.16
    }
  }
}

#if canImport(SwiftUI) && canImport(MapKit)
  import Foundation
  import SwiftUI

  struct NodeSheet: View {
    let node: GeoNode
    let model: GeoMapViewModel

    var body: some View {
      List {
        Section {
          Label(node.name, systemImage: FileSymbol.of(node))
            .font(.title2)
          LabeledContent("Path", value: node.path)
          if let size = sizeText { LabeledContent(sizeLabel, value: size) }
          if let modified = node.modified {
            LabeledContent(
              "Changed",
              value: Date(timeIntervalSince1970: TimeInterval(modified)).formatted())
          }
          if let totals = node.totals {
            LabeledContent("Files below", value: totals.files.formatted())
            if let bytes = totals.bytes {
              LabeledContent("Bytes below", value: bytes.formatted(.byteCount(style: .file)))
            }
          }
          if node.isUnreadable { Label("Could not be read", systemImage: "lock") }
        }
        let around = model.ancestors(of: node)
        if !around.isEmpty {
          Section("In") {
            ForEach(around.reversed()) { folder in
              Button(folder.name) { model.select(folder) }
            }
          }
        }
      }
    }

    private var sizeLabel: String { node.entryKind == .directory ? "Entries" : "Size" }

    private var sizeText: String? {
      guard let size = node.size else { return nil }
      return node.entryKind == .directory
        ? size.formatted() : size.formatted(.byteCount(style: .file))
    }
  }
#endif
