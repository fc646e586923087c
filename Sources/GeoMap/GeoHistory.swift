import Foundation
import GeoChange
import GeoCore
import GeoFormats
import GeoPipeline
import GeoProjection
import GeoSources
import GeoSystem
import GeoTree

/// When the files and folders of a tree existed, on one map of everything that ever did.
///
/// ```swift
/// let history = try await GeoHistory(of: URL(filePath: "ripgrep"))
/// for await event in history.events {
///   print(history.states[event.state].date, event.change.kind, event.change.path)
/// }
/// ```
///
/// Nothing moves over time: the place of a path is the same in all states.
public struct GeoHistory: Sendable {
  /// A state of the tree: a commit, a snapshot, or the present.
  public struct State: Hashable, Sendable {
    /// The time; never earlier than that of the state before.
    public let date: Date
    /// The author's name; nil if unknown.
    public let author: String?
    /// The revision's ID, in hex digits; nil if it is not a revision.
    public let revision: String?
    /// The name of a state that is not a revision.
    public let name: String?
    /// The first line of the commit message; nil if it is not a revision.
    public let subject: String?

    init(_ state: StateRecord) {
      func text(_ bytes: [UInt8]?) -> String? { bytes.map { String(decoding: $0, as: UTF8.self) } }
      date = UnixTime.date(of: state.time)
      author = text(state.author)
      revision = text(state.revision)
      name = text(state.name)
      subject = text(state.subject)
    }
  }

  /// A period in which a file or folder existed. A node that was deleted and created again has
  /// several.
  public struct Life: Hashable, Sendable {
    /// The path on the map, as bytes.
    public let rawPath: [UInt8]
    /// The place on the map.
    public let coordinate: GeoCoordinate
    /// The kind of the entry.
    public let entryKind: EntryKind
    /// The index of the first state that has the node, in ``GeoHistory/states``.
    public let start: Int
    /// The index of the first state that doesn't have it any more; nil if it still exists.
    public let end: Int?
    /// How many states changed it, including the first.
    public let changes: Int
    /// The bytes of the file in its last state, or the entries of the folder; nil if unknown.
    public let size: Int64?
    /// The path as text; invalid UTF-8 becomes U+FFFD.
    public var path: String { String(decoding: rawPath, as: UTF8.self) }

    init(_ life: LifeRecord) {
      rawPath = life.path
      coordinate = GeoCoordinate(longitude: life.longitude, latitude: life.latitude)
      entryKind = life.facts.kind
      start = life.start
      end = life.end
      changes = life.changes
      let isKnown =
        life.facts.kind == .directory
        ? life.facts.size >= 0 : life.facts.status == .known || life.facts.status == .sized
      size = isKnown ? life.facts.size : nil
    }
  }

  /// A change of a file in a state.
  public struct Event: Hashable, Sendable {
    /// The index of the state that changed the file, in ``GeoHistory/states``.
    public let state: Int
    /// What happened. The growth is known of new and moved files only, and what was removed has no
    /// size.
    public let change: GeoChange

    init(_ event: HistoryEvents.Record) {
      state = event.state
      change = GeoChange(event)
    }
  }

  /// A state to make a history of.
  public struct Input: Sendable {
    let world: GeoWorld
    let date: Date
    let name: String

    /// Makes a state.
    ///
    /// - Parameters:
    ///   - world: The folders, the snapshot or the revision.
    ///   - date: The time of the state.
    ///   - name: Its name, if any.
    public init(_ world: GeoWorld, date: Date, name: String = "") {
      self.world = world
      self.date = date
      self.name = name
    }
  }

  /// The states, in the order of their times.
  public let states: [State]
  /// How many paths can't be on a map, and were left out.
  public let leftOut: Int
  /// Only lives that meet this time and later, and events from it on; nil for no limit.
  public var since: Date?
  /// Only lives that meet this time and earlier, and events up to it; nil for no limit.
  public var until: Date?
  /// Only what is at this path or below, relative to a root; nil for everything.
  public var path: String?

  let world: HistoryWorld

  private init(_ world: HistoryWorld, leftOut: Int) {
    self.world = world
    self.leftOut = leftOut
    states = (0..<world.stateCount).map { State(world.state($0)) }
  }

  var filter: HistoryFilter {
    var filter = HistoryFilter()
    filter.since = since.map { UnixTime.seconds(of: $0) }
    filter.until = until.map { UnixTime.seconds(of: $0) }
    filter.path = path.map { Array($0.utf8) }
    return filter
  }

