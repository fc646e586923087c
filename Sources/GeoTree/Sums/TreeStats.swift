import GeoCore

/// What a tree consists of.
public struct TreeStats: Sendable {
  /// What is added up of entries.
  public struct Sums: Sendable, Hashable {
    /// Folders, the one that the sums are about included.
    public var folders = 0
    /// Entries that are no folders, each as often as it has names.
    public var files = 0
    /// Bytes of files, each counted once however many names it has; 2^63 − 1 if they are more, nil if
    /// some of them come from where sizes are not known.
    public var bytes: Int64? = 0
    /// Bytes that the file system has given them, each counted once; 2^63 − 1 if they are more, nil if
    /// some of them come from where that is not known.
    public var allocated: Int64? = 0
    /// Unix time of the last change of any file; nil if none is known.
    public var newest: Int64?

    /// Of nothing.
    package static let none = Sums()
  }

  // MARK: Parts

  /// A file or a folder that stands out.
  public struct Entry: Sendable, Hashable {
    /// The root's label and names, joined by `/`.
    public var path: [UInt8]
    /// Bytes, Unix seconds or entries, whatever it stands out by.
    public var value: Int64
  }

  /// A folder, and what is in it.
  public struct Region: Sendable, Hashable {
    /// The root's label and names, joined by `/`.
    public var path: [UInt8]
    /// All that is below it, as if there were no other folder.
    public var sums: Sums
    /// The folder and its own files; if its sub-folders are no regions, what is below them, too.
    public var own: Sums
  }

  /// How long ago files were changed.
  public enum Age: Int, Sendable, CaseIterable {
    case future, day, week, month, year, fiveYears, older, unknown

    /// The age, at a moment, of what was changed at another, both in Unix seconds of any value.
    public init(at now: Int64, modified: Int64) {
      // File systems can claim times so far away that the difference has no room.
      let (seconds, overflow) = now.subtractingReportingOverflow(modified)
      if overflow {
        self = modified > now ? .future : .older
        return
      }
      switch seconds {
      case ..<0: self = .future
      case ..<86_400: self = .day
      case ..<(7 * 86_400): self = .week
      case ..<(30 * 86_400): self = .month
      case ..<(365 * 86_400): self = .year
      case ..<(5 * 365 * 86_400): self = .fiveYears
      default: self = .older
      }
    }
  }

  /// All of it.
  public internal(set) var total = Sums()
  /// The folders down to ``StatsScan/depth``, in the order of the map.
  public internal(set) var regions: [Region] = []
  /// Files by what follows the last dot of their names, in lower case; empty for those without.
  public internal(set) var extensions: [FileExtension: Sums] = [:]
  /// Files by the numbers of the users that they belong to, as far as that is known.
  public internal(set) var owners: [UInt32: Sums] = [:]
  /// Files by age, in the order of ``Age``.
  public internal(set) var ages = [Sums](repeating: Sums(), count: Age.allCases.count)
  /// Entries by depth: how many folders and files there are at each.
  public internal(set) var depths: [Sums] = []
  /// The largest files, the largest first.
  public internal(set) var largest: [Entry] = []
  /// The files that were changed last, the newest first.
  public internal(set) var newest: [Entry] = []
  /// The folders with the most entries.
  public internal(set) var widest: [Entry] = []
  /// Entries that could not be read.
  public internal(set) var unreadable = 0
}
