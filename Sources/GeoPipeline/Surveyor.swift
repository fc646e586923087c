import GeoEmit
import GeoPath
import GeoProjection
import GeoScan
import GeoTier

/// Places what a scan finds, decides what of it is shown, and hands it to the output.
///
/// This is where the stages meet: scan → project → tier → emit, a listing at a time.
final class Surveyor<Output: SurveyOutput>: ScanVisitor {
  private let engine: GeoProjectionEngine
  private let filter: MapFilter
  private let output: Output
  /// The folder that the output was told of last.
  private var current: FolderPlan?

  // Memory that is used again and again.
  private var folderPlaces: [FolderPlace] = []
  private var filePlaces: [FilePlace] = []
  private var ring: [Coordinate] = []

  init(engine: GeoProjectionEngine, filter: MapFilter, output: Output) {
    self.engine = engine
    self.filter = filter
    self.output = output
  }

  func enter(
    _ visit: FolderVisit<FolderPlan>, files: NameTable, folders: NameTable
  ) -> FolderDecision<FolderPlan>? {
    let place = visit.parentPlan.folders[visit.index]
    add(visit, at: place, entries: files.count + folders.count)

    let city = engine.city(of: place, fileCount: files.count)
    let depth = visit.parentPlan.depth + 1
    let admissions = admit(folders, of: place, fileCount: files.count)
    let plan = FolderPlan(city: city, depth: depth, folders: folderPlaces)
    current = plan
    return FolderDecision(
      plan: plan, admissions: admissions, wantsFiles: filter.admits(city, depth: depth))
  }

  func pass(_ visit: FolderVisit<FolderPlan>) {
    current = nil
    add(visit, at: visit.parentPlan.folders[visit.index], entries: nil)
  }

  func select(
    _ names: NameTable, _ range: Range<Int>, of path: [UInt8], plan: FolderPlan,
    facts: inout [EntryFacts]
  ) {
    engine.placeFiles(names, range, in: plan.city, into: &filePlaces)
    guard let box = filter.box else { return }
    for index in facts.indices
    where !box.meets(filePlaces[index].coordinate, digits: plan.city.digits) {
      facts[index].status = .hidden
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
    output.addFiles(
      names, range, places: filePlaces, facts: facts, city: plan.city, depth: plan.depth)
  }

  var weight: Int { output.weight }

  func takeContent() -> Output.Content { output.takeContent() }

  /// Hands a folder to the output, if it is shown.
  private func add(_ visit: FolderVisit<FolderPlan>, at place: FolderPlace, entries: Int?) {
    output.enterFolder(visit.path)
    let coordinate = engine.coordinate(of: place)
    guard filter.shows(place, at: coordinate) else { return }
    engine.coastline(of: place, into: &ring)
    output.addFolder(
      FolderFeature(
        place: place, coordinate: coordinate, entries: entries, modified: visit.modified,
        isUnreadable: visit.isUnreadable),
      ring: ring)
  }

  /// Places all sub-folders, and keeps the places of those that are not hidden.
  private func admit(
    _ folders: NameTable, of parent: FolderPlace, fileCount: Int
  ) -> [Admission] {
    engine.placeFolders(folders, in: parent, fileCount: fileCount, into: &folderPlaces)
    guard filter.isActive else { return [Admission](repeating: .entered, count: folders.count) }
    let all = folderPlaces
    folderPlaces.removeAll(keepingCapacity: true)
    return all.map { place in
      let admission = Admission(filter.verdict(on: place, by: engine, ring: &ring))
      if admission != .hidden { folderPlaces.append(place) }
      return admission
    }
  }
}

extension Admission {
  /// What a filter's verdict means for a scan.
  init(_ verdict: MapFilter.Verdict) {
    switch verdict {
    case .hidden: self = .hidden
    case .shown: self = .shown
    case .entered: self = .entered
    }
  }
}
