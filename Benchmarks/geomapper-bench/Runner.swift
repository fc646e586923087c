#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Runs subjects on a tree in rounds: each runs once in a round, in another order each time.
struct Runner {
  let folder: String
  /// The path of outputs, to which the number of the subject is added.
  let output: String
  let runs: Int
  var isCold = false
  var isQuiet = false

  /// The lowest status that counts as failed; 1 means unreadable entries.
  private static let failed = 2

  /// Measures the subjects, each once to warm up and then `runs` times.
  ///
  /// Each run writes a new file, which is flushed to disk before the next run, so that no run waits
  /// for another's output.
  func measure(_ subjects: [Subject]) throws(Failure) -> [Series] {
    if isCold { try Self.dropCaches() }
    var series = subjects.map { subject in
      Series(
        name: subject.name, command: Self.text(of: subject, folder: folder),
        version: subject.version)
    }
    var broken: Set<Int> = []
    var random = Random(seed: 1)
    for round in 0...runs {
      // The order is random because a run leaves traces in caches, which affect the next one.
      let order = subjects.indices.shuffled(using: &random)
      for index in order where !broken.contains(index) {
        let run = try measure(subjects[index], index: index, round: round)
        if run.measurement.status >= Self.failed {
          let isLate = run.measurement.seconds >= Double(Launcher.limit)
          let end =
            isLate ? "is killed, it takes too long" : "fails with status \(run.measurement.status)"
          System.note("\(subjects[index].name) \(end)")
          broken.insert(index)
        } else if round > 0 {
          series[index].runs.append(run)
        }
      }
      if !isQuiet { System.note(round == 0 ? "warmed up" : "round \(round) of \(runs)") }
    }
    for index in broken.sorted(by: >) { series.remove(at: index) }
    return series
  }

  /// Removes the outputs of the subjects.
  func removeOutputs(_ count: Int) { for index in 0..<count { unlink(path(index)) } }

  func path(_ index: Int) -> String { "\(output).\(index)" }

  private func measure(_ subject: Subject, index: Int, round: Int) throws(Failure) -> Series.Run {
    if isCold { try Self.dropCaches() }
    let path = path(index)
    unlink(path)
    let command = subject.command(folder: folder, output: path)
    switch subject.sink {
    case .file:
      let measurement = try Launcher.measure(
        command, output: subject.writesItself ? "/dev/null" : path)
      Self.flush(path)
      return Series.Run(
        round: round, measurement: measurement, outputBytes: System.size(of: path) ?? 0)
    case .null:
      let measurement = try Launcher.measure(command, output: "/dev/null")
      return Series.Run(round: round, measurement: measurement, outputBytes: 0)
    case .pipe:
      let reader = PipeReader()
      let measurement = try Launcher.measure(command) { (descriptor) throws(Failure) in
        try reader.drain(descriptor)
      }
      return Series.Run(round: round, measurement: measurement, outputBytes: reader.total)
    }
  }

  /// Flushes a file to disk.
  private static func flush(_ path: String) {
    let descriptor = System.retry { open(path, O_RDONLY | O_CLOEXEC) }
    guard descriptor >= 0 else { return }
    fsync(descriptor)
    close(descriptor)
  }

  /// Drops the kernel's caches of disks.
  private static func dropCaches() throws(Failure) {
    sync()
    let descriptor = open("/proc/sys/vm/drop_caches", O_WRONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      throw Failure(call: "open", "--cold needs Linux and root: /proc/sys/vm/drop_caches")
    }
    defer { close(descriptor) }
    try System.write(Array("3\n".utf8), to: descriptor)
  }

  /// The command as a user would type it.
  static func text(of subject: Subject, folder: String) -> String {
    let words = subject.command(folder: folder, output: "FILE").map(quoted).joined(separator: " ")
    if subject.sink == .pipe { return words + " | cat > /dev/null" }
    if subject.writesItself { return words }
    return words + (subject.sink == .null ? " > /dev/null" : " > FILE")
  }

  private static func quoted(_ argument: String) -> String {
    let isPlain = argument.allSatisfy { $0.isLetter || $0.isNumber || "-_./=+:,".contains($0) }
    return isPlain && !argument.isEmpty ? argument : "'\(argument)'"
  }

  /// The number of mapped entries, from the summary in the last line of the tool's output.
  static func counts(in path: String) -> (folders: Int, files: Int)? {
    let descriptor = System.retry { open(path, O_RDONLY | O_CLOEXEC) }
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    let size = lseek(descriptor, 0, SEEK_END)
    lseek(descriptor, max(0, size - 200), SEEK_SET)
    guard let bytes = try? System.read(descriptor, limit: 200) else { return nil }
    let tail = String(decoding: bytes, as: UTF8.self)
    func number(after mark: String) -> Int? {
      guard let start = tail.range(ofLast: mark) else { return nil }
      return Int(tail[start...].prefix { $0.isNumber })
    }
    guard let folders = number(after: "\"folders\":"), let files = number(after: "\"files\":")
    else { return nil }
    return (folders, files)
  }
}

extension String {
  /// The start of the text after the last occurrence of `mark`.
  fileprivate func range(ofLast mark: String) -> Index? {
    var start = endIndex
    while start > startIndex {
      start = index(before: start)
      if self[start...].hasPrefix(mark) { return index(start, offsetBy: mark.count) }
    }
    return nil
  }
}
