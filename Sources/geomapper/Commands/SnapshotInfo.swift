import GeoEmit
import GeoPath
import GeoSelect
import GeoSnapshot
import GeoSystem

/// `geomapper snapshot --info`: tells what a snapshot holds, and whether it is sound.
enum SnapshotInfo {
  static func run(_ file: [UInt8], _ low: LowArguments) throws(Failure) -> ExitStatus {
    if !low.operands.isEmpty {
      throw .usage("--info tells of one snapshot; give no folders with it")
    }
    let snapshot: Snapshot
    do throws(SnapshotError) {
      snapshot = try Snapshot(opening: file)
    } catch {
      throw .usage(error.description)
    }
    let progress = low.progressLine()
    progress?.begin(of: Int(clamping: snapshot.folders))
    let list = FaultList(isQuiet: low.isQuiet, progress)
    let check = snapshot.check(
      report: { list.add([Snapshot.fault(ofLost: $0)]) },
      telling: { progress?.show(Int(clamping: $0), "folder") })
    list.finish()
    try StandardOutput.print(text(of: snapshot, check))
    return check.isSound ? .success : .incomplete
  }

  /// An option of a header as it would be typed now.
  private static func modern(_ option: [UInt8]) -> [UInt8] {
    for name in ["--exclude=", "--include="] where option.starts(with: name.utf8) {
      let start = name.utf8.count
      return option[..<start] + Selection.modern(Array(option[start...]))
    }
    return option
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
    add("snapshot", TerminalText.escaped(snapshot.path))
    add("taken", CivilTime.text(unixSeconds: header.seconds))
    add("of", header.origin.words)
    for root in header.roots {
      add("root", "\(TerminalText.escaped(root.label))=\(TerminalText.escaped(root.directory))")
    }
    for option in header.options { add("option", TerminalText.escaped(modern(option))) }
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

extension SnapshotHeader.Origin {
  fileprivate var words: String {
    switch self {
    case .disk: "folders on a disk"
    case .list: "a list"
    case .git: "revisions of a git repository"
    }
  }
}

extension SnapshotKnowledge {
  fileprivate var words: [String] {
    let all: [(SnapshotKnowledge, String)] = [
      (.nanoseconds, "nanoseconds"), (.room, "room taken"), (.identity, "identity"),
      (.owner, "owners"), (.links, "links"),
    ]
    return all.filter { contains($0.0) }.map(\.1)
  }
}
