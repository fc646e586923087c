import Foundation
import GeoAtlas
import TestSupport
import Testing

/// The tiles' description for clients, and the style that draws them.
@Suite struct DescriptionTests {
  private func object(_ json: [UInt8]) throws -> [String: Any] {
    try #require(try JSONSerialization.jsonObject(with: Data(json)) as? [String: Any])
  }

  @Test func namesEveryPropertyWithItsType() throws {
    let json = TileJSON(name: [], tiles: "", bounds: nil).encode()
    let property = Property<RandomContent>("fields") {
      try RandomContent(using: &$0)
    } fault: { made in
      try DecodedTile(VectorTile.encode(made.content)).fault(against: json)
    }
    if let found = try property.counterexample(cases: 40) { Issue.record("\(found)") }
  }

  /// GDAL reads fields of other types as text; tippecanoe's tools stop at a member that isn't text.
  @Test(arguments: [false, true]) func hasWhatOtherProgramsRead(ofTwoStates: Bool) throws {
    var description = TileJSON(name: Array("a and b".utf8), tiles: "x", bounds: nil)
    description.maximumZoom = 9
    description.hasDifferences = ofTwoStates
    let archive = try object(description.archiveMetadata(completeTo: 7))
    for (key, value) in archive where key != "vector_layers" {
      #expect(value is String, "\(key)")
    }
    #expect(archive["geomapper:complete"] as? String == "7")
    let tiles = try object(description.encode())
    #expect(tiles["maxzoom"] as? Int == 9)
    for reported in [archive, tiles] {
      #expect(reported["name"] as? String == "a and b")
      let layers = try #require(reported["vector_layers"] as? [[String: Any]])
      #expect(layers.count == 5)
      for layer in layers {
        #expect(layer["maxzoom"] as? Int == 9)
        let fields = try #require(layer["fields"] as? [String: String])
        #expect(Set(fields.values).isSubset(of: ["Number", "Boolean", "String"]))
        let descriptions = try #require(layer["descriptions"] as? [String: String])
        #expect(Set(descriptions.keys) == Set(fields.keys))
      }
    }
  }

  /// Complete tiles are drawn at all zooms, and deeper tiles above them.
  @Test(arguments: [(nil, 30, 1), (7, 7, 1), (9, 7, 1), (7, 13, 2)] as [(Int?, Int, Int)])
  func aStyleHasASourceForWhatIsComplete(complete: Int?, maximumZoom: Int, count: Int) throws {
    for hasNames in [false, true] {
      var style = TileStyle(
        tiles: "pmtiles://\"x/{z}", complete: complete, maximumZoom: maximumZoom)
      style.hasNames = hasNames
      let json = try object(style.encode())
      let sources = try #require(json["sources"] as? [String: [String: Any]])
      #expect(sources.count == count)
      let zooms = sources.values.map { [$0["minzoom"] as? Int, $0["maxzoom"] as? Int] }
      #expect(
        Set(zooms) == (count == 1 ? [[0, maximumZoom]] : [[0, complete], [8, maximumZoom]]))
      #expect(sources.values.allSatisfy { $0["tiles"] as? [String] == ["pmtiles://\"x/{z}"] })
      let layers = try #require(json["layers"] as? [[String: Any]])
      #expect(Set(layers.compactMap { $0["id"] as? String }).count == layers.count)
      for source in sources.keys {
        let drawn = layers.filter { $0["source"] as? String == source }
        #expect(Set(drawn.compactMap { $0["type"] as? String }).contains("fill"))
        #expect(drawn.contains { $0["type"] as? String == "symbol" } == hasNames)
      }
      #expect(json["glyphs"] == nil)
    }
  }
}
