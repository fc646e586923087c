import GeoMap

/// What a zoom shows at its finest: continents first, files last.
public enum MapTier: Int, CaseIterable, Comparable, Sendable {
  case continents, countries, states, districts, files

  /// The tier of a zoom of the map.
  public init(zoom: Int) {
    self = MapTier(rawValue: max(0, min(zoom, MapTier.files.rawValue))) ?? .files
  }

  /// Whether a tier is coarser than another.
  public static func < (a: MapTier, b: MapTier) -> Bool { a.rawValue < b.rawValue }

  /// What it is called.
  public var word: String {
    switch self {
    case .continents: "Continents"
    case .countries: "Countries"
    case .states: "States"
    case .districts: "Districts"
    case .files: "Files"
    }
  }

  /// How strongly a folder of a depth is filled at this tier, 0 to 1: what one looks into fades, what one
  /// looks at stands out.
  public func strength(ofDepth depth: Int) -> Double {
    let distance = min(rawValue, MapTier.districts.rawValue) - min(depth, 3)
    switch distance {
    case ...0: return 0.5
    case 1: return 0.3
    default: return 0.16
    }
  }
}
