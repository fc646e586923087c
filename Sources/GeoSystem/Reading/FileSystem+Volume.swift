#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

extension FileSystem {
  /// Identifies the file system of a folder by a text that survives a restart and another mount
  /// point, as far as the system has one.
  ///
  /// On Linux: the UUID of its device (`/dev/disk/by-uuid`), else the number that the file system
  /// gives itself, else its type and source, such as `nfs4 server:/home`. On macOS the UUID of the
  /// volume. Otherwise the number of the device.
  package static func volume(at path: [UInt8]) throws(Errno) -> [UInt8] {
    let folder = try openRoot(path)
    let device = try facts(of: folder.rawValue).identity.device
    #if canImport(Darwin)
      var wanted = attrlist()
      wanted.bitmapcount = u_short(ATTR_BIT_MAP_COUNT)
      wanted.volattr = attrgroup_t(ATTR_VOL_INFO) | attrgroup_t(ATTR_VOL_UUID)
      // A length of four bytes, and the UUID.
      var answer = [UInt8](repeating: 0, count: 20)
      if fgetattrlist(folder.rawValue, &wanted, &answer, answer.count, 0) == 0 {
        return Array("uuid:".utf8) + answer[4...].flatMap { hexadecimal(UInt64($0), digits: 2) }
      }
    #else
      if let name = uuid(ofDevice: device) { return Array("uuid:".utf8) + name }
      var facts = statvfs()
      let number = folder.rawValue
      _ = try retrying { fstatvfs(number, &facts) }
      if facts.f_fsid != 0 {
        return Array("fsid:".utf8) + hexadecimal(UInt64(facts.f_fsid), digits: 16)
      }
      if let source = mountSource(ofDevice: device) { return Array("source:".utf8) + source }
    #endif
    return Array("device:".utf8) + hexadecimal(device, digits: 1)
  }

  /// The number of files and folders of the file system whose root is a folder; nil for other
  /// folders, and if the file system doesn't know it.
  package static func entries(ofWhole path: [UInt8]) -> Int? {
    guard let folder = try? openRoot(path), let facts = try? facts(of: folder.rawValue),
      let parent = try? rootFacts(path + Array("/..".utf8))
    else { return nil }
    // The parent of a mounted root is on another file system, that of `/` is `/`.
    let (own, above) = (facts.identity, parent.identity)
    if own.device == above.device, own != above { return nil }
    #if !canImport(Darwin)
      // The root of a container counts the inodes of the machine.
      if mountSource(ofDevice: own.device)?.starts(with: "overlay ".utf8) == true { return nil }
    #endif
    let number = folder.rawValue
    var known = statvfs()
    guard fstatvfs(number, &known) == 0, known.f_files > known.f_ffree else { return nil }
    return Int(clamping: known.f_files - known.f_ffree)
  }

  package static func freeBytes(of path: [UInt8]) throws(Errno) -> Int64 {
    let folder = try openRoot(path)
    return try freeBytes(at: folder.rawValue)
  }

  fileprivate static func hexadecimal(_ number: UInt64, digits: Int) -> [UInt8] {
    let text = Array(String(number, radix: 16).utf8)
    return Array(repeating: UInt8(ascii: "0"), count: max(0, digits - text.count)) + text
  }

  #if !canImport(Darwin)
    /// The name in `/dev/disk/by-uuid` of a block device; nil if it has none.
    private static func uuid(ofDevice device: UInt64) -> [UInt8]? {
      guard let folder = try? FolderHandle(at: Array("/dev/disk/by-uuid".utf8)),
        let names = try? folder.fileNames()
      else { return nil }
      for index in names.records.indices {
        let name = names.name(at: index)
        var facts = stat()
        let found = try? withCString(name) { (name) throws(Errno) in
          try retrying { fstatat(folder.rawValue, name, &facts, 0) }
        }
        if found != nil, facts.st_mode & S_IFMT == S_IFBLK, UInt64(facts.st_rdev) == device {
          return name
        }
      }
      return nil
    }

    /// The type and the source of a mounted file system, by `/proc/self/mountinfo` (proc(5)).
    private static func mountSource(ofDevice device: UInt64) -> [UInt8]? {
      let file = Array("/proc/self/mountinfo".utf8)
      guard let text = try? readFile(file, following: true, limit: 1 << 22) else { return nil }
      // glibc's gnu_dev_major and gnu_dev_minor.
      let major = (device >> 8) & 0xFFF | (device >> 32) & ~0xFFF
      let minor = device & 0xFF | (device >> 12) & ~0xFF
      let number = Array("\(major):\(minor)".utf8)
      for line in text.split(separator: 0x0A) {
        let words = line.split(separator: 0x20)
        guard words.count > 2, words[2].elementsEqual(number),
          let dash = words.firstIndex(where: { $0.elementsEqual("-".utf8) }),
          words.count > dash + 2
        else { continue }
        return Array(words[dash + 1]) + [0x20] + Array(words[dash + 2])
      }
      return nil
    }
  #endif
}

extension ThisMachine {
  /// Identifies the machine: a hash of `/etc/machine-id` on Linux, of the hardware's UUID on macOS,
  /// else of the host name. The originals are secrets (machine-id(5)), so they are not used as
  /// they are.
  package static var identity: [UInt8] {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in Array("geomapper".utf8) + [0] + secret {
      hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3
    }
    return FileSystem.hexadecimal(hash, digits: 16)
  }

  private static var secret: [UInt8] {
    #if canImport(Darwin)
      var uuid = [UInt8](repeating: 0, count: 16)
      var patience = timespec(tv_sec: 1, tv_nsec: 0)
      if gethostuuid(&uuid, &patience) == 0 { return uuid }
    #else
      for path in ["/etc/machine-id", "/var/lib/dbus/machine-id"] {
        guard
          let text = try? FileSystem.readFile(Array(path.utf8), following: true, limit: 1024)
        else { continue }
        let word = Array(text.prefix { $0 > 0x20 })
        if word.count == 32 { return word }
      }
    #endif
    return names.host
  }
}
