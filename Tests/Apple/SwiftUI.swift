// swift-format-ignore-file
// The declarations of SwiftUI that the project uses, after Apple's documentation
// (developer.apple.com/documentation/swiftui). They do nothing and only serve to check types.

@_exported import Foundation

@MainActor @preconcurrency public protocol View {
  associatedtype Body: View
  @ViewBuilder @MainActor @preconcurrency var body: Self.Body { get }
}

extension Never: View {
  public var body: Never { fatalError() }
}

/// A view whose body programs can't use.
public protocol PrimitiveView: View where Body == Never {}

extension PrimitiveView {
  public var body: Never { fatalError() }
}

public struct EmptyView: PrimitiveView { nonisolated public init() {} }
public struct TupleView<T>: PrimitiveView { nonisolated init() {} }
public struct OptionalView<Wrapped: View>: PrimitiveView { nonisolated init() {} }

@resultBuilder public enum ViewBuilder {
  public static func buildBlock() -> EmptyView { EmptyView() }
  public static func buildBlock<Content: View>(_ content: Content) -> Content { content }
  public static func buildBlock<each Content: View>(
    _ content: repeat each Content
  ) -> TupleView<(repeat each Content)> { TupleView() }
  public static func buildExpression<Content: View>(_ content: Content) -> Content { content }
  public static func buildIf<Content: View>(_ content: Content?) -> OptionalView<Content> {
    OptionalView()
  }
}

// MARK: State

@propertyWrapper public struct State<Value> {
  public init(wrappedValue value: Value) { wrappedValue = value }
  public var wrappedValue: Value { get { fatalError() } nonmutating set {} }
  public var projectedValue: Binding<Value> { fatalError() }
}

@propertyWrapper public struct Binding<Value> {
  @preconcurrency public init(
    get: @escaping @isolated(any) @Sendable () -> Value,
    set: @escaping @isolated(any) @Sendable (Value) -> Void
  ) {}
  public var wrappedValue: Value { get { fatalError() } nonmutating set {} }
  public var projectedValue: Binding<Value> { self }
}

// MARK: Looks

public protocol ShapeStyle: Sendable {}
public struct Color: ShapeStyle, Hashable {
  public static let orange = Color()
  public static let green = Color()
  public static let pink = Color()
  public static let teal = Color()
  public static let yellow = Color()
  public static let purple = Color()
  public func opacity(_ opacity: Double) -> Color { self }
}
extension Color: View {
  public var body: Never { fatalError() }
}
public struct Material: ShapeStyle {}
extension ShapeStyle where Self == Material {
  public static var regularMaterial: Material { Material() }
}
public protocol Shape: Sendable, View {}
public protocol InsettableShape: Shape {}
public struct Capsule: InsettableShape {
  public init() {}
  public var body: Never { fatalError() }
}
public struct Font: Hashable, Sendable {
  public static let headline = Font()
  public static let title2 = Font()
}
public struct Animation: Equatable, Sendable {
  public static func easeInOut(duration: TimeInterval) -> Animation { Animation() }
}
public struct AnyTransition: Sendable {
  public static let opacity = AnyTransition()
}
public struct Alignment: Equatable, Sendable {
  public static let top = Alignment()
}
public struct PresentationDetent: Hashable, Sendable {
  public static let medium = PresentationDetent()
  public static let large = PresentationDetent()
}
public func withAnimation<Result>(
  _ animation: Animation?, _ body: () throws -> Result
) rethrows -> Result { try body() }

// MARK: Geometry

public struct GeometryProxy { public var size: CGSize { .zero } }
public protocol CoordinateSpaceProtocol {}
public struct LocalCoordinateSpace: CoordinateSpaceProtocol {}
extension CoordinateSpaceProtocol where Self == LocalCoordinateSpace {
  public static var local: LocalCoordinateSpace { LocalCoordinateSpace() }
}

// MARK: Views

