import GeoCore
import GeoFormats
import Testing

/// Layers can't have the names of other members.
@Suite struct LayerNamesTests {
  private func refusal(_ layers: (name: String, summary: Layer.Summary)...) -> String? {
    let layers = layers.map { Layer(name: $0.name, summary: $0.summary, isWhole: true) }
    do throws(Failure) {
      try LayerSchema(layers: layers, words: LayerWords()).checkNames()
      return nil
    } catch {
      return error.description
    }
  }

  @Test func namesOfMembersAreRefused() {
    for name in [
      "path", "size", "bytes", "lon", "rawPath", "RAWPATH", "was_size", "below_added", "tint",
      "geometry", "bbox", "tippecanoe", "fid", "id",
    ] {
      #expect(
        refusal((name, .sum))
          == "the map has a member '\(name)' already; give the layer \(name) another name, such as "
          + "\(name)2")
    }
    #expect(refusal(("coverage", .ratio), ("sizes", .sum), ("x_share", .sum)) == nil)
  }

  @Test func membersOfOtherLayersAreRefused() {
    #expect(
      refusal(("x", .mean), ("x_count", .sum))
        == "the layer x has a member 'x_count' already; give the layer x_count another name, such as "
        + "x_count2")
    #expect(refusal(("X_SHARE", .sum), ("x", .share))?.contains("'x_share'") == true)
    #expect(refusal(("x", .sum), ("x_count", .sum)) == nil)
  }
}
