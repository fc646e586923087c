import GeoCore
import GeoSystem
import GeoTree

/// Reads the sources of layers.
struct LayerLoader {
  var builder = LayerSetBuilder()
  var paths: LayerPaths
  let roots: [ScanRoot]
  private var path: [UInt8] = []

  init(_ roots: [ScanRoot], named: [ScanRoot]) {
    paths = LayerPaths(roots, named: named)
    self.roots = named
  }

  /// Adds a row, by its percent-encoded path if it has one.
  mutating func add(
    _ text: ArraySlice<UInt8>, encoded: ArraySlice<UInt8> = [], _ values: LayerTexts, line: Int,
    _ source: String
  ) throws(Failure) {
    var text = text
    if !encoded.isEmpty {
      guard let path = PercentText.decoded(encoded) else {
        throw .usage(
          "\(source), line \(line): '\(TerminalText.escaped(Array(encoded.prefix(60))))' is not "
            + "percent-encoded, as rawPath is; a column of plain paths is named path")
      }
      text = path[...]
    }
    if text.isEmpty { throw .usage("\(source), line \(line): the path is empty") }
    var path: [UInt8] = []
    swap(&path, &self.path)
    defer { swap(&path, &self.path) }
    if paths.resolve(text.span, into: &path) {
      try builder.add(path: path.span, values, line: line)
    } else {
      try builder.addForeign(path: text.span, values, line: line)
    }
  }

  mutating func place<Value>(
    of text: [UInt8], _: PathTally<Value>.Type
  ) -> PathTally<Value>.Place {
    let isForeign = !paths.resolve(text.span, into: &path)
    return PathTally.Place(path: isForeign ? text : path, isForeign: isForeign)
  }

  mutating func addTally<Value>(
    _ tally: PathTally<Value>, _ drafts: [LayerSetBuilder.Draft], _ source: String,
    _ texts: (Value) -> [String]
  ) throws(Failure) {
    try builder.begin(source, drafts)
    for (place, value) in tally.entries {
      let values = LayerTexts(texts(value).map(\.utf8))
      if place.isForeign {
        try builder.addForeign(path: place.path.span, values, line: 0)
      } else {
        try builder.add(path: place.path.span, values, line: 0)
      }
    }
  }

  mutating func read(_ request: MapLayer) throws(Failure) {
    switch request.source {
    case .owner: try add(AccountLayer(isGroup: false), "owner", request)
    case .group: try add(AccountLayer(isGroup: true), "group", request)
    case .git: break
    case .values(let values): try read(values, request)
    case .file(let path, let column): try read(path, column, request)
    }
  }

  private mutating func read(_ values: LayerValues, _ request: MapLayer) throws(Failure) {
    let name = request.name ?? ""
    if !Layer.isName(name) {
      throw .usage(
        "'\(TerminalText.escaped(Array(name.utf8)))' can't be the name of a layer: names have up to "
          + "64 letters, digits, '_' and '-'")
    }
    if request.how == .ratio {
      throw .usage("\(name) can't sum up by ratio, which needs two columns of a file")
    }
    let source = "the values of \(name)"
    try builder.begin(
      source,
      [
        LayerSetBuilder.Draft(
          name: name, summary: request.how?.summary, isWords: request.how == .word)
      ])
    var (loader, number) = (self, 0)
    try values.forEach { (path, value) throws(Failure) in
      number += 1
      try loader.add(
        path[...], try Self.text(value, source, number), line: number, source)
    }
    self = loader
  }

  private static func text(
    _ value: LayerValue, _ source: String, _ number: Int
  ) throws(Failure) -> LayerTexts {
    switch value {
    case .integer(let integer): return LayerTexts(["\(integer)".utf8])
    case .word(let word): return LayerTexts([word])
    case .number(let number):
      if let integer = Int64(exactly: number) { return LayerTexts(["\(integer)".utf8]) }
      if number.isFinite { return LayerTexts(["\(number)".utf8]) }
    }
    throw .usage("\(source), number \(number): it is not finite")
  }

  private mutating func add(
    _ layer: any DerivedLayer, _ name: String, _ request: MapLayer
  ) throws(Failure) {
    try builder.add(try request.draft(name, .share).name, layer)
  }

  private mutating func read(
    _ path: [UInt8], _ column: [UInt8]?, _ request: MapLayer
  ) throws(Failure) {
    let input = try rethrowing(
      ListInput(opening: ListSource(file: path)), as: Failure.unreadableLayer)
    let format =
      if let format = LayerFormat(of: path) { format } else { try LayerFormat(of: input) }
    if column != nil, !format.isTable {
      throw .usage("\(input.name) has no columns to choose from", option: "; give it without '#'")
    }
    input.isReadOnce = format != .lines
    switch format {
    case .csv: try readTable(input, separator: UInt8(ascii: ","), request, column)
    case .tsv: try readTable(input, separator: 0x09, request, column)
    case .lines: try readLines(input, request, column)
    case .coverage: try readCoverage(input, request)
    case .findings: try readFindings(input, request)
    case .codeowners:
      var bytes: [UInt8] = []
      while try input.block(at: Int64(bytes.count), appendingTo: &bytes) {
        if bytes.count > GitRules.largestFile {
          throw .usage("\(input.name) is longer than \(GitRules.largestFile >> 20) MiB")
        }
      }
      let layer = CodeownersLayer(bytes, bases: bases(ofRulesIn: path))
      try add(layer, "codeowners", request)
    }
  }

  /// Where the rules of a file `CODEOWNERS` begin, seen from each root.
  ///
  /// The rules are for the folder of the file, or for the one above its folders `.github`, `.gitlab`
  /// and `docs`; if that is elsewhere, for the root itself.
  private func bases(ofRulesIn file: [UInt8]) -> [[UInt8]: CodeownersLayer.Base] {
    var bases: [[UInt8]: CodeownersLayer.Base] = [:]
    var top = (try? ThisProcess.realPath(file)).flatMap(\.parentPath) ?? []
    let name = top.lastComponent
    if [".github", ".gitlab", "docs"].contains(where: { name.elementsEqual($0.utf8) }) {
      top = top.parentPath ?? []
    }
    for root in roots {
      bases[root.label] = .above([])
      if let revision = root.source as? GitRevision {
        bases[root.label] = .above(Array(revision.folder ?? []))
      } else if let folder = try? ThisProcess.realPath(root.directory) {
        if folder.isPath(atOrBelow: top) {
          bases[root.label] = .above(Array(folder.dropFirst(top.count + 1)))
        } else if top.isPath(atOrBelow: folder) {
          bases[root.label] = .below(Array(top.dropFirst(folder.count + 1)))
        }
      }
    }
    return bases
  }
}

extension LayerSet {
  /// The roots as they are read, and as the user named them if these are different: for absolute
  /// paths and repositories. A failure has the file and line.
  package static func open(
    _ requests: [MapLayer], over roots: [ScanRoot], named: [ScanRoot]? = nil
  ) throws(Failure) -> LayerSet {
    var loader = LayerLoader(roots, named: named ?? roots)
    var facts: [Int64?: Set<MapLayer.GitFact>] = [:]
    for request in requests {
      if case .git(let fact, let since) = request.source {
        facts[since, default: []].insert(fact)
      }
    }
    var git: [Int64?: GitLayers] = [:]
    for (since, facts) in facts {
      git[since] = try GitLayers(facts, of: loader.roots, since: since)
    }
    for request in requests {
      if case .git(let fact, let since) = request.source {
        try git[since]?.add(fact, request, to: &loader)
      } else {
        try loader.read(request)
      }
    }
    return try loader.builder.finish()
  }
}
