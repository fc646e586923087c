/// By which system calls folders are read.
public enum ReadingMethod: Sendable, CaseIterable {
  /// The fastest that this system has: `getdents64` and `statx` on Linux.
  case native
  /// What every POSIX system has: `readdir` and `fstatat`.
  case portable

  /// The method to use where nobody says otherwise.
  public static var preferred: ReadingMethod {
    #if os(Linux)
      .native
    #else
      .portable
    #endif
  }
}
