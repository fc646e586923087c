import GeoAtlas
import GeoCore
import GeoTree
import Testing

@testable import GeoWeb

/// Parsing the conditions of a request, and errors for invalid ones.
@Suite struct MatchRequestTests {
  private func conditions(_ query: String) throws -> FileConditions {
    let text = Array("GET /matches?\(query) HTTP/1.1\r\nHost: h\r\n\r\n".utf8)
    guard case .request(let request, _) = HTTPParser.parse(text) else {
      throw Failure.usage("no request: \(query)")
    }
    return try FileConditions(request)
  }

  @Test func allConditionsAreParsed() throws {
    let found = try conditions(
      "name=*.log&type=code%7Csound,%20film%7Clink&size=%2B10M,-1G&newer=5&older=-7")
    #expect(found.sorts == [.type(.code), .type(.soundOrFilm), .link])
    #expect(found.selection.newer == 5 && found.selection.older == -7)
    #expect(found.selection.needsMetadata && found.isActive)
    // The same, with a plus sign that isn't encoded.
    let other = try conditions(
      "name=*.log&type=code%7Csound,%20film%7Clink&size=+10M,-1G&newer=5&older=-7")
    #expect(other.selection.signature == found.selection.signature)
  }

  @Test(arguments: [
    ("", "say what"), ("name=", "say what"), ("name=a%2Fb", "no '/'"), ("name=%5Bx", "lacks its"),
    ("type=word", "not one of"), ("size=big", "a sign and a number"), ("size=%2B1X", "a sign"),
    ("newer=yesterday", "Unix seconds"), ("older=1.5", "Unix seconds"),
    ("name=" + String(repeating: "x", count: 300), "up to 256"),
  ])
  func mistakesAreNamed(_ query: String, _ part: String) {
    do {
      _ = try conditions(query)
      Issue.record("\(query) is taken")
    } catch let error as Failure {
      #expect(error.message.contains(part), "\(query): \(error.message)")
    } catch {
      Issue.record("\(query): \(error)")
    }
  }
}
