import GeoCore
import GeoSystem

extension Worker {
  /// Visits a run of files of a folder that is kept.
  func visitFiles(_ names: NameTable, _ range: Range<Int>, of folder: ScannedFolder) {
    guard let kept = folder.kept else { return }
    place = folder.path
    let reader = readers[folder.root]
    do throws(Errno) {
      try reader.enter(.kept(kept))
      visitFiles(names, range, of: folder.path, plan: plan(of: folder), by: reader)
      reader.leave()
    } catch {
      // The folder can't be opened again: its files are known by their names alone.
      prepare(names, range, of: folder.path, plan: plan(of: folder))
      for position in facts.indices where facts[position].status != .hidden {
        let isKnown = facts[position].kind != .unknown
        if isKnown && !context.options.readsMetadata { continue }
        facts[position].status = error == .noEntry ? .vanished : .unreadable
        report(names.name(at: range.lowerBound + position), of: folder.path, error)
      }
      visitor.visit(names, range, of: folder.path, plan: plan(of: folder), facts: facts)
      if context.options.asksForStorage { visitor.visit([], facts: facts) }
    }
  }

  /// Visits a run of files of the folder that a reader is in.
  func visitFiles(
    _ names: NameTable, _ range: Range<Int>, of path: [UInt8], plan: Plan,
    by reader: any FolderReader
  ) {
    prepare(names, range, of: path, plan: plan)
    reader.readFacts(of: names, range, into: &facts, storage: &storage, failures: &failures)
    for failure in failures {
      report(names.name(at: failure.index), of: path, failure.reason, failure.words)
    }
    failures.removeAll(keepingCapacity: true)
    if let versions = reader.versions { visitor.note(versions) }
    visitor.visit(names, range, of: path, plan: plan, facts: facts)
    if context.options.asksForStorage { visitor.visit(storage, facts: facts) }
  }

  private func prepare(
    _ names: NameTable, _ range: Range<Int>, of path: [UInt8], plan: Plan
  ) {
    lookedAt.files += range.count
    facts.removeAll(keepingCapacity: true)
    for index in range { facts.append(EntryFacts(kind: names.records[index].kind)) }
    visitor.select(names, range, of: path, plan: plan, facts: &facts)
  }

  private func report(
    _ name: [UInt8], of path: [UInt8], _ reason: Errno, _ words: String? = nil
  ) {
    faults.append(
      ScanFault(
        path: path.appending(component: name),
        reason: words.map { .listed($0) } ?? (reason == .noEntry ? .vanished : .unreadable(reason))
      ))
  }
}
