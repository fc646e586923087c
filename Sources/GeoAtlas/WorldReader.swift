import GeoCore
import GeoPipeline
import GeoProjection
import GeoTree
import GeoSystem

/// Reads folders of a world, those that are not kept already. It belongs to one thread, and is best
/// used for folders that are near each other: what leads to the last one stays open.
package final class WorldReader {
  let world: World
  /// Leaves entries out; nil if nothing is to be left out.
  let selector: Selector?
  private let readers: OpenSources.Readers
  private var listing = FolderListing()

  init(_ world: World) {
    self.world = world
    selector = world.visibility.selection.map { Selector($0) }
    readers = world.sources.makeReaders()
  }

  /// A root.
  package func root(_ index: Int) -> WorldFolder {
    folder(
      at: world.roots[index].label, root: index, place: world.engine.roots[index], mark: nil,
      above: scope(aroundRoot: index))
  }

  /// What git's rules say in a root.
  func scope(aroundRoot index: Int) -> IgnoreScope? {
    index < world.visibility.scopes.count ? world.visibility.scopes[index] : nil
  }

  /// A folder of which the place is known.
  ///
  /// - Parameters:
  ///   - mark: By which its source finds it, as its parent has it.
  ///   - scope: What git's rules say above it, as its parent has it.
  ///   - keeps: Whether to keep the listing for the next time.
  func folder(
    at path: [UInt8], root: Int, place: FolderPlace, mark: UInt64?, above scope: IgnoreScope?,
    keeps: Bool = true
  ) -> WorldFolder {
    if let known = world.known(at: place), known.above === scope, known.path == path,
      world.isUnchanged(known.witness)
    {
      return known
    }
    return read(path, root, place, mark, scope, keeps: keeps)
  }

  /// A sub-folder of a folder.
  ///
  /// - Parameter index: Which one, in the order of ``WorldFolder/folders``.
  package func child(_ index: Int, of folder: WorldFolder) -> WorldFolder {
    let place = folder.places[index]
    let scope = folder.ways.scope(of: index)
    if let known = world.known(at: place), known.above === scope,
      known.isChild(index, of: folder), world.isUnchanged(known.witness)
    {
      return known
    }
    let path = folder.path(of: folder.folders.name(at: index))
    return read(path, folder.root, place, folder.ways.mark(of: index), scope, keeps: true)
  }

  private func read(
    _ path: [UInt8], _ root: Int, _ place: FolderPlace, _ mark: UInt64?, _ scope: IgnoreScope?,
    keeps: Bool
  ) -> WorldFolder {
    let reference = FolderReference.path(root: world.roots[root], path: path, mark: mark)
    let reader = readers[root]
    reader.list(reference, into: &listing)
    if listing.outcome != .listed, let failure = listing.failure {
      // What can't be listed may still have a time of change.
      reader.look(at: reference, into: &listing)
      listing.failure = failure
    }
    let left = leftOut(of: listing, at: path, scope, by: reader)
    let witness = FolderWitness(
      path: path, root: root, place: place, stamp: left.isFleeting ? nil : listing.witness,
      mark: mark,
      rules: scope != nil && listing.files.contains(GitRules.file)
        ? world.visibility.witness(ofRulesOf: path, root: root, in: world) : nil)
    let folder = WorldFolder(witness, listing, without: left, above: scope, engine: world.engine)
    if world.keepsFacts, listing.outcome == .listed {
      folder.keep(readFacts(of: folder.files, root))
    }
    world.note(folder, keeps: keeps)
    return folder
  }

  /// What all files of a folder are now; those that are gone, or left out, are `vanished`.
  package func facts(in folder: WorldFolder) -> [EntryFacts] {
    folder.facts ?? facts(of: folder.files, in: folder)
  }

  /// What some files of a folder are now; those that are gone, or left out, are `vanished`.
  package func facts(of names: NameTable, in folder: WorldFolder) -> [EntryFacts] {
    if names.isEmpty { return [] }
    guard enter(folder.witness) else {
      return names.records.map { EntryFacts(status: .unreadable, kind: $0.kind) }
    }
    return readFacts(of: names, folder.root)
  }

  /// What one of the files of a folder is now.
  func facts(ofFile index: Int, in folder: WorldFolder) -> EntryFacts? {
    if let facts = folder.facts { return facts[index] }
    var names = NameTable()
    names.append(from: folder.files, at: index)
    return facts(of: names, in: folder).first
  }

  /// What some files of the folder that the reader is in are now.
  private func readFacts(of names: NameTable, _ root: Int) -> [EntryFacts] {
    var facts = names.records.map { EntryFacts(kind: $0.kind) }
    var storage: [FileStorage] = []
    var failures: [FileSystem.Failure] = []
    readers[root].readFacts(
      of: names, 0..<names.count, into: &facts, storage: &storage, failures: &failures)
    for index in facts.indices where facts[index].status == .hidden {
      facts[index].status = .vanished
    }
    return facts
  }

  /// The number of a folder that the system can watch, as long as nothing else is read; nil if it is
  /// on no disk, or can't be opened.
  package func watchable(_ folder: FolderWitness) -> Int32? {
    enter(folder) ? readers[folder.root].openFolder : nil
  }

  private func enter(_ folder: FolderWitness) -> Bool {
    let reference = FolderReference.path(
      root: world.roots[folder.root], path: folder.path, mark: folder.mark)
    return (try? readers[folder.root].enter(reference)) != nil
  }
}
