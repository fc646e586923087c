import GeoCore
import GeoFormats
import GeoProjection
import GeoSystem
import GeoTree

/// Places the entries of a scan, decides which are shown, and passes them to the output.
///
/// The stages meet here: scan → project → tier → emit, one listing at a time.
final class MapVisitor<Output: MapOutput>: ScanVisitor {
  private let engine: GeoProjectionEngine
  private let filter: MapFilter
  let output: Output
  /// Leaves entries out; nil if the selection is empty.
  private let selector: Selector?
  private let showsFolders: Bool
  private let needsMetadata: Bool
  /// The totals of all folders; nil if not requested.
  private let totals: TreeTotals?
  /// Reads git's rules; nil unless the selection uses them.
  let git: GitRules?
  /// git's rules in the roots.
  let scopes: [IgnoreScope]
  /// The folder that the output has entered.
  private var current: FolderPlan?

  // Buffers that are reused.
  private var folderPlaces: [FolderPlace] = []
  private var filePlaces: [FilePlace] = []
  private var frames = FileFrames()
  private var ring: [Coordinate] = []
  private var cell: [Coordinate] = []
  private var verdicts: [Selector.FolderVerdict] = []

  init(
    engine: GeoProjectionEngine, filter: MapFilter, selection: Selection, git: GitRules?,
    scopes: [IgnoreScope], totals: TreeTotals?, output: Output
  ) {
    self.engine = engine
    self.filter = filter
    self.output = output
    self.git = git
    self.scopes = scopes
    self.totals = totals
    selector = selection.isActive ? Selector(selection) : nil
    showsFolders = selection.showsFolders
    needsMetadata = selection.needsMetadata
  }

  func enter(
    _ visit: FolderVisit<FolderPlan>, files: NameTable, folders: NameTable
  ) -> FolderDecision<FolderPlan>? {
    let place = visit.parentPlan.folders[visit.index]
    add(visit, at: place, entries: visit.fileCount + folders.count)

    let city = engine.placeFolders(
      folders, in: place, fileCount: visit.fileCount, into: &folderPlaces)
    let tints = output.takesCells ? engine.tints(of: folderPlaces, in: place) : []
    let depth = Int(place.depth) + 1
    var faults: [ScanFault] = []
    let scope = git == nil ? nil : scope(of: visit, files: files, folders: folders, &faults)
    let (decisions, ignored) = admit(folders, of: visit, scope: scope)
    let towns =
      output.takesCells ? engine.towns(of: city, in: place, fileCount: visit.fileCount) : []
    let plan = FolderPlan(
      city: city, depth: depth, folders: folderPlaces,
      tints: zip(tints, decisions).compactMap { $1 == .hidden ? nil : $0 }, scope: scope,
      ignored: ignored, numbers: numbers(of: folders, in: visit, decisions), towns: towns)
    current = plan
    var decision = FolderDecision(
      plan: plan, decisions: decisions, wantsFiles: filter.admits(city, depth: depth))
    if decision.wantsFiles { count(visit.filesLeftOut, of: files, in: plan.city) }
    decision.faults = faults
    return decision
  }

  /// Counts entries that the source has left out, if they would be in the box.
  private func count(_ leftOut: [LeftOutEntry], of files: NameTable, in city: City) {
    if leftOut.isEmpty { return }
    var counts = ExclusionCounts()
    var names = NameTable()
    if filter.box != nil {
      for entry in leftOut { names.append(from: files, at: entry.index) }
      engine.placeFiles(names, 0..<names.count, in: city, &frames, into: &filePlaces)
    }
    for (number, entry) in leftOut.enumerated() {
      if let box = filter.box, !box.meets(filePlaces[number].coordinate, digits: city.digits) {
        continue
      }
      counts.add(for: entry.reason)
    }
    output.leaveOut(counts)
  }

  func pass(_ visit: FolderVisit<FolderPlan>) {
    current = nil
    add(visit, at: visit.parentPlan.folders[visit.index], entries: nil)
  }

  func select(
    _ names: NameTable, _ range: Range<Int>, of path: [UInt8], plan: FolderPlan,
    facts: inout [EntryFacts]
  ) {
    engine.placeFiles(names, range, in: plan.city, &frames, into: &filePlaces)
    if let box = filter.box {
      for index in facts.indices
      where !box.meets(filePlaces[index].coordinate, digits: plan.city.digits) {
        facts[index].status = .hidden
      }
    }
    if let selector {
      var counts = ExclusionCounts()
      selector.selectFiles(
        names, range, in: path, scope: plan.scope, facts: &facts, counts: &counts)
      output.leaveOut(counts)
    }
  }

  func visit(
    _ names: NameTable, _ range: Range<Int>, of path: [UInt8], plan: FolderPlan,
    facts: [EntryFacts]
  ) {
    if current !== plan {
      current = plan
      output.enterFolder(path)
    }
    var facts = facts
    if let selector, needsMetadata {
      var counts = ExclusionCounts()
      selector.selectByMetadata(&facts, counts: &counts)
      output.leaveOut(counts)
    }
    output.addFiles(
      names, range, places: filePlaces, facts: facts, plan)
  }

