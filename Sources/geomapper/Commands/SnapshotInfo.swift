import GeoFormats
import GeoCore
import GeoTree
import GeoSources
import GeoSystem

/// `geomapper snapshot --info`: tells what a snapshot holds, and whether it is sound.
enum SnapshotInfo {
  static func run(_ file: [UInt8], _ low: LowArguments) throws(Failure) -> ExitStatus {
    if !low.operands.isEmpty {
      throw .usage("--info tells of one snapshot; give no folders with it")
    }
    let format = try low.reportFormat()
    let place = try OutputPlace(low.output ?? [UInt8(ascii: "-")])
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
    try OutputFile.write(
      format == .json ? json(of: snapshot, check) : Array(text(of: snapshot, check).utf8), to: place
    )
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

  private static func json(of snapshot: Snapshot, _ check: SnapshotCheck) -> [UInt8] {
    let header = snapshot.header
    var json = JSONBuilder()
    json.object { json in
      json.member("snapshot", text: snapshot.path, raw: "rawSnapshot")
      json.member("taken", moment: header.seconds)
      json.member("of", text: Array(header.origin.words.utf8))
      json.key("roots")
      json.array { json in
        for root in header.roots {
          json.object { json in
            json.member("label", text: root.label, raw: "rawLabel")
            json.member("directory", text: root.directory, raw: "rawDirectory")
          }
        }
      }
      json.key("options")
      json.array { json in for option in header.options { json.value(text: modern(option)) } }
      json.key("knows")
      json.array { json in
        for word in header.knowledge.words { json.value(text: Array(word.utf8)) }
      }
      json.member("folders", Int64(clamping: check.folders))
      json.member("files", Int64(clamping: check.files))
      json.member("unreadable", Int64(clamping: check.unreadable))
      json.member("leftOut", Int64(clamping: check.leftOut))
      json.member("bytes", Int64(clamping: snapshot.length))
      json.member("blocks", Int64(clamping: snapshot.blocks))
      json.member("sound", check.isSound)
      json.member("lost", Int64(clamping: check.lost))
    }
    return json.bytes + [UInt8(ascii: "\n")]
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
