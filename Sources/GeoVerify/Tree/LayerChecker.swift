import GeoCore
import GeoFormats

/// Checks the values of layers: how they are written, and what folders say by what is below them.
///
/// A table can give a folder a value of its own, which the map doesn't mark. So a sum, maximum
/// or minimum that differs from the values below is counted only. A mean, ratio or share has to be
/// right unless it is of one value, as a folder's own is.
struct LayerChecker {
  /// Nil if unknown: then only the form of their members is checked.
  private let layers: [Layer]?
  private let columns: [LayerColumn]
  private let words = LayerWords()
  private var frames: [Frame] = []

  /// The values of a layer below a folder.
  fileprivate struct Sum {
    /// Of `sum` those of sub-folders with their own.
    var cell = LayerCell.none
    var whole: LayerCell? = LayerCell.none
    var words = WordSums()
    /// Whether different words may look the same.
    var isBlurred = false
  }

  /// What is known of a folder around the current node.
  fileprivate struct Frame {
    var sums: [Sum]
    var stated: [String: LayerMember] = [:]
    var line = 0
    var isWhole = true
  }

  init(_ layers: [Layer]?) {
    self.layers = layers
    columns = LayerColumn.all(of: layers ?? [])
  }

  private var isNeeded: Bool { layers?.isEmpty != true }

  mutating func enter() {
    if isNeeded { frames.append(Frame(sums: (layers ?? []).map { _ in Sum() })) }
  }

  mutating func check(
    _ feature: FeatureLine, _ line: [UInt8], number: Int, _ counts: inout VerifiedCounts
  ) throws(MapFault) {
    if !isNeeded { return }
    func fault(_ member: LayerMember, _ what: String) -> MapFault {
      MapFault(
        line: number, path: feature.path, what: "its member \(member.name) \(what)",
        found: Array(line[member.text]))
    }
    var next = 0
    var seen: Set<String> = []
    for member in feature.layers {
      if !seen.insert(member.name).inserted { throw fault(member, "is there twice") }
      if !member.isWritten(as: line[member.text]) {
        throw fault(member, "is not in geomapper's form")
      }
      if layers == nil { continue }
      guard let place = columns[next...].firstIndex(where: { $0.name == member.name }) else {
        throw fault(member, "is not in the order of the header")
      }
      next = place + 1
      if !columns[place].admits(member.value, isFolder: feature.isFolder) {
        throw fault(member, "can't have this value")
      }
    }
    guard let layers, let top = frames.indices.last else { return }
    if feature.isFolder {
      for member in feature.layers { frames[top].stated[member.name] = member }
      frames[top].line = number
      return
    }
    for member in feature.layers {
      guard let layer = layers.firstIndex(where: { $0.name == member.name }) else { continue }
      switch member.value {
      case .number(let number, let whole):
        frames[top].sums[layer].add(number, whole, layers[layer])
      case .word(let word):
        guard let number = words.number(of: word),
          !String(decoding: word, as: UTF8.self).unicodeScalars.contains("\u{FFFD}")
        else {
          frames[top].sums[layer].isBlurred = true
          continue
        }
        frames[top].sums[layer].words.add(number, files: 1, bytes: feature.size ?? -1)
      }
    }
  }

  mutating func leave(
    _ node: FolderNode, path: () -> [UInt8], _ counts: inout VerifiedCounts
  ) throws(MapFault) {
    guard isNeeded, let layers, var frame = frames.popLast() else { return }
    // A filter may keep a folder from being listed, and so does a fault or a loop.
    let isEmpty = node.entries < 0 && (node.isUnreadable || node.isLoop)
    frame.isWhole = frame.isWhole && node.isWritten && (node.isComplete || isEmpty)
    for (index, layer) in layers.enumerated() {
      let stated = frame.stated[layer.name]
      let sum = frame.sums[index]
      if !frame.isWhole || sum.isBlurred || sum.words.hasUnknown {
        if stated != nil { counts.uncheckedLayerValues += 1 }
      } else if let right = try isRight(layer, sum, frame, path) {
        if right { counts.layerSums += 1 } else { counts.ownLayerValues += 1 }
      }
    }
    guard let above = frames.indices.last else { return }
    frames[above].add(frame, layers)
  }

  /// Nil if the folder has no value, rightly.
  private func isRight(
    _ layer: Layer, _ sum: Sum, _ frame: Frame, _ path: () -> [UInt8]
  ) throws(MapFault) -> Bool? {
    let cell = layer.kind == .word ? sum.words.cell(words) : sum.cell
    guard let stated = frame.stated[layer.name] else {
      if !cell.isThere || layer.summary == .ratio { return nil }
      throw MapFault(
        line: frame.line, path: path(),
        what: "it has no value of \(layer.name), and files below it have")
    }
    let more = layer.folderMember.flatMap { frame.stated[$0] }
    if cell.isThere {
      let isSame: Bool
      switch (stated.value, layer.summary) {
      case (.word(let word), _): isSame = word == words[cell.word]
      case (.number, .ratio): isSame = true
      case (.number(let number, let whole), _):
        isSame =
          number == layer.number(of: cell) || whole != nil && whole == sum.whole?.integer
      }
      if isSame, layer.folderMember == nil || more?.number == cell.detail(of: layer) {
        return true
      }
    }
    guard layer.folderMember == nil || more?.number == 1 else {
      throw MapFault(
        line: frame.line, path: path(),
        what: "its value of \(layer.name) is not that of the files below it")
    }
    return false
  }
}

extension LayerChecker.Sum {
  fileprivate mutating func add(_ number: Double, _ whole: Int64?, _ layer: Layer) {
    cell.add(LayerCell(number: number), of: layer)
    let integers = Layer(name: layer.name, summary: layer.summary, isWhole: true)
    if whole == nil { self.whole = nil }
    if let whole, integers.kind == .integer {
      self.whole?.add(LayerCell(integer: whole), of: integers)
    }
  }
}

extension LayerChecker.Frame {
  fileprivate mutating func add(_ folder: LayerChecker.Frame, _ layers: [Layer]) {
    isWhole = isWhole && folder.isWhole
    for (index, layer) in layers.enumerated() {
      let sum = folder.sums[index]
      sums[index].isBlurred = sums[index].isBlurred || sum.isBlurred
      switch (layer.summary, folder.stated[layer.name]?.value) {
      case (.share, _): sums[index].words.add(sum.words)
      case (.sum, .number(let number, let whole)): sums[index].add(number, whole, layer)
      case (.sum, _): break
      default:
        sums[index].cell.add(sum.cell, of: layer)
        sums[index].whole = nil
      }
    }
  }
}

extension LayerColumn {
  fileprivate func admits(_ value: LayerMember.Value, isFolder: Bool) -> Bool {
    switch (content, value) {
    case (.value, .word): kind == .word
    case (.value, .number): kind != .word
    case (.share, .number(let share, _)): isFolder && (0...1).contains(share)
    case (.count, .number(_, let count)): isFolder && count.map { $0 > 0 } ?? false
    case (.share, .word), (.count, .word): false
    }
  }
}

extension LayerMember {
  fileprivate var number: Double? {
    if case .number(let number, _) = value { number } else { nil }
  }
}

extension LayerCell {
  fileprivate func detail(of layer: Layer) -> Double {
    layer.kind == .word ? (share * 10_000).rounded() / 10_000 : Double(count)
  }
}
