import GeoCore
import GeoTree

extension Surveyor {
  /// Compares a folder that was listed with what a deed says of it.
  func check(_ claim: Claim, _ visit: FolderVisit<FolderPlan>, _ folders: NameTable) {
    if claim.kind == .place { output.mark(visit.path) }
    if visit.isUnreadable, claim.claims.isEmpty { return }
    if let listing = claim.listing, listing != folders.fingerprint { misfit.report(visit.path) }
  }

  /// Compares a folder that was not listed with what a deed says of it.
  ///
  /// - Returns: Whether the folder is to be shown.
  func checkUnlisted(_ claim: Claim, _ visit: FolderVisit<FolderPlan>) -> Bool {
    if claim.kind != .way { output.mark(visit.path) }
    // What was cut out of a folder that can't be read has no place any more.
    if visit.isUnreadable, !claim.claims.isEmpty { misfit.report(visit.path) }
    return claim.kind != .cut
  }

  /// Passes on what a deed says of a folder's sub-folders, and leaves out what was cut out.
  ///
  /// - Returns: The claims, by the numbers of those sub-folders that are not hidden.
  func pass(
    _ claim: Claim, to folders: NameTable, of path: [UInt8], _ admissions: inout [Admission]
  ) -> [Int: Claim] {
    var claims: [Int: Claim] = [:]
    if claim.claims.isEmpty { return claims }
    for (name, claim) in claim.claims {
      guard let index = folders.index(of: name) else {
        misfit.report(path)
        continue
      }
      if claim.kind == .cut, admissions[index] != .hidden { admissions[index] = .elsewhere }
      claims[index] = claim
    }
    var shown = 0
    var shownClaims: [Int: Claim] = [:]
    for (index, admission) in admissions.enumerated() where admission != .hidden {
      shownClaims[shown] = claims[index]
      shown += 1
    }
    return shownClaims
  }
}