  var weight: Int { output.weight }

  func takeContent() -> Output.Content { output.takeContent() }

  /// Passes a folder to the output if it is shown.
  private func add(_ visit: FolderVisit<FolderPlan>, at place: FolderPlace, entries: Int?) {
    output.enterFolder(visit.path)
    let coordinate = engine.coordinate(of: place)
    guard filter.shows(place, at: coordinate) else { return }
    if !showsFolders {
      var counts = ExclusionCounts()
      counts.add(for: .type)
      return output.leaveOut(counts)
    }
    engine.coastline(of: place, into: &ring)
    if output.takesCells, place.depth > 0 { engine.cellOutline(of: place, into: &cell) }
    var feature = FolderFeature(
      place: place, coordinate: coordinate, entries: entries, modified: visit.modified,
      isUnreadable: visit.isUnreadable)
    feature.isLoop = visit.isLoop
    if place.depth > 0 { feature.cell = cell }
    if output.takesCells { feature.tint = visit.parentPlan.tints[visit.index] }
    if let totals { feature.totals = totals[visit.parentPlan.numbers[visit.index]] }
    output.addFolder(feature, ring: ring)
  }

  /// The numbers in the totals of the sub-folders that are not hidden.
  private func numbers(
    of folders: NameTable, in visit: FolderVisit<FolderPlan>, _ decisions: [TraversalDecision]
  ) -> [Int] {
    guard let totals else { return [] }
    let all = totals.numbers(of: folders, in: visit.parentPlan.numbers[visit.index])
    return zip(all, decisions).compactMap { $1 == .hidden ? nil : $0 }
  }

  /// Keeps the places of the sub-folders that are not hidden.
  ///
  /// - Returns: The decision for each sub-folder, and the indices of kept ones that git ignores.
  private func admit(
    _ folders: NameTable, of visit: FolderVisit<FolderPlan>, scope: IgnoreScope?
  ) -> (decisions: [TraversalDecision], ignored: [Int]) {
    guard filter.isActive || selector != nil || !visit.leftOut.isEmpty else {
      return ([TraversalDecision](repeating: .entered, count: folders.count), [])
    }
    verdicts.removeAll(keepingCapacity: true)
    selector?.judgeFolders(folders, in: visit.path, scope: scope, into: &verdicts)
    let all = folderPlaces
    folderPlaces.removeAll(keepingCapacity: true)
    var counts = ExclusionCounts()
    var ignored: [Int] = []
    var leftOut = visit.leftOut[...]
    let decisions = all.enumerated().map { (index, place) in
      let number = leftOut.startIndex
      let isLeftOut = leftOut.first == index
      if isLeftOut { leftOut.removeFirst() }
      let decision =
        filter.isActive
        ? TraversalDecision(filter.verdict(on: place, by: engine, ring: &ring)) : .entered
      if decision == .hidden { return TraversalDecision.hidden }
      if isLeftOut {
        if number < visit.leftOutReasons.count { counts.add(for: visit.leftOutReasons[number]) }
        return .hidden
      }
      if !verdicts.isEmpty {
        if let reason = verdicts[index].reason {
          counts.add(for: reason)
          return .hidden
        }
        if verdicts[index].isIgnored { ignored.append(folderPlaces.count) }
      }
      folderPlaces.append(place)
      return decision
    }
    if !counts.isEmpty { output.leaveOut(counts) }
    return (decisions, ignored)
  }
}

extension TraversalDecision {
  /// The traversal decision for a filter's verdict.
  init(_ verdict: MapFilter.Verdict) {
    switch verdict {
    case .hidden: self = .hidden
    case .shown: self = .shown
    case .entered: self = .entered
    }
  }
}

extension MapVisitor {
  /// git's rules in a listed folder, with those of its own files.
  func scope(
    of visit: FolderVisit<FolderPlan>, files: NameTable, folders: NameTable,
    _ faults: inout [ScanFault]
  ) -> IgnoreScope? {
    guard let git else { return nil }
    let parent = visit.parentPlan
    guard var scope = parent.scope ?? (visit.index < scopes.count ? scopes[visit.index] : nil)
    else { return nil }
    if parent.ignored.contains(visit.index) { scope = scope.ignored }
    return git.scope(scope, of: visit, files: files, folders: folders, &faults)
  }
}

extension GitRules {
  /// git's rules in a listed folder, with those of its own files.
  ///
  /// - Parameter scope: The rules of the folder above.
  package func scope<Plan>(
    _ scope: IgnoreScope, of visit: FolderVisit<Plan>, files: NameTable, folders: NameTable,
    _ faults: inout [ScanFault]
  ) -> IgnoreScope {
    self.scope(
      scope, inside: visit.path,
      hasGit: files.contains(Self.folder) || folders.contains(Self.folder),
      hasRules: files.contains(Self.file)
    ) { (path, following) throws(Errno) in
      do throws(Errno) {
        return try visit.readFile(path, following: following, limit: Self.largestFile)
      } catch {
        // Files in `.git` may be unreadable.
        if !following {
          faults.append(
            ScanFault(path: visit.path.appending(component: path), reason: .unreadable(error)))
        }
        throw error
      }
    }
  }
}
