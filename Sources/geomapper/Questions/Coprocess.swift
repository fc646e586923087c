import GeoAtlas
import GeoCore
import GeoFormats
import GeoProjection
import GeoSystem

/// Answers the questions of another program: one line for each line, until the input ends.
///
/// The members of a question decide the answer, in any command: a `path` is located, a `lon` and a
/// `lat` are looked up. The answer to an invalid or blank line is `{"error":"…"}`.
struct Coprocess: ~Copyable {
  private let plan: AtlasPlan
  private let low: LowArguments
  private var features: NodeFeatures
  private var answer = OutputBuffer(capacity: 1 << 16)

  /// Maximum length of a question, in bytes.
  private static let longestLine = 1 << 22

  static func run(_ run: Run) throws(Failure) {
    var coprocess = try Coprocess(run)
    try coprocess.answer(run)
  }

  private init(_ run: Run) throws(Failure) {
    plan = try AtlasPlan(run)
    low = run.low
    features = NodeFeatures(FeatureWriter(format: .geojsonl), engine: plan.world.engine)
  }

  private mutating func answer(_ run: Run) throws(Failure) {
    let output = try OutputFile(opening: .standardOutput)
    let obstacle = "can't read questions from standard input"
    var lines = try explaining(obstacle) {
      LineReader(try InputFile.standardInput(), limit: Self.longestLine)
    }
    // Answer all lines that arrived together, then send the answers at once.
    while let block = try explaining(obstacle, { try lines.next() }) {
      for line in block.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
        reply(to: line)
      }
      try answer.withBytes { (bytes) throws(Failure) in try output.write(bytes) }
      answer.removeAll()
    }
  }

  private mutating func reply(to line: ArraySlice<UInt8>) {
    if line.count > Self.longestLine {
      return fail("a question has \(Self.longestLine >> 20) MiB at most")
    }
    do throws(Failure) {
      let question = try Question(parsing: line)
      switch (question["path"], question["lon"], question["lat"]) {
      case (.text(let path)?, nil, nil): locate(path, question)
      case (nil, .number(let longitude)?, .number(let latitude)?):
        guard -180...180 ~= longitude, -90...90 ~= latitude else {
          return fail("no place has these degrees")
        }
        find(ExactPoint(longitude: longitude, latitude: latitude), question)
      default: fail("a question has \"path\":\"LABEL/…\", or \"lon\" and \"lat\" as numbers")
      }
    } catch {
      fail("not a question: \(error.message)")
    }
  }

  private mutating func fail(_ reason: String) {
    answer.append("{\"error\":\"")
    let text = Array(reason.utf8)
    answer.append(json: text.span)
    answer.append("\"}\n")
  }

  /// Answers a question for the place of a path; with `"feature":true` as a feature.
  private mutating func locate(_ path: [UInt8], _ question: Question) {
    let asksFeature = question["feature"] == .flag(true)
    let isFolder = question["type"] == .text(Array("d".utf8)) || path.last == .slash
    let place = MapPaths.ofMap(path, labels: plan.world.roots.map(\.label))
    let trimmed = place.last == .slash ? Array(place.dropLast()) : place
    let node =
      plan.world.engine.layout == .pinned && !low.atlas.counts
      ? plan.world.pinnedNode(at: trimmed, isFolder: isFolder || !trimmed.contains(0x2F))
      : plan.world.node(at: trimmed, asksFacts: asksFeature)
    guard let node else { return fail("there is no such path on the map") }
    if asksFeature { return features.write(node, to: &answer) }
    answer.append("{\"path\":\"")
    answer.append(json: node.path.span)
    answer.append("\"")
    append(
      id: node.id, kind: node.kind, at: node.coordinate(by: plan.world.engine), node.digits,
      minzoom: node.minzoom)
    answer.append("}\n")
  }

  private mutating func find(_ point: ExactPoint, _ question: Question) {
    var query = WhereisCommand.query(low, at: point)
    if case .number(let zoom)? = question["zoom"], 0...64 ~= zoom { query.zoom = Int(zoom) }
    if case .number(let radius)? = question["radius"], radius >= 0 { query.radius = radius }
    if case .number(let limit)? = question["limit"], 0...1e6 ~= limit { query.limit = Int(limit) }
    let found = query.answer(in: plan.world)
    answer.append("{\"folders\":[")
    for (index, way) in found.folders.enumerated() {
      guard let deepest = way.last else { continue }
      if index > 0 { answer.append(",") }
      answer.append("{\"path\":\"")
      let path = deepest.path
      answer.append(json: path.span)
      answer.append("\"")
      let place = deepest.place
      append(
        id: place.id, kind: place.kind, at: plan.world.engine.coordinate(of: place), place.digits,
        minzoom: place.minzoom)
      answer.append("}")
    }
    answer.append("],\"files\":[")
    for (index, file) in found.files.enumerated() {
      if index > 0 { answer.append(",") }
      answer.append("{\"path\":\"")
      answer.append(json: file.path.span)
      answer.append("\",\"distance\":")
      answer.append(degrees: Int64((file.distance * 1000).rounded()), digits: 3)
      append(file.place.coordinate, file.digits)
      answer.append("}")
    }
    answer.append("]}\n")
  }

  private mutating func append(
    id: UInt64, kind: NodeKind, at coordinate: Coordinate, _ digits: UInt8, minzoom: UInt8?
  ) {
    answer.append(member: "id", Int64(clamping: id))
    answer.append(member: "kind", word: kind.text)
    append(coordinate, digits)
    if let minzoom { answer.append(member: "minzoom", Int64(minzoom)) }
  }

  private mutating func append(_ coordinate: Coordinate, _ digits: UInt8) {
    answer.append(member: "lon")
    answer.append(degrees: coordinate.longitude, digits: digits)
    answer.append(member: "lat")
    answer.append(degrees: coordinate.latitude, digits: digits)
  }
}

/// Reads whole lines, all that have arrived at a time.
struct LineReader {
  private let file: InputFile
  private let limit: Int
  private var rest: [UInt8] = []
  private var isAtEnd = false

  /// - Parameter limit: Maximum length of a line in bytes.
  init(_ file: InputFile, limit: Int) {
    self.file = file
    self.limit = limit
  }

  /// Reads the next lines, without the last line end; nil at the end of the input.
  ///
  /// A line above the limit may be cut, but stays longer than the limit.
  mutating func next() throws(Errno) -> [UInt8]? {
    while !isAtEnd {
      var block: [UInt8] = []
      if try file.read(upTo: 1 << 16, appendingTo: &block) == 0 {
        isAtEnd = true
        break
      }
      guard let end = block.lastIndex(of: UInt8(ascii: "\n")) else {
        if rest.count <= limit { rest += block }
        continue
      }
      let lines = rest + block[..<end]
      rest = Array(block[(end + 1)...])
      return lines
    }
    if rest.isEmpty { return nil }
    defer { rest = [] }
    return rest
  }
}