  /// Reads the history of a git repository along first parents, by the program `git`. Cancelling the
  /// task ends it.
  ///
  /// - Parameters:
  ///   - repository: The repository, or a folder in its work tree.
  ///   - revision: The last revision.
  ///   - label: The continent's name; nil for the repository's.
  ///   - layout: How sub-folders get their land.
  ///   - selection: Which entries are shown.
  ///   - progress: Called after each commit.
  /// - Throws: `GeoError`; `CancellationError` if the task was cancelled.
  public init(
    of repository: URL, upTo revision: String = "HEAD", label: String? = nil,
    layout: Layout = .settled, selection: Selection = Selection(),
    progress: @escaping @Sendable (GeoProgress) -> Void = { _ in }
  ) async throws {
    if !repository.isFileURL { throw MapError.notFileURL(repository.absoluteString) }
    let path = Array(repository.path(percentEncoded: false).utf8)
    let (world, refused) = try await onOwnThread { () throws -> (HistoryWorld, Int) in
      do {
        var history = try RepositoryHistory(
          Array(revision.utf8), of: path, label: label.map { Array($0.utf8) })
        history.readsSubjects = true
        let total = history.commitCount
        let parts = GeoProgress.Parts(progress)
        let made = try history.world(layout) { commits in
          parts.report(GeoProgress(part: .history, steps: commits, of: total))
        }
        parts.end()
        return made
      } catch {
        try Task.checkCancellation()
        throw error
      }
    }
    self.init(world.selecting(selection, keepsFolders: true), leftOut: refused)
  }

  /// Reads the history of several states: snapshots, revisions, or folders as they are now.
  /// Cancelling the task ends it.
  ///
  /// - Parameters:
  ///   - inputs: The states, in any order.
  ///   - layout: How sub-folders get their land.
  ///   - selection: Which entries are shown.
  ///   - progress: Called as the states are read.
  ///   - report: Called with entries that could not be read, as they are found.
  /// - Throws: `GeoError`; `CancellationError` if the task was cancelled.
  public init(
    of inputs: [Input], layout: Layout = .settled, selection: Selection = Selection(),
    progress: @escaping @Sendable (GeoProgress) -> Void = { _ in },
    report: @escaping @Sendable ([ScanFault]) -> Void = { _ in }
  ) async throws {
    let sorted = inputs.enumerated().sorted {
      ($0.element.date, $0.offset) < ($1.element.date, $1.offset)
    }.map(\.element)
    var roots: [[ScanRoot]] = []
    for input in sorted {
      try input.world.checkLookup()
      roots.append(try input.world.request().request.roots)
    }
    var history = StateHistory(
      roots, times: sorted.map { UnixTime.seconds(of: $0.date) },
      names: sorted.map { Array($0.name.utf8) })
    let parts = GeoProgress.Parts(progress)
    let pass = GeoProgress.Pass(.history, of: roots.entryCount, parts.report)
    history.scan.listener = { pass.add($0, $1) }
    let world = try await history.world(layout: layout, keepsEvents: true, report: report)
    parts.end()
    self.init(world.selecting(selection, keepsFolders: true), leftOut: 0)
  }
}

extension GeoHistory {
  /// The lives in the order of the map: a folder, its files, then its sub-folders. The sequence ends
  /// early if its task is cancelled.
  ///
  /// - Complexity: O(n) for n nodes.
  public var lives: some AsyncSequence<Life, Never> & Sendable {
    MadeSequence { [world, filter] in
      var records = LifeRecords(world, filter: filter)
      var waiting: ArraySlice<LifeRecord> = []
      return { _ in
        while !Task.isCancelled, waiting.isEmpty {
          guard let more = records.next() else { return nil }
          waiting = more[...]
        }
        return Task.isCancelled ? nil : waiting.popFirst().map { Life($0) }
      }
    }
  }

  /// The changes of files in the order of the states, and of the map in each. The sequence ends
  /// early if its task is cancelled.
  ///
  /// - Complexity: O(n log n) for n nodes and events, when the first is read.
  public var events: some AsyncSequence<Event, Never> & Sendable {
    MadeSequence { [world, filter] in
      let events = HistoryEvents(world, filter: filter, followsMoves: true)
      var index = 0
      return { _ in
        while !Task.isCancelled, index < events.count {
          defer { index += 1 }
          if let event = events.record(index) { return Event(event) }
        }
        return nil
      }
    }
  }
}
