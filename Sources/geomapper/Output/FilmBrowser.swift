import GeoCore
import GeoDraw
import GeoFormats
import GeoSystem
import GeoWeb

/// A headless browser that draws the frames of a film, for as long as the value exists.
///
/// It has a fresh profile, and reaches nothing but the server of the film.
struct FilmBrowser {
  let name: String
  private let program: RunningProgram
  private let messages: ScratchFile

  /// Seconds for the browser to take the address.
  private static let patience = 30

  /// The folder is for its profile and all other files that it makes.
  init(
    _ browser: PictureProgram, showing server: FilmServer, _ size: FrameSize,
    in folder: ScratchFolder
  ) throws(Failure) {
    name = browser.rawValue
    let options =
      PictureProgram.headless(width: size.width, height: size.height, scale: 1)
      + Self.options + Self.noNetwork(but: server.port)
    // A short path, as it becomes a part of that of a socket.
    let temporary = Array("TMPDIR=.".utf8)
    let profile = PictureProgram.profile("profile", in: folder)
    (program, messages) = try explaining("can't start \(name)", as: .output) { [name] in
      let messages = try ScratchFile()
      let path = Array(name.utf8)
      let program = try RunningProgram(
        group: [ThisProcess.path(ofProgram: path) ?? path] + options.map { Array($0.utf8) }
          + [profile, Array("about:blank".utf8)],
        in: folder.path, input: .questionsApart, messages: messages, patience: Self.patience,
        setting: PictureProgram.variables(in: folder) + [temporary],
        removing: PictureProgram.removedVariables)
      try program.ask(Self.opening(server.address).span)
      return (program, messages)
    }
  }

  var hasEnded: Bool { program.hasEnded }

  var lastWords: String { messages.lastWords }

  /// The command of the browser's protocol that opens an address. Other users of the machine can't
  /// see it, as they see the command line.
  private static func opening(_ address: String) -> [UInt8] {
    var json = JSONBuilder()
    json.object { json in
      json.member("id", 1)
      json.member("method", word: "Target.createTarget")
      json.member("params") { $0.member("url", word: address) }
    }
    return json.bytes + [0]
  }

  /// The browser takes its commands from this process, and ends when this process does.
  private static let options = [
    "--remote-debugging-pipe", "--mute-audio", "--force-color-profile=srgb",
    "--disable-dev-shm-usage", "--disable-extensions", "--no-default-browser-check",
    "--password-store=basic", "--use-mock-keychain", "--disable-breakpad",
    // A page without a window would be slowed down.
    "--disable-background-timer-throttling", "--disable-renderer-backgrounding",
    "--disable-backgrounding-occluded-windows",
  ]

  /// Options without which the browser would reach other machines.
  private static func noNetwork(but port: UInt16) -> [String] {
    [
      "--disable-background-networking", "--disable-component-update", "--disable-default-apps",
      "--disable-sync", "--disable-domain-reliability", "--disable-client-side-phishing-detection",
      "--no-pings", "--disable-quic",
      "--disable-features=OptimizationHints,MediaRouter,Translate,AutofillServerCommunication,"
        + "CertificateTransparencyComponentUpdater",
      "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
      // No name is looked up, and the server refuses to be a proxy.
      "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1",
      "--proxy-server=http://127.0.0.1:\(port)",
    ]
  }
}
