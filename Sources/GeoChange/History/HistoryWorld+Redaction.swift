import GeoCore
import GeoPipeline
import GeoTree

extension HistoryWorld {
  /// The same history with replaced names, authors and revisions, without subjects. Places follow
  /// from the new names. Labels and the names of other states stay, as the user chooses them.
  ///
  /// - Complexity: O(n log n) for n nodes and lives.
  package func redacted(by redaction: Redaction) -> HistoryWorld {
    let redactor = NameRedactor(redaction)
    var shown = history
    shown.names = []
    func set(_ name: ArraySlice<UInt8>, of node: Int) {
      shown.nodes[node].nameStart = shown.names.count
      shown.nodes[node].nameLength = Int32(name.count)
      shown.names += name
    }
    var stack: [(node: Int, folder: NameRedactor.Folder)] = []
    for label in history.labels {
      guard let root = root(labelled: label[...]) else { continue }
      set(label[...], of: root)
      stack.append((root, NameRedactor.Folder(root: label, shown: label)))
    }
    while let (node, folder) = stack.popLast() {
      let inner = nodes(in: node).map { Int($0) }
      let (fileNodes, folderNodes) = (
        inner.filter { !history.nodes[$0].isFolder }, inner.filter { history.nodes[$0].isFolder }
      )
      let (files, folders) = redactor.redact(
        files: table(of: fileNodes, .regular), folders: table(of: folderNodes, .directory),
        of: folder)
      for (node, position) in zip(fileNodes, files.positions) {
        set(files.shown.name(at: position)[...], of: node)
      }
      for (node, position) in zip(folderNodes, folders.positions) {
        let name = folders.shown.name(at: position)
        set(name[...], of: node)
        let own = Array(history.names[history.nodes[node].name])
        stack.append((node, folder.folder(own: own, shown: name)))
      }
    }
    shown.authors = history.authors.map { redaction.word(for: $0) }
    for index in shown.states.indices {
      shown.states[index].subject = []
      let revision = history.states[index].revision
      if !revision.isEmpty { shown.states[index].revision = redaction.word(for: revision) }
    }
    return HistoryWorld(shown, engine)
  }

  private func table(of nodes: [Int], _ kind: EntryKind) -> NameTable {
    var table = NameTable()
    for node in nodes {
      table.append(history.names.span.extracting(history.nodes[node].name), kind: kind)
    }
    return table
  }
}
