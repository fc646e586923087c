import GeoCore
import GeoWeb

extension Option {
  /// Options of the server.
  static let served: [Option] = [
    Option(
      name: "port", group: .serving, commands: [.serve],
      help: "Listen on port N; 0 for a free one [a port that belongs to the folders]. The port of "
        + "folders is one from 49152 to 65535 and follows from their real paths, in any order, so "
        + "that links and stars last. If it is in use, a free one is used, with a note.",
      brief: "Listen on port N [always the same for a folder]",
      effect: .number("N", in: 0...65535) { $0.serve.port = $1 }),
    Option(
      name: "host", group: .serving, commands: [.serve],
      help: "Listen on this name or address instead of 127.0.0.1, such as 0.0.0.0 for the whole "
        + "network. Visitors need the token in the printed address, which is new at each start. A "
        + "terminal also gets the address as a QR code.",
      brief: "Let other machines connect, with a token",
      effect: .value(placeholder: "HOST") { (low, text) throws(Malformed) in
        let isPlain = text.allSatisfy {
          (0x30...0x39).contains($0) || (0x41...0x5A).contains($0 & 0xDF)
            || [0x2D, 0x2E, 0x3A].contains($0)
        }
        if text.isEmpty || text.count > 253 || !isPlain {
          throw Malformed(reason: "'\(TerminalText.escaped(text))' is not a name or an address")
        }
        low.serve.host = String(decoding: text, as: UTF8.self)
      }),
    Option(
      name: "token", group: .serving, commands: [.serve],
      help: "Require the token in the printed address, which is new at each start. Without it, "
        + "every user of this machine can see the map.",
      effect: .flag { $0.serve.requiresToken = true },
      rules: [
        .excludes(
          .option("open"),
          because: "every user of this machine would see the token in the list of processes; open "
            + "the printed address yourself")
      ]),
    Option(
      name: "replay", group: .serving, commands: [.serve],
      help: "Play the recording FILE on the map of DIR, the recorded folders. Without DIR the "
        + "map comes from the recording. FILE may be a name in the folder of recordings.",
      effect: .path("FILE") { (low, text) in low.serve.recording = text },
      rules: [.excludes(.option("sample"), because: "they show different things")]),
    Option(
      name: "open", group: .serving, commands: [.serve], help: "Open the map in the browser.",
      brief: "Open the map in the browser", effect: .flag { $0.serve.opensBrowser = true }),
    Option(
      name: "allow-origin", group: .serving, commands: [.serve],
      help: "Let web pages of ORIGIN, such as https://example.org, read the map [no other "
        + "pages]. Repeatable.",
      effect: .value(placeholder: "ORIGIN") { (low, text) throws(Malformed) in
        guard let origin = WebOrigin(parsing: text) else {
          throw Malformed(
            reason: "'\(TerminalText.escaped(text))' is not a scheme and a host (try "
              + "https://example.org)")
        }
        low.serve.origins.insert(origin)
      }),
  ]
}
