import GeoCore
import Synchronization

/// The part of known totals to read again: a folder's own files, and those of its sub-folders that
/// are new or were replaced.
package final class TotalsUpdate: Sendable {
  package let folder: Int
  private let known: TreeTotals
  private let others: Set<[UInt8]>
  private let isDeep: Bool
  /// The known sub-folders that stay unchanged; empty until the folder is listed.
  private let kept = Mutex<Set<Int>>([])

  /// `others` are the names of sub-folders that were replaced by other folders. A deep update reads all
  /// sub-folders again.
  package init(
    of known: TreeTotals, _ folder: Int, others: Set<[UInt8]> = [], isDeep: Bool = false
  ) {
    self.known = known
    self.folder = folder
    self.others = others
    // A file counted once for names in the folder and below requires reading all of them.
    self.isDeep = isDeep || known.shared.contains(folder)
  }

  /// Makes an update of a folder's own files; nil if its sub-folders must be read too.
  package convenience init?(keepingFoldersOf known: TreeTotals, _ folder: Int) {
    self.init(of: known, folder)
    if isDeep { return nil }
    kept.withLock { $0 = Set(known.subfolders(of: folder)) }
  }

  /// Hides sub-folders whose known totals are still valid.
  func decide(_ folders: NameTable, _ decisions: inout [TraversalDecision]) {
    if isDeep { return }
    var kept: [Int: Int] = [:]
    for (index, number) in known.numbers(of: folders, in: folder).enumerated()
    where decisions[index] == .entered && number != TreeTotals.missing {
      if !others.contains(folders.name(at: index)) { kept[number] = index }
    }
    if known.repeated[folder] != nil, kept.count < known.subfolders(of: folder).count { return }
    for index in kept.values { decisions[index] = .hidden }
    self.kept.withLock { $0 = Set(kept.keys) }
  }

  func keeps(_ number: Int) -> Bool { kept.withLock { $0.contains(number) } }
}

extension TreeTotals {
  /// Applies the result of reading one folder again.
  ///
  /// Ancestors change by the difference. They count files with names here and elsewhere as before,
  /// until all is read again.
  /// Returns the folders with changed totals: the folder and its ancestors, up to the last that
  /// changed. O(their sub-folders, and folders added or removed).
  @discardableResult
  package mutating func apply(_ update: TotalsUpdate, _ part: TreeTotals) -> [Int] {
    let folder = update.folder
    guard isThere(folder), part.isThere(0), part.classes == classes else { return [] }
    hasSharedFiles = hasSharedFiles || part.hasSharedFiles
    let (before, peaksBefore) = (amounts(of: folder), peaks(of: folder))
    let (foldersBefore, wasListed) = (records[folder].below, records[folder].files >= 0)
    let isListed = part.records[0].files >= 0
    var now = part.amounts(of: 0)
    var kept: [Int] = []
    var hasReplaced = false
    for child in subfolders(of: folder) {
      if isListed, update.keeps(child) {
        kept.append(child)
        now.add(amounts(of: child))
      } else {
        remove(child)
        hasReplaced = true
      }
    }
    if !kept.isEmpty, let repeated = repeated[folder] { now.subtract(repeated) }
    let added = part.subfolders(of: 0).map { copy($0, of: part, in: folder) }
    hasReplaced = hasReplaced || !added.isEmpty
    if hasReplaced { link(kept, added, in: folder) }
    copyRepeated(of: folder, from: part, isWhole: kept.isEmpty)
    records[folder].sums = now.sums
    if !isListed { records[folder].files = -1 }
    for index in 0..<classes { classBytes[folder * classes + index] = now.classBytes[index] }
    now = amounts(of: folder)
    if classes > 0 { ownPeaks[folder] = part.ownPeaks[0] }
    updatePeaks(of: folder)
    let isChanged =
      before != now || peaks(of: folder) != peaksBefore || hasReplaced || wasListed != isListed
    if !isChanged { return [] }
    if unusedNames > 1 << 16, unusedNames > names.count / 2 { compactNames() }
    return [folder]
      + pass(from: before, to: now, peaks: peaksBefore, folders: foldersBefore, above: folder)
  }

  private mutating func pass(
    from before: Amounts, to now: Amounts, peaks peaksBefore: Peaks, folders: Int32,
    above folder: Int
  ) -> [Int] {
    var changed: [Int] = []
    var (below, peaksBelow) = (folder, peaksBefore)
    let more = records[folder].below - folders
    while let above = parent(of: below) {
      let peaksAbove = peaks(of: above)
      records[above].below += more
      if records[above].files >= 0 {
        records[above].sums.replace(before.sums, by: now.sums)
        for index in 0..<classes where now.classBytes[index] != before.classBytes[index] {
          let place = above * classes + index
          classBytes[place] = Self.sum(
            classBytes[place], now.classBytes[index] - before.classBytes[index])
        }
      }
      raise(peaksOf: above, by: below, insteadOf: peaksBelow)
      if before == now, peaks(of: above) == peaksAbove, more == 0 { break }
      changed.append(above)
      (below, peaksBelow) = (above, peaksAbove)
    }
    return changed
  }

