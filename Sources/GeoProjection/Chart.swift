/// The bijection that bends the plan into the map.
public struct Chart: Sendable {
}
