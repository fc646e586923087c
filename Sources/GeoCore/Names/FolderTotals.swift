/// All that is below a folder, each file counted once, however many names it has there.
@frozen public struct FolderTotals: BitwiseCopyable, Sendable, Hashable, Codable {
  /// Files of any kind.
  public var files: Int64
  /// Bytes of the files, as their metadata say; 2^63 − 1 if they are more, nil if some of the files come
  /// from where sizes are not known, such as a list of names.
  public var bytes: Int64?
  /// Bytes that the file system has given the files; 2^63 − 1 if they are more, nil if some of the files
  /// come from where that is not known, such as a revision of a repository.
  public var allocated: Int64?

  /// Totals of the given amounts.
  @inlinable
  public init(files: Int64, bytes: Int64?, allocated: Int64?) {
    self.files = files
    self.bytes = bytes
    self.allocated = allocated
  }
}

/// Why an entry is left out of a map, apart from where it is.
@frozen public enum ExclusionReason: UInt8, Sendable, CaseIterable {
  /// A glob of the command line excludes it, or none includes it.
  case pattern
  /// Its name begins with a dot.
  case hidden
  /// Git ignores it.
  case gitignore
  /// It is of another type than those asked for.
  case type
  /// It is a file with another name than those asked for.
  case name
  /// It is a file of another size, or its size could not be read.
  case size
  /// It is a file that was changed too early, or nobody can tell when.
  case newer
  /// It is a file that was changed too late, or nobody can tell when.
  case older
}

/// An entry of a listing that was left out before, whose name is there for its place alone.
public struct LeftOutEntry: Sendable, Hashable {
  /// Its place in the listing.
  public let index: Int
  /// Why it was left out.
  public let reason: ExclusionReason

  /// An entry of a listing, and why it was left out.
  public init(index: Int, reason: ExclusionReason) {
    self.index = index
    self.reason = reason
  }
}

/// How many entries were left out, by reason.
///
/// An entry counts once, for the first reason in the order of ``ExclusionReason`` that is not about
/// the rules of the command line, which have an order of their own. What is below a folder that is
/// left out is not read, and does not count.
public struct ExclusionCounts: Sendable, Equatable {
  /// One bit for each reason that can occur, by its raw value.
  private var asked: UInt8 = 0
  private var counts = SIMD8<Int>(repeating: 0)

  /// Nothing is left out.
  public init() {}

  /// Nothing was left out yet, but it may be, for some reasons.
  public init(asking reasons: some Sequence<ExclusionReason>) {
    for reason in reasons { asked |= 1 << reason.rawValue }
  }

  /// Whether nothing was left out.
  public var isEmpty: Bool { counts == SIMD8(repeating: 0) }

  /// How many entries were left out.
  public var total: Int { counts.wrappedSum() }

  /// The reasons that can occur, in their order.
  public var reasons: [ExclusionReason] {
    ExclusionReason.allCases.filter { asked & 1 << $0.rawValue != 0 }
  }

  /// How many entries were left out for a reason.
  public subscript(reason: ExclusionReason) -> Int { counts[Int(reason.rawValue)] }

  /// Counts entries that were left out for a reason.
  public mutating func add(_ number: Int = 1, for reason: ExclusionReason) {
    asked |= 1 << reason.rawValue
    counts[Int(reason.rawValue)] += number
  }

  /// Adds the counts of another part.
  public static func += (total: inout Self, part: Self) {
    // What was counted was asked for.
    if part.asked == 0 { return }
    total.asked |= part.asked
    // Wraps nowhere: no tree has 2^63 entries.
    total.counts &+= part.counts
  }
}
