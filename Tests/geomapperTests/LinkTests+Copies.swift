import Foundation
import TestSupport
import Testing

extension LinkTests {
  /// Folders by number, each in an earlier one, and links that make no loop.
  struct LinkedTree: Sendable, CustomStringConvertible {
    var parents: [Int] = []
    var links: [(folder: Int, target: Int, isFile: Bool)] = []

    var description: String { "parents \(parents), links \(links)" }

    func path(of folder: Int) -> String {
      folder == 0 ? "tree" : "\(path(of: parents[folder]))/\(folder)"
    }

    init(using generator: inout SeededGenerator) {
      parents = (0..<generator.number(in: 2...9)).map {
        $0 == 0 ? 0 : generator.number(in: 0...($0 - 1))
      }
      for _ in 0..<generator.number(in: 1...5) {
        let folder = generator.number(in: 0...(parents.count - 1))
        let target = generator.number(in: 0...(parents.count - 1))
        let isFile = generator.chance(0.4)
        // All ways lead on to later folders, so none comes back.
        if isFile || target > folder { links.append((folder, target, isFile)) }
      }
    }

    func make(in folder: TemporaryFolder) throws {
      for number in parents.indices {
        try folder.makeFile(
          "\(path(of: number))/file", String(repeating: "x", count: number))
      }
      for (number, link) in links.enumerated() {
        let target = folder(path(of: link.target)) + (link.isFile ? "/file" : "")
        try folder.makeLink("\(path(of: link.folder))/link-\(number)", to: target)
      }
    }
  }

  /// A map of links is the map of what they lead to, but for times and names that are shared.
  @Test func linksAreDrawnLikeCopies() throws {
    let property = Property<LinkedTree>(
      "links are drawn like copies", generate: { LinkedTree(using: &$0) },
      shrink: { tree in
        tree.links.indices.map { index in
          var less = tree
          less.links.remove(at: index)
          return less
        }
      },
      fault: { tree in
        let folder = try TemporaryFolder()
        try tree.make(in: folder)
        let outcome = try Geomapper.shell(
          """
          cp -RL tree copy && for options in "" "--layout=pinned --zoom=9" --links; do
            "$T" map -L $options r=tree && "$T" map $options r=copy || exit
          done | sed -E 's/"modified":[0-9]+,//'
          """, in: folder.path)
        let maps = outcome.text.components(separatedBy: #"{"type":"FeatureCollection""#)
        if outcome.status != 0 || maps.count != 7 { return "no six maps: \(outcome.errorText)" }
        return maps[1] == maps[2] && maps[3] == maps[4] && maps[5] == maps[6]
          ? nil : "the maps differ"
      })
    let counterexample = try property.counterexample(cases: 25)
    #expect(counterexample == nil, "\(counterexample.map(\.description) ?? "")")
  }
}
