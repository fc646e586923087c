import GeoChange
import GeoCore
import GeoFormats
import GeoSources
import GeoSystem
import GeoTree

/// What changed since the last kept state, in one line or as JSON.
struct KeptLine {
  private let state: KeptState
  private let last: KeptState?
  private let summary: ChangeSummary?
  private let growth: Int64?
  private let measure: SizeMeasure
  private let wanted: SizeMeasure?

  /// The measure of the first state is `wanted`; nil for room on disk if it is known.
  init(
    _ state: KeptState, since last: KeptState?, _ changes: ChangeTree?, by wanted: SizeMeasure?
  ) {
    self.wanted = wanted
    (self.state, self.last) = (state, last)
    summary = changes.map { ChangeSummary($0, top: 0) }
    growth = changes?.totalGrowth
    measure = changes?.measure ?? .allocated
  }

  private static func size(of state: KeptState, _ wanted: SizeMeasure?) -> String {
    let measure = wanted ?? (state.allocated > 0 || state.bytes == 0 ? .allocated : .bytes)
    let bytes = measure == .allocated ? state.allocated : state.bytes
    return Quantity.bytes(Int(clamping: bytes)) + " " + measure.words
  }

  private var amounts: [(word: String, amount: ChangeSummary.Amount)] {
    guard let summary else { return [] }
    return [
      ("added", summary.added), ("removed", summary.removed), ("changed", summary.changed),
      ("moved", summary.moved),
    ]
  }

  var text: String {
    let labels = state.roots.map { $0.label.shown }.joined(separator: ", ")
    let head = "\(state.timeText)  \(labels): "
    let suffix = state.isIncomplete ? " (incomplete)" : ""
    guard let last, summary != nil else {
      return head + "first state, " + Quantity.count(Int(clamping: state.files), "file") + ", "
        + Quantity.count(Int(clamping: state.folders), "folder") + ", "
        + Self.size(of: state, wanted) + suffix + "\n"
    }
    var parts = amounts.filter { $0.amount.files + $0.amount.folders > 0 }.map {
      "\(($0.amount.files + $0.amount.folders).grouped) \($0.word)"
    }
    if parts.isEmpty {
      parts = ["nothing changed"]
    } else if let growth {
      let size = Quantity.bytes(Int(clamping: growth.magnitude))
      parts.append((growth < 0 ? "-" : "+") + size + " " + measure.words)
    }
    return head + parts.joined(separator: ", ") + " since \(last.timeText)" + suffix + "\n"
  }

  var json: [UInt8] {
    return JSONBuilder.line { json in
      json.key("kept")
      json.value(of: state, named: state.timeText)
      if let last, summary != nil {
        json.member("since", moment: last.seconds)
        for (word, amount) in amounts {
          json.member(word) { json in
            json.member("files", Int64(amount.files))
            json.member("folders", Int64(amount.folders))
            json.member("bytes", amount.bytes)
          }
        }
        json.member("bytes", growth)
        json.member("measure", word: measure.name)
      }
    }
  }
}

/// `geomapper keep --list`: the states of a store, or those of some folders.
struct KeptList {
  /// Oldest first.
  private let states: [KeptState]
  private let damaged: Set<[UInt8]>
  private let times: KeptTimes

  static func run(_ store: KeptStore, _ format: FileFormat, _ run: Run) throws(Failure) {
    var folders: [[UInt8]] = []
    for operand in run.low.operands {
      let path = try wording { try Operand(operand) }.path
      folders.append(try KeptStates.realPath(path, mayBeMissing: true))
    }
    var contents = try wording { try store.checkedContents() }
    let machine = ThisMachine.identity
    func isWanted(_ state: KeptState) -> Bool {
      // It may be of any folder if nothing is known of it.
      folders.isEmpty || state.roots.isEmpty
        || state.machine == machine && folders.contains { state.place(of: $0) != nil }
    }
    contents.states.removeAll { !isWanted($0) }
    contents.damaged.removeAll { !isWanted($0.state) }
    report(contents.damaged, run)
    let list = KeptList(contents)
    try run.write(as: format, json: list.json, text: list.text)
  }

  static func report(_ damaged: [KeptDamage], _ run: Run) {
    for damage in damaged {
      let file = damage.file.quoted
      let time = KeptTimes.exactText(of: damage.state)
      let reason = damage.isOfOther ? "can't be opened without" : "is damaged:"
      let state = damage.isMissing ? "is missing" : "was changed"
      Messages.note(
        "the kept state of \(time) \(reason) \(file)"
          + (damage.isOfOther ? ", which \(state)" : " \(state)")
          + "; '\(Tool.name) keep --drop \(time)' removes it")
    }
    run.add(faults: damaged.count)
  }

  private init(_ contents: KeptStore.Contents) {
    states = (contents.states + contents.damaged.map(\.state)).sorted { $0.isEarlier(than: $1) }
    damaged = Set(contents.damaged.map(\.state.id))
    times = KeptTimes(states)
  }

