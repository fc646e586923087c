// swift-format-ignore-file
// The declarations of MapKit that the project uses, after Apple's documentation
// (developer.apple.com/documentation/mapkit). They do nothing and only serve to check types.

@_exported import CoreLocation
import SwiftUI

public struct MKMapPoint: Sendable {
  public init(_ coordinate: CLLocationCoordinate2D) {}
}
public struct MKCoordinateSpan: Sendable {
  public var latitudeDelta: CLLocationDegrees
  public var longitudeDelta: CLLocationDegrees
  public init(latitudeDelta: CLLocationDegrees, longitudeDelta: CLLocationDegrees) {
    self.latitudeDelta = latitudeDelta
    self.longitudeDelta = longitudeDelta
  }
}
public struct MKCoordinateRegion: Sendable {
  public var center: CLLocationCoordinate2D
  public var span: MKCoordinateSpan
  public init(center: CLLocationCoordinate2D, span: MKCoordinateSpan) {
    self.center = center
    self.span = span
  }
}

public struct MapCameraPosition: Equatable, Sendable {
  public static func region(_ region: MKCoordinateRegion) -> MapCameraPosition {
    MapCameraPosition()
  }
}
public struct MapCameraUpdateContext: Sendable {
  public let region: MKCoordinateRegion
}
public struct MapCameraUpdateFrequency: Sendable {
  public static let onEnd = MapCameraUpdateFrequency()
  public static let continuous = MapCameraUpdateFrequency()
}
public struct MapInteractionModes: OptionSet, Sendable {
  public let rawValue: Int
  public init(rawValue: Int) { self.rawValue = rawValue }
  public static let pan = MapInteractionModes(rawValue: 1)
  public static let zoom = MapInteractionModes(rawValue: 2)
  public static let all = MapInteractionModes(rawValue: 15)
}

// MARK: Content

@MainActor @preconcurrency public protocol MapContent {
  associatedtype Body: MapContent
  @MapContentBuilder @MainActor @preconcurrency var body: Body { get }
}
extension Never: MapContent {}
public protocol PrimitiveMapContent: MapContent where Body == Never {}
extension PrimitiveMapContent {
  public var body: Never { fatalError() }
}
public struct TupleMapContent<T>: PrimitiveMapContent { nonisolated init() {} }

@resultBuilder public enum MapContentBuilder {
  public static func buildBlock<Content: MapContent>(_ content: Content) -> Content { content }
  public static func buildBlock<each Content: MapContent>(
    _ content: repeat each Content
  ) -> TupleMapContent<(repeat each Content)> { TupleMapContent() }
  public static func buildExpression<Content: MapContent>(_ content: Content) -> Content { content }
}

extension ForEach: MapContent where Content: MapContent {
  public var body: Never { fatalError() }
}
extension ForEach where Content: MapContent, ID == Data.Element.ID, Data.Element: Identifiable {
  public init(_ data: Data, @MapContentBuilder content: @escaping (Data.Element) -> Content) {
    self.init(making: ())
  }
}

public struct MapPolygon: PrimitiveMapContent {
  public init(coordinates: [CLLocationCoordinate2D]) {}
}
public struct Marker<Label: View>: PrimitiveMapContent {}
extension Marker where Label == SwiftUI.Label<Text, Image> {
  @_disfavoredOverload public init<S: StringProtocol>(
    _ title: S, systemImage: String, coordinate: CLLocationCoordinate2D
  ) {}
}

extension MapContent {
  public func foregroundStyle<S: ShapeStyle>(_ style: S) -> some MapContent { self }
  public func stroke<S: ShapeStyle>(_ content: S, lineWidth: CGFloat = 1) -> some MapContent {
    self
  }
}

// MARK: Views

public struct Map<Content: View>: PrimitiveView {}
public struct MapContentView<SelectionValue, Content>: PrimitiveView {}
extension Map {
  public init<C: MapContent>(
    position: Binding<MapCameraPosition>, interactionModes: MapInteractionModes = .all,
    @MapContentBuilder content: () -> C
  ) where Content == MapContentView<Never, C> {}
}
public struct MapReader<Content: View>: PrimitiveView {
  public init(@ViewBuilder content: @escaping (MapProxy) -> Content) {}
}
public struct MapProxy {
  public func convert(
    _ point: CGPoint, from space: some CoordinateSpaceProtocol
  ) -> CLLocationCoordinate2D? { nil }
}
extension View {
  public func onMapCameraChange(
    frequency: MapCameraUpdateFrequency = .onEnd,
    _ action: @escaping (MapCameraUpdateContext) -> Void
  ) -> some View { self }
}
