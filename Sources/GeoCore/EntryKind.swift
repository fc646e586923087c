/// What an entry of a folder is.
///
/// Everything that is not a ``directory`` counts as a file; a symbolic link is one.
@frozen public enum EntryKind: UInt8, Sendable {
  /// A regular file.
  case regular
  /// A directory.
  case directory
  /// A symbolic link, wherever it leads.
  case symlink
  /// A named pipe.
  case fifo
  /// A socket.
  case socket
  /// A block device.
  case block
  /// A character device.
  case character
  /// The listing doesn't say, and nobody could be asked.
  case unknown
}
