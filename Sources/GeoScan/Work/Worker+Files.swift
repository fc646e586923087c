import GeoPath
import GeoSystem

extension Worker {
  /// Visits a run of files of a folder that may have been closed meanwhile.
  func visitFiles(_ names: NameTable, _ range: Range<Int>, of folder: ScannedFolder) {
    place = folder.path
    do throws(Errno) {
      try folder.handle?.withDescriptor { (descriptor) throws(Errno) in
        visitFiles(names, range, of: folder.path, plan: plan(of: folder), in: descriptor)
      }
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
      if context.questions.asksForStorage { visitor.visit([], facts: facts) }
    }
  }

  /// Visits a run of files of an open folder.
  func visitFiles(
    _ names: NameTable, _ range: Range<Int>, of path: [UInt8], plan: Plan, in directory: Int32
  ) {
    prepare(names, range, of: path, plan: plan)
    FileSystem.readFacts(
      of: names, range, in: directory, context.questions, into: &facts, storage: &storage,
      failures: &failures)
    for failure in failures { report(names.name(at: failure.index), of: path, failure.reason) }
    failures.removeAll(keepingCapacity: true)
    visitor.visit(names, range, of: path, plan: plan, facts: facts)
    if context.questions.asksForStorage { visitor.visit(storage, facts: facts) }
  }

  private func prepare(
    _ names: NameTable, _ range: Range<Int>, of path: [UInt8], plan: Plan
  ) {
    facts.removeAll(keepingCapacity: true)
    for index in range { facts.append(EntryFacts(kind: names.records[index].kind)) }
    visitor.select(names, range, of: path, plan: plan, facts: &facts)
  }

  private func report(_ name: [UInt8], of path: [UInt8], _ reason: Errno) {
    faults.append(
      ScanFault(
        path: path + [UInt8(ascii: "/")] + name,
        reason: reason == .noEntry ? .vanished : .unreadable(reason)))
  }
}
