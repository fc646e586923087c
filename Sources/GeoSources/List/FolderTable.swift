/// All folders of a list, by number; 0 is the root.
///
/// A folder takes 19 bytes and its name, and 5 to 11 bytes of a hash table that finds it by parent
/// and name (open addressing, at most three quarters full).
struct FolderTable {
  private(set) var arena: [UInt8] = []
  private var starts: [UInt32] = [0]
  private var lengths: [UInt16] = [0]
  private(set) var parents: [UInt32] = [0]
  var modified: [Int64] = [0]
  var flags: [ListedFacts.Flags] = [[]]
  /// The numbers of folders by the hash of parent and name; 0 for free slots.
  private var slots = [UInt32](repeating: 0, count: 1024)
  /// Random for each run, so that crafted names can't all collide.
  private let seed = UInt64.random(in: 0...(.max))

  var count: Int { parents.count }

  @inline(__always)
  func name(of folder: Int) -> Range<Int> {
    let start = Int(starts[folder])
    return start..<(start + Int(lengths[folder]))
  }

  func find(_ name: Span<UInt8>, in parent: Int) -> Int? {
    var slot = firstSlot(of: name, in: parent)
    while slots[slot] != 0 {
      let folder = Int(slots[slot])
      if Int(parents[folder]) == parent,
        arena.span.extracting(self.name(of: folder)).equals(name)
      {
        return folder
      }
      slot = (slot + 1) & (slots.count - 1)
    }
    return nil
  }

  /// Adds a folder that is missing; nil if the table is full.
  mutating func make(_ name: Span<UInt8>, in parent: Int) -> Int? {
    if let folder = find(name, in: parent) { return folder }
    guard let start = UInt32(exactly: arena.count), count < Int(UInt32.max) else { return nil }
    if (count + 1) * 4 > slots.count * 3 { grow() }
    let folder = count
    let slot = freeSlot(from: firstSlot(of: name, in: parent))
    slots[slot] = UInt32(folder)
    starts.append(start)
    lengths.append(UInt16(name.count))
    parents.append(UInt32(parent))
    modified.append(0)
    flags.append([])
    arena.append(copying: name)
    return folder
  }

  private mutating func grow() {
    let size = slots.count * 2
    slots = []
    slots = [UInt32](repeating: 0, count: size)
    for folder in 1..<count {
      let parent = Int(parents[folder])
      let slot = freeSlot(
        from: firstSlot(of: arena.span.extracting(name(of: folder)), in: parent))
      slots[slot] = UInt32(folder)
    }
  }

  private func freeSlot(from slot: Int) -> Int {
    var slot = slot
    while slots[slot] != 0 { slot = (slot + 1) & (slots.count - 1) }
    return slot
  }

  /// Multiplies eight bytes at a time into the state, and folds its halves.
  private func firstSlot(of name: Span<UInt8>, in parent: Int) -> Int {
    var state = seed ^ UInt64(truncatingIfNeeded: parent &* 0x9E37_79B9 &+ name.count)
    var index = 0
    while index < name.count {
      let word =
        index + 8 <= name.count
        ? name.loadWord(at: index) : name.extracting(index..<name.count).bigEndianPrefix
      let (high, low) = (state ^ word).multipliedFullWidth(by: 0x9E37_79B9_7F4A_7C15)
      state = (high ^ low) &+ seed
      index += 8
    }
    let (high, low) = (state ^ seed).multipliedFullWidth(by: 0xD6E8_FEB8_6659_FD93)
    return Int(truncatingIfNeeded: (high ^ low) & UInt64(slots.count - 1))
  }

  mutating func forgetSlots() { slots = [0] }
}

enum PathFault: Equatable {
  case empty
  case outside
  case parent
  case longName
  case zero
}

/// The prefix of a list's paths: the root's own path, which is removed.
struct ListPrefix {
  /// Without `.` and empty ones.
  let names: [[UInt8]]
  let isAbsolute: Bool

  init(_ path: [UInt8]) {
    isAbsolute = path.first == .slash
    names = path.split(separator: .slash).map { Array($0) }.filter { $0 != [UInt8(ascii: ".")] }
  }

  func isBelow(_ folder: [UInt8]) -> Bool {
    let above = ListPrefix(folder)
    return above.isAbsolute == isAbsolute && names.starts(with: above.names)
  }
}
