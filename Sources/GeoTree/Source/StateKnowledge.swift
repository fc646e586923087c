import GeoCore
import GeoSystem

/// How exactly a source knows what is in its files.
public enum ContentKnowledge: Sendable, Hashable {
  /// By sizes and times of change, at most to the second.
  case seconds
  /// By sizes and times of change to the nanosecond.
  case nanoseconds
  /// By what names the contents.
  case objects
}

/// What names the contents of a file or folder: the mode and the object of a git repository.
@frozen public struct ObjectID: Hashable, Sendable {
  /// The first 64 bits of the object's name.
  public var high: UInt64
  /// The next 64 bits.
  public var low: UInt64
  /// The mode as git has it.
  public var mode: UInt32

  /// An object of the given name and mode.
  public init(high: UInt64, low: UInt64, mode: UInt32) {
    self.high = high
    self.low = low
    self.mode = mode
  }
}

/// What one of several states knows of a file.
@frozen public struct FileVersion: Sendable {
  /// Whether the state has it.
  public var isThere = false
  /// What is known of it, if the state has it.
  public var facts = EntryFacts()
  /// Nanoseconds of its time of change beyond the second; nil if they are not known.
  public var nanoseconds: UInt32?
  /// What names its contents; nil if that is not known.
  public var object: ObjectID?

  /// Nothing: the state doesn't have it.
  @inlinable public init() {}
}

/// What several states know of some files that follow each other.
@frozen public struct FileVersions: Sendable {
  /// How many states there are.
  public let states: Int
  @usableFromInline var versions: [FileVersion]

  /// Versions of no file.
  public init(states: Int) {
    self.states = states
    versions = []
  }

  /// How many files there are.
  public var count: Int { states == 0 ? 0 : versions.count / states }

  /// Takes all versions away, and gets ready for some files that no state has yet.
  public mutating func reset(files: Int) {
    versions.removeAll(keepingCapacity: true)
    versions.append(contentsOf: repeatElement(FileVersion(), count: files * states))
  }

  /// Says what a state knows of files that it has.
  ///
  /// - Parameters:
  ///   - facts: One for each file.
  ///   - storage: One for each, where nanoseconds of their times are known; else empty.
  ///   - objects: One for each, as far as they are known.
  ///   - positions: Which of the files each is; less than 0 for those that nobody asks for. Empty if they
  ///     are all of them.
  ///   - hidden: One for each of all files: those that are hidden are left alone.
  package mutating func tell(
    _ facts: [EntryFacts], _ storage: [FileStorage], _ objects: [ObjectID?], of state: Int,
    at positions: [Int], hiding hidden: [EntryFacts]
  ) {
    let (facts, storage, objects) = (facts.span, storage.span, objects.span)
    let states = states
    var versions = versions.mutableSpan
    for index in 0..<facts.count {
      let position = positions.isEmpty ? index : positions[index]
      if position < 0 || hidden[position].status == .hidden { continue }
      var version = FileVersion()
      version.isThere = true
      version.facts = facts[index]
      if index < storage.count { version.nanoseconds = storage[index].nanoseconds }
      if index < objects.count { version.object = objects[index] }
      versions[position * states + state] = version
    }
  }

  /// What a state knows of a file.
  @inlinable
  public subscript(file: Int, state: Int) -> FileVersion {
    get { versions[file * states + state] }
    set { versions[file * states + state] = newValue }
  }
}

/// What one of several states knows of a folder.
public struct FolderState: Sendable {
  /// Whether the state has it.
  public var isThere = false
  /// How its listing came about.
  public var outcome = FolderListing.Outcome.unlisted
  /// Why not all could be read.
  public var failure: ScanFault.Reason?
  /// What is known of the folder itself.
  public var facts: FolderFacts?
  /// How many entries its listing has; nil if there is none.
  public var entries: Int?

  /// Nothing: the state doesn't have it.
  public init() {}

  /// Whether all that is in it is known.
  public var isWhole: Bool { outcome == .listed && failure == nil }
}