  private func amounts(of folder: Int) -> Amounts {
    var amounts = Amounts(classes: classes)
    amounts.sums = records[folder].sums
    for index in 0..<classes { amounts.classBytes[index] = classBytes[folder * classes + index] }
    return amounts
  }

  /// Updates the records of files with several names from a part.
  private mutating func copyRepeated(of folder: Int, from part: TreeTotals, isWhole: Bool) {
    if isWhole {
      repeated[folder] = part.repeated[0]
      shared.remove(folder)
    } else if let more = part.repeated[0] {
      var all = repeated[folder] ?? Amounts(classes: classes)
      all.add(more)
      repeated[folder] = all
    }
    if part.shared.contains(0) { shared.insert(folder) }
  }

  private func peaks(of folder: Int) -> Peaks { classes > 0 ? peaks[folder] : Peaks() }

  /// Updates the peaks of a folder after those of a sub-folder have changed.
  ///
  /// All sub-folders are compared only if a former peak may have been this sub-folder's.
  private mutating func raise(peaksOf folder: Int, by child: Int, insteadOf before: Peaks) {
    if classes == 0 { return }
    let (now, above) = (peaks[child], peaks[folder])
    let hasLost =
      before.newest == above.newest && now.newest < before.newest
      || before.largest == above.largest && now.largest < before.largest
    if hasLost { return updatePeaks(of: folder) }
    if !above.covers(now) { peaks[folder].formMaximum(now) }
  }

  private mutating func updatePeaks(of folder: Int) {
    if classes == 0 { return }
    var all = ownPeaks[folder]
    for child in subfolders(of: folder) { all.formMaximum(peaks[child]) }
    peaks[folder] = all
  }

  // MARK: Folders

  /// Removes a folder with its contents, but not the link from its sibling or parent.
  private mutating func remove(_ folder: Int) {
    var rest = [folder]
    while let next = rest.popLast() {
      rest += subfolders(of: next)
      unusedNames += Int(records[next].nameLength)
      records[next].isThere = false
      repeated[next] = nil
      shared.remove(next)
      free.append(next)
    }
  }

  /// Copies a folder with its contents from other totals, without linking it to its siblings.
  private mutating func copy(_ number: Int, of part: TreeTotals, in parent: Int) -> Int {
    var rest: [(theirs: Int, parent: Int)] = [(number, parent)]
    var top = -1
    /// The last sub-folder so far of each new folder.
    var last: [Int: Int] = [:]
    while let (theirs, parent) = rest.popLast() {
      var record = part.records[theirs]
      record.nameStart = names.count
      record.parent = Int32(truncatingIfNeeded: parent)
      (record.first, record.next) = (-1, -1)
      names += part.name(of: theirs)
      let own = append(record)
      if classes > 0 {
        peaks[own] = part.peaks[theirs]
        ownPeaks[own] = part.ownPeaks[theirs]
        for index in 0..<classes {
          classBytes[own * classes + index] = part.classBytes[theirs * classes + index]
        }
      }
      repeated[own] = part.repeated[theirs]
      if part.shared.contains(theirs) { shared.insert(own) }
      if top < 0 {
        top = own
      } else if let before = last.updateValue(own, forKey: parent) {
        records[before].next = Int32(truncatingIfNeeded: own)
      } else {
        records[parent].first = Int32(truncatingIfNeeded: own)
      }
      for child in part.subfolders(of: theirs).reversed() { rest.append((child, own)) }
    }
    return top
  }

  /// Makes folders the sub-folders of `folder`. Both lists are sorted by name.
  private mutating func link(_ kept: [Int], _ added: [Int], in folder: Int) {
    var all: [Int] = []
    all.reserveCapacity(kept.count + added.count)
    var rest = added[...]
    for child in kept {
      while let next = rest.first, name(of: next).lexicographicallyPrecedes(name(of: child)) {
        all.append(next)
        rest.removeFirst()
      }
      all.append(child)
    }
    all += rest
    records[folder].first = Int32(truncatingIfNeeded: all.first ?? -1)
    var below = Int32(truncatingIfNeeded: all.count)
    for (index, child) in all.enumerated() {
      let next = index + 1 < all.count ? all[index + 1] : -1
      records[child].next = Int32(truncatingIfNeeded: next)
      below += records[child].below
    }
    records[folder].below = below
  }

  private mutating func compactNames() {
    var compact: [UInt8] = []
    compact.reserveCapacity(names.count - unusedNames)
    for folder in records.indices where records[folder].isThere {
      let name = name(of: folder)
      records[folder].nameStart = compact.count
      compact += name
    }
    names = compact
    unusedNames = 0
  }
}
