import GeoCore
import GeoTree

/// Why a file is excluded by its path; nil if it isn't. The folders above it are not checked.
func reason(
  _ selection: Selection, file path: [UInt8], kind: EntryKind = .regular,
  _ scope: IgnoreScope? = nil
) -> ExclusionReason? {
  let (folder, name) = split(path)
  var facts = [EntryFacts(kind: kind)]
  Selector(selection).selectFiles(
    NameTable([name], kind: kind), 0..<1, in: folder, scope: scope, facts: &facts)
  return facts[0].status == .hidden ? facts[0].leftOut : nil
}

func leavesOut(_ selection: Selection, file path: [UInt8]) -> Bool {
  reason(selection, file: path) != nil
}

func leavesOut(_ selection: Selection, file path: String) -> Bool {
  leavesOut(selection, file: Array(path.utf8))
}

/// The decision about a folder.
func verdict(
  _ selection: Selection, folder path: String, _ scope: IgnoreScope? = nil
) -> Selector.FolderVerdict {
  let (folder, name) = split(Array(path.utf8))
  var verdicts: [Selector.FolderVerdict] = []
  Selector(selection).judgeFolders(
    NameTable([name], kind: .directory), in: folder, scope: scope, into: &verdicts)
  return verdicts[0]
}

func leavesOut(_ selection: Selection, folder path: String) -> Bool {
  verdict(selection, folder: path).reason != nil
}

/// A path's folder, including the label, and its last name.
private func split(_ path: [UInt8]) -> (folder: [UInt8], name: [UInt8]) {
  let slash = UInt8(ascii: "/")
  guard let cut = path.lastIndex(of: slash) else { return (Array("r".utf8), path) }
  return (Array("r/".utf8) + path[..<cut], Array(path[(cut + 1)...]))
}
