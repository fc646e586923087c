import GeoProjection
import GeoTree

/// What the survey of a folder knows before its sub-folders are read: where they all are.
public final class FolderPlan: Sendable {
  /// Where the folder's files are.
  let city: City
  /// The depth of what is in the folder.
  let depth: Int
  /// The places of the sub-folders that are not hidden.
  let folders: [FolderPlace]
  /// What git's rules say in the folder; nil if nobody asks.
  let scope: IgnoreScope?
  /// Which of `folders` git ignores though they are shown.
  let ignored: [Int]
  /// The numbers of `folders` among those of a first pass; empty if there was none.
  let numbers: [Int]

  /// The ground on which the files stand, if the output tells it.
  let towns: [TownGround]
  /// What a deed says of some of `folders`.
  let claims: [Int: Claim]

  init(
    city: City, depth: Int, folders: [FolderPlace], scope: IgnoreScope? = nil,
    ignored: [Int] = [], numbers: [Int] = [], towns: [TownGround] = [], claims: [Int: Claim] = [:]
  ) {
    self.city = city
    self.depth = depth
    self.folders = folders
    self.scope = scope
    self.ignored = ignored
    self.numbers = numbers
    self.towns = towns
    self.claims = claims
  }

  /// The plan of the folder that isn't anywhere, whose sub-folders are the roots, or the folders
  /// that a deed is about.
  convenience init(roots: [FolderPlace], numbers: [Int], claims: [Int: Claim]) {
    self.init(city: .nowhere, depth: 0, folders: roots, numbers: numbers, claims: claims)
  }
}
