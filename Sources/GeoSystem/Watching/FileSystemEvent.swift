/// What fanotify tells in one record.
package struct FileSystemEvent: Hashable, Sendable {
  /// An entry of a folder.
  package struct Place: Hashable, Sendable {
    /// The folder, as ``FileSystemWatcher/handle(of:)`` has it.
    package var handle: [UInt8]
    /// The entry's name.
    package var name: [UInt8]

    package init(handle: [UInt8], name: [UInt8]) {
      self.handle = handle
      self.name = name
    }

    /// Whether it is the folder itself.
    package var isSelf: Bool { name.isEmpty || name.elementsEqual(".".utf8) }
  }

  /// What has happened, one bit for each sort; several may be in one record.
  package var mask: UInt64
  /// Where it has happened; of a renaming, where the entry was.
  package var place: Place?
  /// Of a renaming, where the entry is.
  package var new: Place?

  /// The entry is a folder.
  package var isFolder: Bool { mask & 0x4000_0000 != 0 }
  /// It was made or has come here.
  package var isNew: Bool { mask & (0x100 | 0x80) != 0 }
  /// It was removed or has left.
  package var isGone: Bool { mask & (0x200 | 0x40) != 0 }
  /// Its content, or what is known of it, is another.
  package var isOther: Bool { mask & (0x002 | 0x004) != 0 }
  /// Its content is another.
  package var isContent: Bool { mask & 0x002 != 0 }
  /// The last name of the folder itself is gone.
  package var isEnd: Bool { mask & 0x400 != 0 }
  /// Changes were lost.
  package var isOverflow: Bool { mask & 0x4000 != 0 }

  /// The records of what was read. What isn't whole, or of another version, ends them.
  package static func records(of bytes: ArraySlice<UInt8>) -> some Sequence<ArraySlice<UInt8>> {
    sequence(state: bytes) { rest in
      guard rest.count >= headBytes else { return nil }
      let length = Int(number(rest, at: 0, as: UInt32.self))
      let head = Int(number(rest, at: 6, as: UInt16.self))
      guard rest[rest.startIndex + 4] == version, head >= headBytes, length >= head,
        length <= rest.count
      else { return nil }
      defer { rest = rest.dropFirst(length) }
      return rest.prefix(length)
    }
  }

  /// The events of what was read.
  package static func all(in bytes: ArraySlice<UInt8>) -> [FileSystemEvent] {
    records(of: bytes).map { FileSystemEvent($0) }
  }

  /// What a record tells.
  ///
  /// `fanotify_event_metadata`: the length of the record (4 bytes), the version (1), a zero (1), the
  /// length of this head (2), what has happened (8), a descriptor (4), a process (4); then parts, each
  /// with its type (1), a zero (1), its length (2), the file system (8), the length of the handle (4), the
  /// handle's type (4), the handle, and a name that ends with a zero.
  ///
  /// - Parameter record: One of ``records(of:)``.
  package init(_ record: ArraySlice<UInt8>) {
    mask = Self.number(record, at: 8, as: UInt64.self)
    takeParts(record.dropFirst(Int(Self.number(record, at: 6, as: UInt16.self))))
  }

  private static let headBytes = 24
  private static let version: UInt8 = 3
  /// Of a part, before the handle.
  private static let partBytes = 20

  private mutating func takeParts(_ parts: ArraySlice<UInt8>) {
    var rest = parts
    while rest.count >= Self.partBytes {
      let length = Int(Self.number(rest, at: 2, as: UInt16.self))
      guard length >= Self.partBytes, length <= rest.count else { return }
      let part = rest.prefix(length)
      let handleLength = Int(Self.number(part, at: 12, as: UInt32.self))
      if handleLength <= length - Self.partBytes {
        let nameStart = part.startIndex + Self.partBytes + handleLength
        let place = Place(
          handle: Array(part[(part.startIndex + 4)..<nameStart]),
          name: Array(part[nameStart...].prefix { $0 != 0 }))
        switch part[part.startIndex] {
        case 2, 3, 10: self.place = place  // a folder and a name, a folder, an old place
        case 12: new = place
        default: break
        }
      }
      rest = rest.dropFirst(length)
    }
  }

  /// A number as the system has it; all its bytes have to be there.
  private static func number<Number: FixedWidthInteger & BitwiseCopyable>(
    _ bytes: ArraySlice<UInt8>, at offset: Int, as type: Number.Type
  ) -> Number {
    bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: offset, as: type) }
  }
}
