import Foundation
import TestSupport

#if canImport(Glibc)
  import Glibc
#endif

/// A running server of some folders, for as long as the value exists.
final class ServedWorld {
  /// The answer to a request.
  struct Answer {
    var status: Int
    var fields: [String: String]
    var body: [UInt8]

    var json: [String: Any] {
      get throws {
        try JSONSerialization.jsonObject(with: Data(body)) as? [String: Any] ?? [:]
      }
    }
  }

  private let process: Subprocess
  private let output: TestPipe
  let port: UInt16
  /// The token in the address, if any.
  let token: String?

  /// - Parameter errors: An open file for standard error; nil drops it.
  init(
    _ arguments: [String], in folder: String, environment: [String] = [], errors: FileHandle? = nil
  ) throws {
    output = try TestPipe()
    process = try Geomapper.start(
      ["serve"] + arguments, in: folder, environment: environment,
      output: .descriptor(output.writer),
      error: errors.map { .descriptor($0.fileDescriptor) } ?? .null)
    let line = String(decoding: readSome(output.reader), as: UTF8.self)
    let digits = line.split(separator: ":").last?.prefix { $0.isNumber } ?? ""
    port = UInt16(digits) ?? 0
    token = line.split(separator: "?token=").dropFirst().first.map {
      String($0.prefix { $0.isHexDigit })
    }
  }

  deinit {
    process.send(SIGKILL)
    _ = process.finish()
    output.closeReader()
    output.closeWriter()
  }

  /// Ends the server by a signal.
  func end(by signal: Int32) -> Subprocess.Outcome {
    process.send(signal)
    return process.finish()
  }

  #if os(Linux)
    /// The processor time of all its threads, in nanoseconds.
    func processorNanoseconds() throws -> Int { try process.processorNanoseconds() }

    /// The number of its file system watchers.
    func watcherCount() throws -> Int {
      try process.descriptors().count { $0.hasSuffix("inotify") }
    }

    /// Whether all its threads are asleep.
    func isAsleep() throws -> Bool { try process.isAsleep() }
  #endif

  /// Sends a text unchanged.
  func send(_ text: String, on connection: Int32) {
    let bytes = Array(text.utf8)
    _ = Glibc.send(connection, bytes, bytes.count, Int32(MSG_NOSIGNAL | MSG_DONTWAIT))
  }

  /// A connection with a request sent.
  func open(_ path: String, _ fields: [String: String] = [:]) throws -> Int32 {
    let connection = try connect()
    var text = "GET \(path) HTTP/1.1\r\nHost: localhost:\(port)\r\n"
    for (name, value) in fields { text += "\(name): \(value)\r\n" }
    send("\(text)\r\n", on: connection)
    return connection
  }

  /// A connection without a request.
  func connect() throws -> Int32 { try Loopback.connect(to: port) }

  /// The answer to one request.
  func get(_ path: String, _ fields: [String: String] = [:]) throws -> Answer {
    let connection = try open(path, fields.merging(["Connection": "close"]) { $1 })
    defer { close(connection) }
    let bytes = readAll(connection)
    let mark = Array("\r\n\r\n".utf8)
    let end = bytes.indices.first { bytes[$0...].starts(with: mark) } ?? bytes.count
    let lines = String(decoding: bytes[..<end], as: UTF8.self).split(separator: "\r\n")
    var answer = Answer(status: 0, fields: [:], body: Array(bytes.dropFirst(end + 4)))
    answer.status = Int(lines.first?.split(separator: " ").dropFirst().first ?? "") ?? 0
    for line in lines.dropFirst() {
      let parts = line.split(separator: ":", maxSplits: 1)
      answer.fields[parts[0].lowercased()] =
        parts.count > 1 ? parts[1].trimmingCharacters(in: .whitespaces) : ""
    }
    return answer
  }

  /// The properties of all nodes of a tile.
  func nodes(_ zoom: Int, _ x: Int, _ y: Int) throws -> [[String: Any]] {
    let answer = try get("/tiles/\(zoom)/\(x)/\(y).json")
    if answer.status == 204 { return [] }
    return try (answer.json["features"] as? [[String: Any]] ?? []).compactMap { feature in
      var properties = feature["properties"] as? [String: Any]
      properties?["id"] = feature["id"]
      return properties
    }
  }
}
