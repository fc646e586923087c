import GeoFormats
import GeoCore
import GeoProjection

/// What is made of the nodes that a survey has placed.
///
/// One for each thread of a scan. It gets a folder's path, then the folder, if it is shown, and runs
/// of its files.
protocol SurveyOutput: AnyObject, SendableMetatype {
  associatedtype Content: Sendable

  /// The folder that all that follows belongs to.
  func enterFolder(_ path: [UInt8])

  /// Whether folders are to say what their lands were cut out of, and files on what ground they stand.
  var takesCells: Bool { get }

  /// The folder itself.
  ///
  /// - Parameter ring: Its coast line, not closed; empty if it is landless.
  func addFolder(_ feature: FolderFeature, ring: [Coordinate])

  /// Some of its files. Places and facts are those of the names in `range`, in that order; the plan says
  /// where they are.
  func addFiles(
    _ names: NameTable, _ range: Range<Int>, places: [FilePlace], facts: [EntryFacts],
    _ plan: FolderPlan)

  /// The place of a folder that a deed speaks of: all that follows comes after its beginning.
  func mark(_ path: [UInt8])

  /// Some entries were left out.
  func leaveOut(_ counts: ExclusionCounts)

  /// Bytes of what was made and not yet taken; more than 0 if anything was told.
  var weight: Int { get }

  /// Gives away what was made so far.
  func takeContent() -> Content
}

extension SurveyOutput {
  var takesCells: Bool { false }
}