public struct LocalizedStringKey: Equatable, ExpressibleByStringInterpolation, Sendable {
  public init(stringLiteral value: String) {}
}
public struct Text: PrimitiveView {
  @_disfavoredOverload public init<S: StringProtocol>(_ content: S) {}
  public init(_ key: LocalizedStringKey) {}
}
public struct Label<Title: View, Icon: View>: PrimitiveView {}
public struct Image: PrimitiveView {}
extension Label where Title == Text, Icon == Image {
  public init(_ titleKey: LocalizedStringKey, systemImage name: String) {}
  @_disfavoredOverload public init<S: StringProtocol>(_ title: S, systemImage name: String) {}
}
public struct LabeledContent<Label: View, Content: View>: PrimitiveView {}
extension LabeledContent where Label == Text, Content == Text {
  public init<S: StringProtocol>(_ titleKey: LocalizedStringKey, value: S) {}
  @_disfavoredOverload public init<S1: StringProtocol, S2: StringProtocol>(_ title: S1, value: S2) {
  }
}
public struct Button<Label: View>: PrimitiveView {}
extension Button where Label == Text {
  @preconcurrency public init(
    _ titleKey: LocalizedStringKey, action: @escaping @MainActor () -> Void
  ) {}
  @_disfavoredOverload @preconcurrency public init<S: StringProtocol>(
    _ title: S, action: @escaping @MainActor () -> Void
  ) {}
}
public struct List<SelectionValue: Hashable, Content: View>: PrimitiveView {}
extension List where SelectionValue == Never {
  public init(@ViewBuilder content: () -> Content) {}
}
public struct Section<Parent: View, Content: View, Footer: View>: PrimitiveView {}
extension Section where Parent == EmptyView, Footer == EmptyView {
  public init(@ViewBuilder content: () -> Content) {}
}
extension Section where Parent == Text, Footer == EmptyView {
  public init(_ titleKey: LocalizedStringKey, @ViewBuilder content: () -> Content) {}
}
public struct ForEach<Data: RandomAccessCollection, ID: Hashable, Content> {
  /// Replaces the framework's internals; the declarations of other frameworks make values by it.
  public init(making: Void) {}
}
extension ForEach: View where Content: View {
  public var body: Never { fatalError() }
}
extension ForEach where Content: View, ID == Data.Element.ID, Data.Element: Identifiable {
  public init(_ data: Data, @ViewBuilder content: @escaping (Data.Element) -> Content) {}
}

// MARK: Modifiers

extension View {
  public func font(_ font: Font?) -> some View { self }
  public func padding(_ length: CGFloat) -> some View { self }
  public func id<ID: Hashable>(_ id: ID) -> some View { self }
  public func transition(_ t: AnyTransition) -> some View { self }
  public func animation<V: Equatable>(_ animation: Animation?, value: V) -> some View { self }
  public func background<S: ShapeStyle, T: InsettableShape>(_ style: S, in shape: T) -> some View {
    self
  }
  public func overlay<V: View>(
    alignment: Alignment, @ViewBuilder content: () -> V
  ) -> some View { self }
  public func onTapGesture(
    count: Int = 1, coordinateSpace: some CoordinateSpaceProtocol = .local,
    perform action: @escaping (CGPoint) -> Void
  ) -> some View { self }
  @preconcurrency public func onGeometryChange<T: Equatable & Sendable>(
    for type: T.Type, of transform: @escaping @Sendable (GeometryProxy) -> T,
    action: @escaping (_ newValue: T) -> Void
  ) -> some View { self }
  public func sheet<Item: Identifiable, Content: View>(
    item: Binding<Item?>, onDismiss: (() -> Void)? = nil,
    @ViewBuilder content: @escaping (Item) -> Content
  ) -> some View { self }
  public func presentationDetents(_ detents: Set<PresentationDetent>) -> some View { self }
  public func task(
    priority: TaskPriority = .userInitiated,
    @_inheritActorContext _ action: @escaping @Sendable () async -> Void
  ) -> some View { self }
}
