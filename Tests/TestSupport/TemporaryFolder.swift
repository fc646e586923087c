import Foundation

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A folder that is removed, with its contents, when the object is released.
public final class TemporaryFolder: Sendable {
  /// Its absolute path, without links, `.` or `..`.
  public let path: String

  /// Where the folders are made: in memory if there is room. The tests make a hundred thousand
  /// files, and some disks take half a millisecond for each.
  private static let parent: String = {
    #if os(Linux)
      var room = statvfs()
      let noExecution: UInt = 8  // ST_NOEXEC; containers often set it
      if statvfs("/dev/shm", &room) == 0, UInt(room.f_flag) & noExecution == 0,
        UInt64(room.f_bavail) * UInt64(room.f_frsize) >= 1 << 30
      {
        return "/dev/shm"
      }
    #endif
    return "/tmp"
  }()

  /// Makes an empty folder.
  public init() throws {
    var name = Array("\(Self.parent)/geomapper-test-XXXXXX".utf8CString)
    guard mkdtemp(&name) != nil, let real = realpath(name, nil) else {
      throw SystemFailure(call: "mkdtemp")
    }
    defer { free(real) }
    path = String(cString: real)
  }

  deinit { remove() }

  /// Removes the folder now.
  public func remove() {
    if (try? FileManager.default.removeItem(atPath: path)) != nil { return }
    _ = try? Subprocess.run("/bin/sh", ["-c", "chmod -R u+rwx '\(path)'; rm -rf '\(path)'"])
  }

  /// The path of an entry of the folder.
  public func callAsFunction(_ name: String) -> String { "\(path)/\(name)" }

  /// Makes a folder and its missing ancestors.
  @discardableResult
  public func makeFolder(_ name: String) throws -> String {
    var whole = path
    for part in name.split(separator: "/") {
      whole += "/\(part)"
      if mkdir(whole, 0o755) != 0, errno != EEXIST { throw SystemFailure(call: "mkdir \(whole)") }
    }
    return whole
  }

  /// Makes a folder whose name may be any bytes.
  public func makeFolder(bytes name: [UInt8]) throws {
    let path = (Array("\(path)/".utf8) + name + [0]).map { CChar(bitPattern: $0) }
    if mkdir(path, 0o755) != 0 { throw SystemFailure(call: "mkdir \(name)") }
  }

  /// Makes or overwrites a file, and makes its missing ancestors.
  @discardableResult
  public func makeFile(_ name: String, _ content: String = "") throws -> String {
    if let cut = name.lastIndex(of: "/") { try makeFolder(String(name[..<cut])) }
    try makeFile(bytes: Array(name.utf8), Array(content.utf8))
    return self(name)
  }

  /// Makes or overwrites a file of `size` bytes.
  @discardableResult
  public func makeFile(_ name: String, size: Int) throws -> String {
    if let cut = name.lastIndex(of: "/") { try makeFolder(String(name[..<cut])) }
    try makeFile(bytes: Array(name.utf8), [UInt8](repeating: UInt8(ascii: "x"), count: size))
    return self(name)
  }

  /// Makes or overwrites a file whose name may be any bytes.
  public func makeFile(bytes name: [UInt8], _ content: [UInt8] = []) throws {
    let path = (Array("\(path)/".utf8) + name + [0]).map { CChar(bitPattern: $0) }
    let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
    if descriptor < 0 { throw SystemFailure(call: "open \(name)") }
    defer { close(descriptor) }
    if write(descriptor, content, content.count) != content.count {
      throw SystemFailure(call: "write")
    }
  }

  /// The room that a file takes on disk, in bytes.
  public func room(_ name: String) throws -> Int64 {
    var status = stat()
    if lstat(self(name), &status) != 0 { throw SystemFailure(call: "lstat \(name)") }
    return Int64(status.st_blocks) * 512
  }

  /// Makes a symbolic link.
  public func makeLink(_ name: String, to target: String) throws {
    if symlink(target, self(name)) != 0 { throw SystemFailure(call: "symlink") }
  }

  /// Whether a program or one of its children holds the lock of a file, as after `exec 9> FILE;
  /// flock 9`.
  public func isLocked(_ name: String) -> Bool {
    let descriptor = open(self(name), O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    defer { close(descriptor) }
    return flock(descriptor, LOCK_EX | LOCK_NB) != 0
  }

  /// Makes a named pipe.
  public func makePipe(_ name: String) throws {
    if mkfifo(self(name), 0o600) != 0 { throw SystemFailure(call: "mkfifo") }
  }

  /// Sets the permissions of an entry.
  public func setMode(_ name: String, _ mode: mode_t) throws {
    if chmod(self(name), mode) != 0 { throw SystemFailure(call: "chmod") }
  }

  /// The permissions of an entry; links are not followed.
  public func mode(_ name: String) throws -> mode_t { try status(name).st_mode & 0o7777 }

  /// Whether an entry is a symbolic link.
  public func isLink(_ name: String) throws -> Bool { try status(name).st_mode & S_IFMT == S_IFLNK }

  /// Sets the modification time of an entry, in Unix seconds.
  public func setModified(_ name: String, _ seconds: Int) throws {
    let times = [timespec(tv_sec: seconds, tv_nsec: 0), timespec(tv_sec: seconds, tv_nsec: 0)]
    if utimensat(AT_FDCWD, self(name), times, AT_SYMLINK_NOFOLLOW) != 0 {
      throw SystemFailure(call: "utimensat")
    }
  }

  private func status(_ name: String) throws -> stat {
    var result = stat()
    if lstat(self(name), &result) != 0 { throw SystemFailure(call: "lstat \(name)") }
    return result
  }

  /// The bytes of a file.
  public func read(_ name: String) throws -> [UInt8] {
    let descriptor = open(self(name), O_RDONLY | O_CLOEXEC)
    if descriptor < 0 { throw SystemFailure(call: "open \(name)") }
    defer { close(descriptor) }
    return readAll(descriptor)
  }

  /// The text of a file.
  public func text(_ name: String) throws -> String {
    String(decoding: try read(name), as: UTF8.self)
  }

  /// The sorted names of a folder's entries, including hidden ones.
  public func names(in folder: String = ".") throws -> [String] {
    guard let directory = opendir(self(folder)) else { throw SystemFailure(call: "opendir") }
    defer { closedir(directory) }
    var names: [String] = []
    while let entry = readdir(directory) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names.sorted()
  }
}
