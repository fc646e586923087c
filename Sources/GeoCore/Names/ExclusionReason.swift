/// Why an entry is left out of a map by its name, kind or metadata, not by its coordinates.
@frozen public enum ExclusionReason: UInt8, Sendable, CaseIterable {
  /// It matches an exclude pattern, or no include pattern.
  case pattern
  /// Its name begins with a dot.
  case hidden
  /// Git ignores it.
  case gitignore
  /// It is not of a requested type.
  case type
  /// It is a file without a requested name.
  case name
  /// It is a file without a requested size, or its size could not be read.
  case size
  /// It is a file that was changed too early or at an unknown time.
  case newer
  /// It is a file that was changed too late or at an unknown time.
  case older
  /// Another part of a divided tree has it.
  case part
}

/// An entry that a source leaves out; its name is in the listing only because places depend on it.
public struct LeftOutEntry: Sendable, Hashable {
  /// Its index in the listing.
  public var index: Int
  /// Why it is left out; nil if unknown.
  public var reason: ExclusionReason?

  /// Creates an entry from its index and the reason.
  public init(index: Int, reason: ExclusionReason?) {
    self.index = index
    self.reason = reason
  }
}

/// The number of entries that were left out, by reason.
///
/// An entry counts once. If rules of the command line (patterns, hidden names, Git's rules) exclude
/// it, the last rule that matches is the reason. Otherwise it is the first of the other reasons, in
/// the order of ``ExclusionReason``. The contents of a folder that is left out are not read and
/// don't count.
package struct ExclusionCounts: Sendable, Equatable {
  /// A bit for each reason that can occur, by its raw value.
  private var asked: UInt16 = 0
  private var counts = SIMD16<Int>(repeating: 0)

  package init() {}

  package init(asking reasons: some Sequence<ExclusionReason>) {
    for reason in reasons { asked |= 1 << reason.rawValue }
  }

  package var isEmpty: Bool { counts == SIMD16(repeating: 0) }
  package var total: Int { counts.wrappedSum() }

  /// The reasons that can occur, in their order.
  package var reasons: [ExclusionReason] {
    ExclusionReason.allCases.filter { asked & 1 << $0.rawValue != 0 }
  }

  package subscript(reason: ExclusionReason) -> Int { counts[Int(reason.rawValue)] }

  package mutating func add(_ number: Int = 1, for reason: ExclusionReason) {
    asked |= 1 << reason.rawValue
    counts[Int(reason.rawValue)] += number
  }

  package static func += (total: inout Self, part: Self) {
    // A part without reasons has no counts.
    if part.asked == 0 { return }
    total.asked |= part.asked
    // Can't overflow: no tree has 2^63 entries.
    total.counts &+= part.counts
  }

  /// Counts the files that a source leaves out, as far as the reasons are known.
  package mutating func add(_ facts: [EntryFacts]) {
    for known in facts {
      if let reason = known.leftOut { add(for: reason) }
    }
  }

  /// Folders, likewise.
  package mutating func add(_ folders: [LeftOutEntry]) {
    for folder in folders { add(folder) }
  }

  package mutating func add(_ folder: LeftOutEntry) {
    if let reason = folder.reason { add(for: reason) }
  }
}
