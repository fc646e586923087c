import GeoCore

/// What a list says of an entry beyond its path.
struct ListedFacts: BitwiseCopyable, Sendable, Equatable {
  /// What is known, and how surely.
  struct Flags: OptionSet, BitwiseCopyable, Sendable {
    let rawValue: UInt8

    /// The size is known.
    static let sized = Flags(rawValue: 1)
    /// The time of change is known.
    static let dated = Flags(rawValue: 2)
    /// Whoever made the list could not read the entry.
    static let unreadable = Flags(rawValue: 4)
    /// The kind isn't said: it is a folder if something is below it.
    static let unsure = Flags(rawValue: 8)
    /// A folder in which whoever made the list did not look.
    static let unlisted = Flags(rawValue: 16)
  }

  var size: Int64 = 0
  var modified: Int64 = 0
  var kind = EntryKind.regular
  var flags: Flags = []

  /// What a visitor is shown of a file.
  ///
  /// - Parameter withMetadata: Whether sizes and times are wanted.
  func entryFacts(withMetadata: Bool) -> EntryFacts {
    if flags.contains(.unreadable) { return EntryFacts(status: .unreadable, kind: kind) }
    if !withMetadata || !flags.contains(.sized) { return EntryFacts(status: .unasked, kind: kind) }
    return EntryFacts(
      size: size, modified: modified, status: flags.contains(.dated) ? .known : .sized, kind: kind)
  }
}

/// An entry as it stands in a list.
struct ListedEntry {
  /// The bytes of the path, as they are written.
  var path: [UInt8] = []
  /// How many bytes at the beginning of the path are known to be as they were when this was set to
  /// their number. Deep in an export it is nearly all of them, and nobody has to look at them again.
  var kept = 0
  var facts = ListedFacts()
  /// Which line it is, or which byte of an export, counted from 1.
  var position: UInt64 = 0
}

/// An entry that can't be used.
struct ListFault: Equatable {
  /// Which line it is, or which byte of an export, counted from 1.
  let position: UInt64
  let reason: String
}

/// What a parser came to.
enum ListStep {
  /// An entry that can be used.
  case entry
  /// Something that can't be used, which is among the faults.
  case fault
  case end
}

/// Reads the entries of a list one after the other.
protocol ListParser {
  init(_ input: ListInput, _ source: ListSource)

  /// Reads the next entry.
  ///
  /// - Parameters:
  ///   - entry: Becomes the entry, if it can be used. It has to be the one of the last time: its
  ///     memory is used again.
  ///   - faults: Gets what can't be used, also what keeps the list from ending as it should.
  mutating func next(
    into entry: inout ListedEntry, faults: inout [ListFault]
  ) throws(ListError) -> ListStep
}
