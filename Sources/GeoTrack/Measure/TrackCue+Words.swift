extension TrackCue.Turn {
  /// What to do, in words. The page has the same ones.
  package var words: String {
    switch self {
    case .start(let bearing): return "go \(Self.direction(bearing)) (\(Int(bearing.rounded()))°)"
    case .turn(let degrees):
      let side = degrees > 0 ? "right" : "left"
      switch abs(degrees) {
      case ..<60: return "turn slightly \(side)"
      case ..<120: return "turn \(side)"
      case ..<160: return "turn sharp \(side)"
      default: return "turn back"
      }
    case .arrival: return "arrive"
    }
  }

  private static func direction(_ bearing: Double) -> String {
    let names = [
      "north", "north-east", "east", "south-east", "south", "south-west", "west", "north-west",
    ]
    return names[Int((bearing / 45).rounded()) % 8]
  }
}