  private var text: String {
    if states.isEmpty { return "no kept states\n" }
    let here = ThisMachine.identity
    let rows = states.map { state in
      [
        times.text(of: state), Quantity.bytes(Int(clamping: state.bytes)),
        Quantity.bytes(Int(clamping: state.room)), what(state, here),
      ]
    }
    let room = states.reduce(0) { $0 + $1.room }
    return TextTable.text(["time", "size", "room", "folders"], rows, leftAligned: [0])
      + Quantity.count(states.count, "state") + ", "
      + (damaged.isEmpty ? "" : "\(damaged.count.grouped) damaged, ")
      + Quantity.bytes(Int(clamping: room)) + " in the store\n"
  }

  private func what(_ state: KeptState, _ here: [UInt8]) -> String {
    var words = state.roots.map { $0.directory.shown }
    if !state.conditions.isEmpty { words.append(state.selectionText) }
    if state.isIncomplete { words.append("(incomplete)") }
    if damaged.contains(state.id) { words.append("(damaged)") }
    let machine = state.machine == here || state.roots.isEmpty ? "" : state.machineName.shown + ":"
    return machine + words.joined(separator: " ")
  }

  private var json: [UInt8] {
    return JSONBuilder.line { json in
      json.member("states", each: states) { state, json in
        json.value(of: state, named: times.text(of: state), isDamaged: damaged.contains(state.id))
      }
      json.member("room", states.reduce(0) { $0 + $1.room })
    }
  }
}

/// `geomapper keep --drop`: removes states.
enum KeptRemoval {
  static func run(_ store: KeptStore, _ format: FileFormat, _ run: Run) throws(Failure) {
    let contents = try wording { try store.contents() }
    let states = contents.states + contents.damaged.map(\.state)
    let times = KeptTimes(states)
    var found: [KeptState] = []
    for operand in run.low.operands {
      let state = try times.state(named: operand, among: states)
      if !found.contains(state) { found.append(state) }
    }
    if !run.low.keep.isDry {
      try wording { [found] in try store.locked().remove(found) }
    }
    let word = run.low.keep.isDry ? "would remove" : "removed"
    let lines = found.map { state in
      let folders = state.roots.map { $0.directory.shown }.joined(separator: " ")
      return "\(word) \(times.text(of: state))  \(folders)\n"
    }
    try run.write(as: format, json: json(found, times), text: lines.joined())
  }

  private static func json(_ states: [KeptState], _ times: KeptTimes) -> [UInt8] {
    return JSONBuilder.line { json in
      json.member("removed", each: states) { state, json in
        json.value(of: state, named: times.text(of: state))
      }
    }
  }
}

/// The times of states as texts: to the second, and to the nanosecond for those that share one.
struct KeptTimes {
  private var counts: [Int64: Int] = [:]

  init(_ states: [KeptState]) {
    for state in states { counts[state.seconds, default: 0] += 1 }
  }

  func text(of state: KeptState) -> String {
    counts[state.seconds, default: 0] < 2 ? state.timeText : Self.exactText(of: state)
  }

  static func exactText(of state: KeptState) -> String {
    let text = state.timeText
    let digits = String(state.nanoseconds)
    return text.dropLast() + "." + rightAligned(digits, 9, "0") + "Z"
  }
}

extension KeptTimes {
  func state(named text: [UInt8], among states: [KeptState]) throws(Failure) -> KeptState {
    let shown = text.shown
    // The exact time also fits once the others of its second are gone.
    let found = states.filter {
      self.text(of: $0).utf8.elementsEqual(text) || Self.exactText(of: $0).utf8.elementsEqual(text)
    }
    if found.count == 1 { return found[0] }
    var reason = "no state has the time '\(shown)'; '\(Tool.name) keep --list' shows all"
    if found.count > 1 {
      reason = "several states have the time '\(shown)'; none was removed"
    } else if states.contains(where: { $0.timeText.utf8.elementsEqual(text) }) {
      reason =
        "several states are of '\(shown)'; give the time with its fraction, as "
        + "'\(Tool.name) keep --list' prints it"
    }
    throw .usage(reason)
  }
}

extension JSONBuilder {
  fileprivate mutating func value(
    of state: KeptState, named time: String, isDamaged: Bool = false
  ) {
    object { json in
      json.member("time", word: time)
      if isDamaged { json.member("damaged", true) }
      json.member("machine", text: state.machineName, raw: "rawMachine")
      json.member("here", state.machine == ThisMachine.identity)
      json.member("roots", objects: state.roots) { root, json in
        json.member("label", text: root.label, raw: "rawLabel")
        json.member("directory", text: root.directory, raw: "rawDirectory")
        json.member("fileSystem", text: root.fileSystem, raw: "rawFileSystem")
        if let free = root.free { json.member("free", free) }
      }
      json.member("options", texts: state.conditions.map(KeptCondition.modern))
      json.member("incomplete", state.isIncomplete)
      json.member("files", state.files)
      json.member("folders", state.folders)
      json.member("bytes", state.bytes)
      json.member("allocated", state.allocated)
      json.member("room", state.room)
    }
  }
}
