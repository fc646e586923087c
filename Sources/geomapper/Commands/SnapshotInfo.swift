import GeoCore
import GeoFormats
import GeoSources
import GeoTree

/// `geomapper snapshot --info`: shows what a snapshot contains, and whether it is intact.
enum SnapshotInfo {
  static func run(_ file: [UInt8], _ run: Run) throws(Failure) {
    let (format, _) = try run.product
    let snapshot = try wording { try Snapshot(opening: file) }
    let progress = run.progress
    progress?.begin(of: Int(clamping: snapshot.folders))
    let list = FaultList(isQuiet: run.low.isQuiet, progress)
    let check = snapshot.check(
      report: { list.add([Snapshot.fault(ofLost: $0)]) },
      progress: { progress?.show(Int(clamping: $0), "folder") })
    list.finish()
    if !check.isSound { run.add(faults: 1) }
    try run.write(as: format, json: json(of: snapshot, check), text: text(of: snapshot, check))
  }

  private static func json(of snapshot: Snapshot, _ check: SnapshotCheck) -> [UInt8] {
    let header = snapshot.header
    return JSONBuilder.line { json in
      json.member("snapshot", text: snapshot.path, raw: "rawSnapshot")
      json.member("taken", moment: header.seconds)
      json.member("of", word: header.origin.words)
      json.member("roots", objects: header.roots) { root, json in
        json.member("label", text: root.label, raw: "rawLabel")
        json.member("directory", text: root.directory, raw: "rawDirectory")
      }
      json.member("options", texts: header.options.map(KeptCondition.modern))
      json.member("knows", words: header.knowledge.words)
      json.member("folders", Int64(clamping: check.folders))
      json.member("files", Int64(clamping: check.files))
      json.member("unreadable", Int64(clamping: check.unreadable))
      json.member("leftOut", Int64(clamping: check.leftOut))
      json.member("bytes", Int64(clamping: snapshot.length))
      json.member("blocks", Int64(clamping: snapshot.blocks))
      json.member("sound", check.isSound)
      json.member("lost", Int64(clamping: check.lost))
    }
  }

  private static func text(of snapshot: Snapshot, _ check: SnapshotCheck) -> String {
    let header = snapshot.header
    var text = ""
    func add(_ term: String, _ meaning: String) {
      text += (term + String(repeating: " ", count: max(1, 10 - term.count))) + meaning + "\n"
    }
    func count(_ number: UInt64, _ thing: String) -> String {
      Quantity.count(Int(clamping: number), thing)
    }
    add("snapshot", snapshot.path.shown)
    add("taken", CivilTime.text(unixSeconds: header.seconds))
    add("of", header.origin.words)
    for root in header.roots {
      add("root", "\(root.label.shown)=\(root.directory.shown)")
    }
    var listed = 0
    for option in header.options {
      if KeptCondition(parsing: option)?.name == .only {
        listed += 1
      } else {
        add("option", TerminalText.escaped(KeptCondition.modern(option)))
      }
    }
    if listed > 0 { add("part", "by a list of " + count(UInt64(listed), "folder")) }
    if !header.knowledge.isEmpty {
      add("knows", header.knowledge.words.joined(separator: ", "))
    }
    add(
      "holds",
      count(check.folders, "folder") + ", " + count(check.files, "file") + ", "
        + "\(Int(clamping: check.unreadable).grouped) unreadable, "
        + "\(Int(clamping: check.leftOut).grouped) left out")
    add("size", Quantity.bytes(snapshot.length) + " in " + count(snapshot.blocks, "block"))
    if check.isSound {
      add("state", "sound")
    } else {
      if check.lost > 0 { add("state", "damaged: " + count(check.lost, "folder") + " lost") }
      if !check.isWhole { add("state", "the checksum of all is wrong") }
      if !check.countsFit {
        add(
          "state",
          "it says that it has " + count(snapshot.folders, "folder") + ", "
            + count(snapshot.files, "file"))
      }
    }
    return text
  }
}

extension TreeOrigin {
  fileprivate var words: String {
    switch self {
    case .disk: "folders on a disk"
    case .list: "a list"
    case .git: "revisions of a git repository"
    }
  }
}

extension FactKnowledge {
  fileprivate var words: [String] {
    let all: [(FactKnowledge, String)] = [
      (.nanoseconds, "nanoseconds"), (.room, "room taken"), (.identity, "identity"),
      (.owner, "owners"), (.links, "links"),
    ]
    return all.filter { contains($0.0) }.map(\.1)
  }
}
