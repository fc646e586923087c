import Foundation
import TestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#endif

/// A signal in the middle of a scan: the temporary file is removed, and the process ends by the
/// signal.
///
/// A pipe that isn't read blocks the program at a known point, so that no test depends on time.
@Suite struct SignalTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private var temporaries: [String] {
    get throws { try folder.names().filter { $0.hasSuffix(".tmp") } }
  }

  @Test(
    .enabled(if: Geomapper.unprivileged != nil, "needs setpriv to give up privileges"),
    arguments: [
      SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGXCPU, SIGABRT, SIGSEGV, SIGBUS, SIGILL, SIGSYS,
      SIGUSR1, SIGUSR2, SIGALRM, SIGVTALRM, SIGPROF,
    ], [true, false])
  func removesTheTemporaryFile(signal: Int32, hasOlderFile: Bool) throws {
    try folder.makeFolder("src/locked")
    try folder.setMode("src/locked", 0)
    if hasOlderFile { try folder.makeFile("out", "old") }
    // It can't end, because it has a fault to report on a full pipe.
    let messages = try TestPipe()
    messages.fill()
    let process = try Geomapper.start(
      ["map", "src", "-o", "out"], in: folder.path, launcher: Geomapper.unprivileged ?? [],
      // The runtime's crash report would block on the pipe, too.
      environment: ["SWIFT_BACKTRACE=enable=no"], error: .descriptor(messages.writer))
    #expect(try waitUntil { try !temporaries.isEmpty })
    let name = try #require(try temporaries.first)
    #expect(name.hasPrefix(".out.geomapper-\(process.number)-"))
    process.send(signal)
    #expect(process.finish().signal == signal)
    #expect(try folder.names() == (hasOlderFile ? ["out", "src"] : ["src"]))
    if hasOlderFile { #expect(try folder.text("out") == "old") }
    messages.closeReader()
    messages.closeWriter()
  }

  @Test(arguments: [SIGINT, SIGTERM, SIGHUP])
  func endsItWhileItWrites(signal: Int32) throws {
    let large = try #require(LargeTree.shared)
    try folder.makePipe("pipe")
    let reader = open(folder("pipe"), O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    defer { close(reader) }
    let process = try Geomapper.start(["map", large.path, "-o", "pipe"], in: folder.path)
    // The output exceeds the pipe's buffer.
    var request = pollfd(fd: reader, events: Int16(POLLIN), revents: 0)
    #expect(poll(&request, 1, Patience.milliseconds) == 1)
    process.send(signal)
    let outcome = process.finish()
    #expect(outcome.signal == signal)
    #expect(outcome.error.isEmpty)
    #expect(try folder.names() == ["pipe"])
  }

  @Test func shellSees128AndTheNumber() throws {
    let large = try #require(LargeTree.shared)
    try folder.makePipe("pipe")
    let script = """
      "$T" map '\(large.path)' -o pipe & number=$!
      exec 3< pipe; head -c 1 <&3 > /dev/null; kill -TERM $number; wait $number; echo $?
      """
    #expect(try Geomapper.shell(script, in: folder.path).text == "143\n")
  }

  @Test func ignoredSignalsStayIgnored() throws {
    try folder.makePipe("pipe")
    try folder.makeFolder("src")
    let script = "trap '' HUP INT; exec \"$T\" map src -o pipe"
    let process = try Subprocess(
      "/bin/sh", ["-c", script].map { Array($0.utf8) },
      environment: ["T=\(Geomapper.path)"], in: folder.path)
    // Once the pipe is open, the program has replaced the shell.
    let reader = open(folder("pipe"), O_RDONLY | O_CLOEXEC)
    process.send(SIGHUP)
    process.send(SIGINT)
    let bytes = readAll(reader)
    close(reader)
    #expect(process.finish().status == 0)
    #expect(try WrittenMap(bytes).paths == ["src"])
  }
}
