/// Arguments as the system hands them over.
enum RawArguments {
  /// The bytes of this process's arguments without the program's name.
  ///
  /// `CommandLine.arguments` would repair what is no UTF-8, and a path would become another.
  static func ofThisProcess() -> [[UInt8]] {
    let pointers = UnsafeBufferPointer(
      start: CommandLine.unsafeArgv, count: Int(CommandLine.argc))
    return pointers.dropFirst().compactMap { pointer in
      guard let pointer else { return nil }
      var length = 0
      while pointer[length] != 0 { length += 1 }
      return UnsafeBufferPointer(start: pointer, count: length).map { UInt8(bitPattern: $0) }
    }
  }
}
