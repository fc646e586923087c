import Foundation
import TestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#endif

#if os(Linux)
  /// An idle server uses no processor time, whatever the state of its connections.
  @Suite struct ServeIdleTests {
    /// What a client has sent.
    enum Beginning: CaseIterable {
      case nothing, part, request, pipelined, stream, fieldsOfAStream, search, nonsense, last
    }

    /// What the client does then.
    enum Ending: CaseIterable {
      case stays, endsSending, endsReceiving, endsBoth, breaks, leaves
    }

    @Test(arguments: Beginning.allCases, [false, true])
    func usesNoProcessorWhenIdle(beginning: Beginning, isStuffed: Bool) throws {
      let folder = try TemporaryFolder()
      try folder.makeFile("w/in/file")
      let served = try ServedWorld(["w"], in: folder.path)
      var connections: [Int32] = []
      for ending in Ending.allCases {
        let connection = try served.connect()
        // More than is read while an answer is made; the client doesn't read answers.
        let stuffing = isStuffed ? String(repeating: "x", count: 33_000) : ""
        served.send(text(beginning, served) + stuffing, on: connection)
        usleep(5000)
        switch ending {
        case .stays: break
        case .endsSending: shutdown(connection, Int32(SHUT_WR))
        case .endsReceiving: shutdown(connection, Int32(SHUT_RD))
        case .endsBoth: shutdown(connection, Int32(SHUT_RDWR))
        case .breaks:
          var option = linger(l_onoff: 1, l_linger: 0)
          setsockopt(
            connection, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
          close(connection)
          continue
        case .leaves:
          close(connection)
          continue
        }
        connections.append(connection)
      }
      // The server comes to rest: all its threads sleep at each check, and use hardly any processor
      // time.
      let rests = try waitUntil {
        let before = try served.processorNanoseconds()
        for _ in 0..<5 {
          if try !served.isAsleep() { return false }
          usleep(20_000)
        }
        return try served.processorNanoseconds() - before < 2_000_000
      }
      #expect(rests, "\(beginning), stuffed: \(isStuffed)")
      #expect(try served.get("/stats").status == 200)
      for connection in connections { close(connection) }
    }

    private func text(_ beginning: Beginning, _ served: ServedWorld) -> String {
      func request(_ line: String, _ fields: String = "") -> String {
        "\(line) HTTP/1.1\r\nHost: localhost:\(served.port)\r\n\(fields)\r\n"
      }
      switch beginning {
      case .nothing: return ""
      case .part: return "GET /stats HTT"
      case .request: return request("GET /")
      case .pipelined: return String(repeating: request("GET /"), count: 1000)
      case .stream: return request("GET /events")
      case .fieldsOfAStream: return request("HEAD /events")
      case .search: return request("GET /search?q=file")
      case .nonsense: return "nonsense\r\n\r\n"
      case .last: return request("GET /", "Connection: close\r\n")
      }
    }
  }
#endif
