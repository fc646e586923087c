import GeoCore
import GeoTree

extension ObjectID {
  /// What an entry of a tree is, by its mode.
  enum Kind {
    case tree, file, link
    /// A commit of another repository.
    case commit

    /// What it is on the map.
    var ofEntry: EntryKind {
      switch self {
      case .tree, .commit: .directory
      case .file: .regular
      case .link: .symlink
      }
    }
  }

  /// What it is, as git takes its mode.
  var kind: Kind {
    switch mode >> 12 {
    case 0o04: .tree
    case 0o10: .file
    case 0o12: .link
    default: .commit
    }
  }

  /// An object as a tree has it: a mode, of which git knows a few only, and the bytes of its name.
  init(mode: UInt32, name: Span<UInt8>) {
    // None is shorter than 20 bytes.
    self.init(
      high: name.bigEndianPrefix, low: name.extracting(min(8, name.count)...).bigEndianPrefix,
      mode: mode)
    switch kind {
    case .tree: self.mode = 0o040000
    case .file: self.mode = mode & 0o100 == 0 ? 0o100644 : 0o100755
    case .link: self.mode = 0o120000
    case .commit: self.mode = 0o160000
    }
  }
}

extension Span<UInt8> {
  /// A mode; what is none of its digits doesn't count.
  var octal: UInt32 {
    var number: UInt32 = 0
    for index in 0..<count where (0x30...0x37).contains(self[index]) {
      number = number << 3 | UInt32(self[index] - 0x30)
    }
    return number
  }
}
