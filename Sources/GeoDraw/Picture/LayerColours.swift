import GeoCore
import GeoProjection

/// The colours of a layer: classes of its numbers, or its words by their share.
struct LayerColours: Sendable {
  enum Class: Hashable, Sendable {
    /// The number of a class, or of a word in the order of shares.
    case number(Int)
    case other
    case none
  }

  let name: String
  private let layer: Layer
  private let index: Int
  private let theme: Theme
  private let bounds: [Double]
  private let words: [(number: Int, text: String)]
  private var counts: [Class: Int] = [:]

  /// The strength of a word's colour on land with other words only, as a part of that with none.
  private static let weakest = 0.25

  /// `seen` has the cells of the lands and files in view, with their amounts.
  init(
    _ schema: LayerSchema, _ index: Int, _ seen: [(cells: [LayerCell], amount: Double)],
    _ theme: Theme
  ) {
    let layer = schema.layers[index]
    (self.layer, self.index, self.theme, name) = (layer, index, theme, layer.name)
    let there = seen.filter { !$0.cells.isEmpty && $0.cells[index].isThere }
    if layer.kind == .word {
      bounds = []
      var sums: [Int: Double] = [:]
      for (cells, amount) in there {
        sums[cells[index].word, default: 0] += amount * cells[index].share
      }
      let sorted = sums.sorted { a, b in
        a.value != b.value ? a.value > b.value : schema.words.precedes(a.key, b.key)
      }
      words = sorted.prefix(theme.words.count).map {
        ($0.key, String(decoding: schema.words[$0.key], as: UTF8.self))
      }
    } else {
      words = []
      bounds = ClassBounds.ofNumbers(
        there.compactMap { layer.number(of: $0.cells[index]) }, isRatio: layer.summary == .ratio)
    }
    for (cells, _) in seen { counts[found(cells), default: 0] += 1 }
  }

  private func found(_ cells: [LayerCell]) -> Class {
    if cells.isEmpty || !cells[index].isThere { return .none }
    if layer.kind == .word {
      return words.firstIndex { $0.number == cells[index].word }.map { .number($0) } ?? .other
    }
    guard let number = layer.number(of: cells[index]) else { return .none }
    return .number(ClassBounds.classOf(number, in: bounds))
  }

  /// Whether numbers have two arms about 0.
  private var hasArms: Bool { bounds.contains(0) && bounds[0] < 0 }

  private func paint(_ found: Class) -> Paint? {
    switch found {
    case .none: return nil
    case .other: return theme.otherWord
    case .number(let number) where layer.kind == .word: return theme.words[number]
    case .number(let number):
      let ramp = hasArms ? theme.arms : theme.ages
      let place = Double(number * (ramp.count - 1)) / Double(max(1, bounds.count))
      if bounds.count < ramp.count { return ramp[Int(place.rounded())] }
      let low = Int(place)
      return ramp[low].blended(with: ramp[min(low + 1, ramp.count - 1)], place - Double(low))
    }
  }

  func land(_ cells: [LayerCell]) -> Paint? {
    paint(found(cells)).map { shade($0, share: layer.kind == .word ? cells[index].share : 1) }
  }

  func file(_ cells: [LayerCell]) -> Paint? { paint(found(cells)) }

  /// Words are paler on land than on files, the more so the smaller their share.
  private func shade(_ paint: Paint, share: Double) -> Paint {
    if layer.kind != .word { return paint }
    let base = theme.wordStrength < 0.6 ? theme.land : 0xFFFFFF
    let part = Self.weakest + (1 - Self.weakest) * share
    return base.blended(with: paint, theme.wordStrength * part)
  }

  /// The rows of the legend; those of numbers from the least on, then "no value" if there is any.
  var legend: [LandColours.Row] {
    var classes: [Class] = []
    if layer.kind == .word {
      classes = words.indices.map { .number($0) } + (counts[.other] == nil ? [] : [.other])
    } else if counts.contains(where: { $0.key != .none }) {
      classes = (0...bounds.count).map { .number($0) }
    }
    if counts[.none] != nil { classes.append(.none) }
    return classes.map { found in
      LandColours.Row(
        colour: paint(found).map { shade($0, share: 1) } ?? theme.land,
        words: said(found), count: " · " + (counts[found] ?? 0).grouped, isBlank: found == .none)
    }
  }

  private func said(_ found: Class) -> String {
    switch found {
    case .none: return "no value"
    case .other: return "other"
    case .number(let number) where layer.kind == .word: return words[number].text
    case .number(let number):
      func shown(_ bound: Int) -> String {
        layer.summary == .ratio
          ? SVGText.number(100 * bounds[bound], decimals: 2) + " %"
          : SheetText.number(bounds[bound])
      }
      if bounds.isEmpty { return "all values" }
      if number == 0 { return "under " + shown(0) }
      return number == bounds.count
        ? shown(number - 1) + " or more" : shown(number - 1) + " to " + shown(number)
    }
  }
}
