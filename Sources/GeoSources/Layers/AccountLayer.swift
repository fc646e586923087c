import GeoCore
import GeoSystem
import GeoTree
import Synchronization

/// The names of the owners, or of the groups, of files; their numbers where this system has no name.
final class AccountLayer: DerivedLayer {
  private let isGroup: Bool
  private let known = Mutex<[UInt32: Int]>([:])

  init(isGroup: Bool) { self.isGroup = isGroup }

  var needsStorage: Bool { true }

  func words(
    of names: NameTable, _ range: Range<Int>, in folder: [UInt8], _ storage: [FileStorage],
    _ words: LayerWords
  ) -> [Int?] {
    // Neighbours mostly have the same owner.
    var last: (account: UInt32, word: Int?) = (FileStorage.unknownOwner, nil)
    return range.map { index in
      let position = index - range.lowerBound
      guard position < storage.count, storage[position].isKnown else { return nil }
      let account = isGroup ? storage[position].group : storage[position].owner
      if account == FileStorage.unknownOwner { return nil }
      if account != last.account { last = (account, word(of: account, words)) }
      return last.word
    }
  }

  private func word(of account: UInt32, _ words: LayerWords) -> Int? {
    known.withLock { known in
      if let word = known[account] { return word }
      let name = isGroup ? UserNames.name(ofGroup: account) : UserNames.name(of: account)
      let word = words.number(of: name ?? Array("\(account)".utf8))
      known[account] = word
      return word
    }
  }
}
