import Foundation
import TestSupport
import Testing

extension LinkTests {
  /// Folders by number, each in an earlier one, and links to folders and files.
  struct LinkedTree: Sendable, CustomStringConvertible {
    var parents: [Int] = []
    var links: [(folder: Int, target: Int, isFile: Bool)] = []
    /// Options for the map, such as a maximum depth.
    var options: [String] = []

    var description: String { "parents \(parents), links \(links), \(options)" }

    func path(of folder: Int) -> String {
      folder == 0 ? "tree" : "\(path(of: parents[folder]))/\(folder)"
    }

    /// - Parameter loops: Whether links may lead to ancestors.
    init(using generator: inout SeededGenerator, loops: Bool = false) {
      parents = (0..<generator.number(in: 2...9)).map {
        $0 == 0 ? 0 : generator.number(in: 0...($0 - 1))
      }
      for _ in 0..<generator.number(in: 1...5) {
        let folder = generator.number(in: 0...(parents.count - 1))
        let target = generator.number(in: 0...(parents.count - 1))
        let isFile = generator.chance(0.4)
        // If all links lead to later folders, there are no loops.
        if isFile || loops || target > folder { links.append((folder, target, isFile)) }
      }
      if !loops { return }
      for (option, chance) in [
        ("--layout=pinned", 0.5), ("--max-depth=\(generator.number(in: 0...3))", 0.3),
        ("--newer=@1500000000", 0.3), ("--size=+\(generator.number(in: 0...4))", 0.3),
        ("--exclude=**/link-1", 0.3), ("--zoom=\(generator.number(in: 0...8))", 0.3),
        ("--name=*i*", 0.2), ("--type=f,l", 0.2),
      ] where generator.chance(chance) { options.append(option) }
    }

    func make(in folder: TemporaryFolder) throws {
      for number in parents.indices {
        try folder.makeFile(
          "\(path(of: number))/file", String(repeating: "x", count: number))
        try folder.setModified("\(path(of: number))/file", 1_400_000_000 + number % 2 * 200_000_000)
      }
      for (number, link) in links.enumerated() {
        let target = folder(path(of: link.target)) + (link.isFile ? "/file" : "")
        try folder.makeLink("\(path(of: link.folder))/link-\(number)", to: target)
      }
    }
  }

  /// A map of links equals the map of copies of their targets, except for times and shared names.
  @Test func linksEqualCopiesOfTheirTargets() throws {
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

  /// A snapshot that followed links gives the same result as the disk.
  @Test func snapshotsOfLinksEqualTheDisk() throws {
    let property = Property<LinkedTree>(
      "snapshots of links are drawn like the disk",
      generate: { LinkedTree(using: &$0, loops: true) },
      shrink: { tree in
        let options = tree.options.indices.map { index in
          var less = tree
          less.options.remove(at: index)
          return less
        }
        return options
          + tree.links.indices.map { index in
            var less = tree
            less.links.remove(at: index)
            return less
          }
      },
      fault: { tree in
        let folder = try TemporaryFolder()
        try tree.make(in: folder)
        let options = tree.options.joined(separator: " ")
        let archived = tree.options.filter { !$0.hasPrefix("--zoom") && !$0.hasPrefix("--max") }
          .joined(separator: " ")
        let outcome = try Geomapper.shell(
          """
          "$T" snapshot -q -L -o s tree && "$T" snapshot -q -o again s || exit
          for format in "geojson --totals --links" "html --totals" "csv --totals" "gpx --threads 3" \
            "flatgeobuf --no-index" "parquet --compress none" "pmtiles --max-zoom 4"; do
            case $format in pmtiles*) options="\(archived)" ;; *) options="\(options)" ;; esac
            "$T" map -q -L --format $format $options -o disk tree || exit
            for source in s again; do
              "$T" map -q --format $format $options -o kept $source || exit
              cmp disk kept || echo "as $format, of $source"
            done
          done
          # A file counts once, on however many ways it is reached.
          "$T" map -L --totals --max-depth 0 tree | grep -o '"bytes":[0-9]*'
          "$T" stats --format json s | grep -o '"bytes":[0-9]*' | head -n 1
          """, in: folder.path)
        let lines = outcome.text.split(separator: "\n")
        if outcome.status != 0 || lines.count != 2 { return outcome.text + outcome.errorText }
        return lines[0] == lines[1] ? nil : "\(lines[0]) on the map, \(lines[1]) in the sums"
      })
    let counterexample = try property.counterexample(cases: 8)
    #expect(counterexample == nil, "\(counterexample.map(\.description) ?? "")")
  }
}
