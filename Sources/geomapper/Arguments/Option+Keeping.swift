import GeoCore

extension Option {
  /// Options of kept states.
  static let kept: [Option] = [
    Option(
      name: "store", group: .keeping, commands: [.keep],
      help: "Use DIR as the store of kept states [$XDG_DATA_HOME/geomapper/kept, else "
        + "~/.local/share/geomapper/kept].",
      brief: "Use DIR as the store of kept states",
      effect: .path("DIR", "the name of a folder") { (low, text) in low.keep.store = text }),
    Option(
      name: "list", group: .action, commands: [.keep],
      help: "List the kept states, with the room they take. Takes no state.",
      brief: "List the kept states",
      effect: .flag { $0.keep.lists = true }),
  ]
}
