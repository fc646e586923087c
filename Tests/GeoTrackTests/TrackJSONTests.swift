import Foundation
import Testing

@testable import GeoTrack

/// The track JSON, decoded as the article on recordings says.
@Suite struct TrackJSONTests {
  /// The documented members.
  private struct Track: Codable, Equatable {
    struct Segment: Codable, Equatable { var coords: [Coord] }
    struct Coord: Codable, Equatable {
      var latitude: Double
      var longitude: Double
      var altitude: Double?
      var time: Date?
    }
    var name: String
    var link: String
    var time: Date?
    var segments: [Segment]
    var distance: String
    var feetClimbed: String
  }

  /// The documented strategy for dates.
  private static var decoder: JSONDecoder {
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = .custom { decoder in
      let text = try decoder.singleValueContainer().decode(String.self)
      return try Date.ISO8601FormatStyle(includingFractionalSeconds: text.contains(".")).parse(text)
    }
    return decoder
  }

  private func written(_ details: TrackDetails, times: [Int64?]) throws -> [UInt8] {
    let output = KeptOutput()
    var writer = JSONTrackWriter(output)
    try writer.begin(TrackDocument())
    try writer.begin(.track, details)
    try writer.beginSegment()
    for (index, time) in times.enumerated() {
      try writer.add(
        TrackPoint(
          longitude: 13 + Double(index), latitude: 52, elevation: index == 0 ? 34 : nil, time: time),
        TrackDetails())
    }
    try writer.endSegment()
    try writer.endLine()
    try writer.end(extensions: [])
    return output.bytes
  }

  @Test func plainStructsDecodeTracks() throws {
    let bytes = try written(TrackDetails(name: Array("Morning".utf8)), times: [1_500, 61_000, nil])
    let track = try Self.decoder.decode(Track.self, from: Data(bytes))
    #expect(track.name == "Morning" && track.link.isEmpty)
    #expect(track.time == Date(timeIntervalSince1970: 1.5))
    let coords = try #require(track.segments.first?.coords)
    #expect(coords.map(\.time?.timeIntervalSince1970) == [1.5, 61, nil])
    #expect(coords.map(\.altitude) == [34, nil, nil] && track.segments.count == 1)
    #expect(Int(track.distance) != nil && track.feetClimbed == "0")
  }

  @Test func timesMayHaveNoMilliseconds() throws {
    let bytes = try written(TrackDetails(), times: [60_000])
    let text = String(decoding: bytes, as: UTF8.self).replacing(".000Z", with: "Z")
    #expect(text.contains("\"1970-01-01T00:01:00Z\""))
    let track = try Self.decoder.decode(Track.self, from: Data(text.utf8))
    #expect(track.time == Date(timeIntervalSince1970: 60))
    // A single point has no length.
    #expect(track.distance == "-" && track.link.isEmpty)
  }

  @Test func tracksWithoutPointsHaveNoLink() throws {
    let track = try Self.decoder.decode(
      Track.self, from: Data(try written(TrackDetails(), times: [])))
    #expect(track.link.isEmpty && track.time == nil)
  }
}
