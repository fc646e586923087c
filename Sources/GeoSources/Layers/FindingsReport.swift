import GeoCore
import GeoTree

/// The results of a SARIF report, counted by the file of their first location.
struct FindingsReport {
  /// Where a file is: a URI and the base that it is relative to.
  private struct Location: Hashable {
    var uri: [UInt8] = []
    var base: [UInt8] = []
    /// Its index among the artifacts of the run, instead of a URI.
    var index: Int?
  }

  private var bases: [[UInt8]: Location] = [:]
  private var artifacts: [Location] = []
  private var counts: [Location: Int] = [:]
  /// The results of files, by the URI, and by the absolute path of its base if it has one.
  private(set) var files: [(path: [UInt8], relative: [UInt8], count: Int)] = []

  private static let ofReport = JSONNames(["runs"])
  private static let ofRun = JSONNames(["results", "artifacts", "originalUriBaseIds"])
  private static let ofResult = JSONNames(["locations"])
  private static let ofPlace = JSONNames(["physicalLocation"])
  private static let ofPhysical = JSONNames(["artifactLocation"])
  private static let ofArtifact = JSONNames(["location"])
  private static let ofLocation = JSONNames(["uri", "uriBaseId", "index"])
  private static let deepest = 16
  private static let longest = 1 << 16

  /// Memory is needed for each file with results, and for each artifact of a run.
  init(_ input: ListInput) throws(Failure) {
    var json = JSONReader(input)
    do throws(JSONReader.Failure) {
      try json.eachMember(of: Self.ofReport) { (json, _) throws(JSONReader.Failure) in
        try json.eachElement { (json) throws(JSONReader.Failure) in try takeRun(&json) }
      }
      if try json.peekToken() != nil { throw .expected("the end of the report") }
    } catch {
      throw input.failure(error, line: json.line)
    }
  }

  private mutating func takeRun(_ json: inout JSONReader) throws(JSONReader.Failure) {
    (bases, artifacts, counts) = ([:], [], [:])
    try json.eachMember(of: Self.ofRun) { (json, member) throws(JSONReader.Failure) in
      switch member {
      case 0:
        try json.eachElement { (json) throws(JSONReader.Failure) in
          if let location = try Self.result(&json) { counts[location, default: 0] += 1 }
          if counts.count > PathTally<Int>.maximum { throw .expected("fewer files") }
        }
      case 1:
        try json.eachElement { (json) throws(JSONReader.Failure) in
          var location = Location()
          try json.eachMember(of: Self.ofArtifact) { (json, _) throws(JSONReader.Failure) in
            location = try Self.location(&json)
          }
          artifacts.append(location)
          if artifacts.count > PathTally<Int>.maximum { throw .expected("fewer artifacts") }
        }
      default: try takeBases(&json)
      }
    }
    for (location, count) in counts {
      var location = location
      if let index = location.index, location.uri.isEmpty {
        guard artifacts.indices.contains(index) else { continue }
        location = artifacts[index]
      }
      files.append((path(of: location), Self.decoded(location.uri), count))
    }
  }

  private static func result(_ json: inout JSONReader) throws(JSONReader.Failure) -> Location? {
    var found: Location?
    try json.eachMember(of: ofResult) { (json, _) throws(JSONReader.Failure) in
      var isFirst = true
      try json.eachElement { (json) throws(JSONReader.Failure) in
        if !isFirst { return try json.skipValue() }
        isFirst = false
        try json.eachMember(of: ofPlace) { (json, _) throws(JSONReader.Failure) in
          try json.eachMember(of: ofPhysical) { (json, _) throws(JSONReader.Failure) in
            found = try location(&json)
          }
        }
      }
    }
    return found.flatMap { $0.uri.isEmpty && $0.index == nil ? nil : $0 }
  }

  private static func location(_ json: inout JSONReader) throws(JSONReader.Failure) -> Location {
    var location = Location()
    try json.eachMember(of: ofLocation) { (json, member) throws(JSONReader.Failure) in
      switch (member, try json.peekToken()) {
      case (0, UInt8(ascii: "\"")?): location.uri = try uri(&json)
      case (1, UInt8(ascii: "\"")?): location.base = try uri(&json)
      case (2, (UInt8(ascii: "0")...UInt8(ascii: "9"))?):
        if case .whole(let index, isNegative: false) = try json.takeNumber() {
          location.index = Int(exactly: index)
        }
      default: try json.skipValue()
      }
    }
    return location
  }

  private static func uri(_ json: inout JSONReader) throws(JSONReader.Failure) -> [UInt8] {
    var text: [UInt8] = []
    try json.takeString(appendingTo: &text)
    if text.count > longest { throw .expected("a URI of at most \(longest) bytes") }
    return text
  }

  private mutating func takeBases(_ json: inout JSONReader) throws(JSONReader.Failure) {
    guard try json.peekToken() == UInt8(ascii: "{") else { return try json.skipValue() }
    try json.take("{")
    if try json.takeIf("}") { return }
    repeat {
      let name = try Self.uri(&json)
      try json.take(":")
      bases[name] = try Self.location(&json)
      if bases.count > TableColumns.maximum { throw .expected("fewer bases") }
    } while try json.takeIf(",")
    try json.take("}")
  }

  /// The path of a location; relative unless a base gives an absolute one.
  private func path(of location: Location) -> [UInt8] {
    var path = Self.decoded(location.uri)
    var base = location.base
    for _ in 0..<Self.deepest {
      guard path.first != .slash, !base.isEmpty, let next = bases[base] else { break }
      if !next.uri.isEmpty { path = Self.decoded(next.uri).appending(component: path) }
      base = next.base
    }
    return path
  }

  /// The path of a URI; the URI itself if it is not one of a file.
  private static func decoded(_ uri: [UInt8]) -> [UInt8] {
    var path = uri[...]
    let scheme = Array("file:".utf8)
    if uri.prefix(scheme.count).map({ $0 | 0x20 }).elementsEqual(scheme.map { $0 | 0x20 }) {
      path = path.dropFirst(scheme.count)
      // After `//` comes the name of a machine, which is mostly empty.
      if path.starts(with: [.slash, .slash]) { path = path.dropFirst(2).drop { $0 != .slash } }
    }
    return PercentText.decoded(path) ?? uri
  }
}

extension LayerLoader {
  mutating func readFindings(_ input: ListInput, _ request: MapLayer) throws(Failure) {
    let draft = try request.draft("findings", .sum)
    let report = try FindingsReport(input)
    var files = PathTally<Int>()
    for (path, relative, count) in report.files {
      // A report of another machine has bases that are not here.
      var place = place(of: path, PathTally<Int>.self)
      if place.isForeign { place = self.place(of: relative, PathTally<Int>.self) }
      let index = try files.index(of: place, input.name, adding: 0)
      files[index] += count
    }
    try addTally(files, [draft], input.name) { ["\($0)"] }
  }
}
