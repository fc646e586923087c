import GeoCore
import Testing

@testable import GeoDraw

/// The colours of layers on sheets.
@Suite struct LayerColoursTests {
  private func colours(
    _ layer: Layer, _ cells: [LayerCell], words: LayerWords = LayerWords(), dark: Bool = false
  ) -> LayerColours {
    LayerColours(
      LayerSchema(layers: [layer], words: words), 0, cells.map { ([$0], 1) }, dark ? .dark : .light)
  }

  private func rows(_ colours: LayerColours) -> [String] {
    colours.legend.map { $0.words + $0.count }
  }

  @Test func numbersHaveClasses() {
    let layer = Layer(name: "n", summary: .sum, isWhole: true)
    let found = colours(layer, [1, 2, 30, 400].map { LayerCell(integer: $0) } + [.none])
    #expect(
      rows(found) == [
        "under 2 · 1", "2 to 20 · 1", "20 to 400 · 1", "400 or more · 1", "no value · 1",
      ])
    #expect(found.legend.map(\.isBlank) == [false, false, false, false, true])
    #expect(Set(found.legend.dropLast().map(\.colour)).count == 4)
    #expect(found.land([.none]) == nil && found.file([.none]) == nil && found.land([]) == nil)
    #expect(found.land([LayerCell(integer: 1)]) == Theme.light.ages.first)
    #expect(found.land([LayerCell(integer: 4000)]) == Theme.light.ages.last)
    #expect(rows(colours(layer, [.none])) == ["no value · 1"])
    #expect(rows(colours(layer, [LayerCell(integer: 3)])) == ["all values · 1"])
  }

  @Test func ratiosHaveFifths() {
    let layer = Layer(name: "c", summary: .ratio, isWhole: false)
    let found = colours(layer, [LayerCell(1, of: 10), LayerCell(9, of: 10)])
    #expect(
      rows(found) == [
        "under 20 % · 1", "20 % to 40 % · 0", "40 % to 60 % · 0", "60 % to 80 % · 0",
        "80 % or more · 1",
      ])
  }

  @Test(arguments: [false, true]) func bothSignsHaveArms(dark: Bool) {
    let theme = dark ? Theme.dark : .light
    let layer = Layer(name: "d", summary: .sum, isWhole: true)
    let cells = [-60, -5, -1, 1, 5, 60].map { LayerCell(integer: $0) }
    let found = colours(layer, cells, dark: dark)
    #expect(found.land([cells[0]]) == theme.arms.first)
    #expect(found.land([cells[5]]) == theme.arms.last)
  }

  @Test func wordsHaveColoursByShare() {
    let words = LayerWords()
    var cells: [LayerCell] = []
    for number in 0..<12 {
      let word = words.number(of: Array("w\(number)".utf8)) ?? 0
      cells += [LayerCell](repeating: LayerCell(word: word), count: 12 - number)
    }
    let layer = Layer(name: "t", summary: .share, isWhole: false)
    let found = colours(layer, cells, words: words)
    #expect(
      rows(found) == (0..<10).map { "w\($0) · \(12 - $0)" } + ["other · 3"])
    #expect(found.file([LayerCell(word: 0)]) == Theme.light.words[0])
    #expect(found.file([LayerCell(word: 11)]) == Theme.light.otherWord)
    // The smaller the share, the paler the land.
    let white: Paint = 0xFFFFFF
    for (share, strength) in [(1.0, 0.8), (0.5, 0.5), (0.0, 0.2)] {
      #expect(
        found.land([LayerCell(word: 3, share: share)])?.text
          == white.blended(with: Theme.light.words[3], strength).text)
    }
  }
}
