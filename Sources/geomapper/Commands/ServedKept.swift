import GeoCore
import GeoFormats
import GeoSources
import GeoSystem
import GeoWeb
import Synchronization

/// The answer `/kept` of `geomapper serve`: the kept states of the served folders, and how folders
/// grew by them.
final class ServedKept: Sendable {
  private struct Folder {
    let label: [UInt8]
    let path: [UInt8]
  }

  private let folders: [Folder]
  private let store: KeptStore
  private let finding: KeptStates.Finding
  /// Answers by the path of the folder, each for some states.
  private let known = Mutex<[[UInt8]: (states: [KeptState], json: [UInt8])]>([:])

  private static let maximumKnown = 64
  private static let maximumRows = 100

  private init(_ folders: [Folder], _ store: KeptStore, _ finding: KeptStates.Finding) {
    (self.folders, self.store, self.finding) = (folders, store, finding)
  }

  /// Adds the answer: of live folders or their kept states; empty for other sources.
  static func add(to configuration: inout ServerConfiguration, _ low: LowArguments) {
    // Without a place for a store nothing can be kept.
    guard let store = try? low.keptStore else { return }
    var folders: [Folder] = []
    if low.readsKept {
      if let (states, label) = try? KeptStates.ofOneFolder(low) {
        folders = [Folder(label: label, path: states.folder)]
      }
    } else if !low.serve.showsHistory {
      folders = configuration.roots.filter(\.source.isLive).compactMap { root in
        (try? ThisProcess.realPath(root.directory)).map { Folder(label: root.label, path: $0) }
      }
    }
    let kept = ServedKept(folders, store, low.readsKept ? .newest : .onThisDisk)
    configuration.answers.append(ServedAnswer(path: "/kept", isSlow: true) { kept.answer(to: $0) })
  }

  private func answer(to path: [UInt8]?) -> [UInt8]? {
    guard let path else {
      // Those of several folders may be the same.
      let states = Set(folders.flatMap { self.states(at: $0.path)?.states ?? [] })
      return JSONBuilder.line { Self.put(states.sorted { $0.isEarlier(than: $1) }, to: &$0) }
    }
    // Names are taken as they are: links would lead out of the served folder.
    let names = path.split(separator: .slash, omittingEmptySubsequences: false).map { Array($0) }
    guard names.allSatisfy({ EntryName.isValid($0) }),
      let folder = folders.first(where: { $0.label == names[0] })
    else { return nil }
    let place = names.dropFirst().reduce(folder.path) { $0.appending(component: $1) }
    let states = states(at: place)
    let all = states?.states ?? []
    if let answer = known.withLock({ $0[path] }), answer.states == all { return answer.json }
    let answer = Self.json(of: path, states)
    known.withLock { known in
      if known.count >= Self.maximumKnown { known.removeAll() }
      known[path] = (all, answer)
    }
    return answer
  }

  /// The states of a folder; nil if none is kept, or the store can't be read.
  private func states(at path: [UInt8]) -> KeptStates? {
    try? KeptStates(of: path, at: path, in: store, finding)
  }

  private static func json(of path: [UInt8], _ states: KeptStates?) -> [UInt8] {
    var trends: KeptTrends?
    let label = Array(path.lastComponent)
    if let states {
      trends = try? KeptTrends(of: states, label: label, depth: 1) {
        (scan, root, _) throws(Failure) in
        try onMainThread { try await scan.run([root]) { _ in } }
      }
    }
    return JSONBuilder.line { json in
      json.member("path", text: path, raw: "rawPath")
      put(states?.states ?? [], to: &json)
      if let trends {
        // The folder itself first, whatever its growth.
        let own = trends.rows.filter { $0.path == label }
        let rows = own + trends.rows.filter { $0.path != label }
        trends.put(rows.prefix(maximumRows), below: path.dropLast(label.count), to: &json)
      } else {
        json.member("times", each: [Int64]()) { $1.value($0) }
        json.member("trends", each: [Int64]()) { $1.value($0) }
      }
    }
  }

  private static func put(_ states: [KeptState], to json: inout JSONBuilder) {
    json.member("states", objects: states) { state, json in
      json.member("time", state.seconds)
      json.member("bytes", state.bytes)
      json.member("allocated", state.allocated)
      json.member("files", state.files)
    }
  }
}
