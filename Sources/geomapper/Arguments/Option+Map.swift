import GeoCore
import GeoProjection

/// The value of `--type`: a folder (`d`) or a file (`f`).
enum PathType: String, CaseIterable { case d, f }

extension Option {
  /// Options of the roots, and of where things are on the map.
  static let placed: [Option] = [
    Option(
      name: "root", group: .map, commands: [.locate, .whereis, .route, .track],
      help: "Ask about the map of DIR [the current folder]. Repeatable: all roots together "
        + "decide where everything is.",
      brief: "Ask about the map of DIR [the current folder]",
      effect: .value(placeholder: "[LABEL=]DIR") { (low, text) in low.roots.append(text) }),
    Option(
      name: "layout", group: .map,
      commands: Command.Name.allCases.filter {
        ![.stats, .split, .join, .snapshot, .keep, .replay, .recordings].contains($0)
      },
      help: "Choose the layout: settled (folders share the land of their parent, and none overlap) "
        + "or pinned (a path alone decides the place, and siblings may overlap) [settled].",
      variants: [
        Variant(
          .publish, .find, .locate, .whereis, .route, .track,
          help: "Choose the layout of the map: settled or pinned [settled].",
          brief: "Choose settled or pinned [settled]"),
        Variant(
          .verify,
          help: "Check DIR in this layout only, settled or pinned [both]. It is also the layout "
            + "of a FILE that names none [settled].",
          brief: "Check this layout only: settled or pinned"),
      ],
      effect: .choice("LAYOUT") { (low, value: Layout) in low.layout = value },
      rules: [.ofMap]),
    Option(
      name: "type", group: .map, commands: [.locate],
      help: "With --layout pinned: PATH is a folder (d) or a file (f), and need not exist. A "
        + "'/' at its end means a folder, too.",
      effect: .choice("TYPE") { (low, value: PathType) in low.atlas.isFolder = value == .d },
      rules: [.ofPinned]),
    Option(
      name: "count", group: .map, commands: [.locate],
      help: "With --layout pinned: read the listing that a file's minzoom depends on.",
      effect: .flag { $0.atlas.counts = true }, rules: [.ofPinned]),
    Option(
      name: "old", group: .map, commands: [.diff],
      help: "Add a root to the old state. Repeatable. Roots with the same label are compared.",
      effect: .value(placeholder: "[LABEL=]STATE") { (low, text) in low.diff.old.append(text) }),
    Option(
      name: "new", group: .map, commands: [.diff],
      help: "Add a root to the new state. Repeatable.",
      effect: .value(placeholder: "[LABEL=]STATE") { (low, text) in low.diff.new.append(text) }),
    Option(
      name: "history", group: .map, commands: [.serve, .publish],
      help: "Play a history on the map: of the git repository of --git up to REV, or of the "
        + "states given.",
      variants: [
        Variant(
          .serve,
          help: "Play a history on the map: of the git repository of --git up to REV, or of the "
            + "states given. New commits appear as they come.",
          brief: "Play a history: of --git REPO, or of states")
      ],
      effect: .flag { $0.serve.showsHistory = true },
      rules: [
        .excludes(
          .option("since"), .option("replay"), .option("sample"), in: [.serve],
          because: "they show different things"),
        .excludes(
          .group(.selection), .option("max-depth"), .option("files-from"),
          because: "it shows the whole history"),
      ]),
    Option(
      name: "since", group: .map, commands: [.serve, .draw],
      help: "Show the changes since the state OLD: a folder, a snapshot, a map, an export, "
        + "git:REV, or kept:WHEN, for which WHEN alone will do. Repeatable, for several roots. New "
        + "files shine, changed ones glow, deleted ones are ruins.",
      brief: "Show the changes since OLD: a snapshot, git:REV, kept:WHEN",
      variants: [
        Variant(
          .draw,
          help: "Draw the changes since the state OLD: a folder, a snapshot, a map, an export, "
            + "git:REV, or kept:WHEN, for which WHEN alone will do. Repeatable, for several roots.")
      ],
      effect: .value(placeholder: "[LABEL=]OLD") { (low, text) in low.serve.since.append(text) },
      rules: [
        .excludes(.option("replay"), .option("sample"), because: "they show different things"),
        .excludes(
          .option("shade"), in: [.draw], because: "colours show changes, not contents"),
        .excludes(
          .group(.selection), in: [.draw],
          because: "states are drawn as they are; compare snapshots made with it"),
        .excludes(
          .option("files-from"),
          because: "a list can't be read again; give a snapshot of it, made with 'geomapper "
            + "snapshot --files-from'"),
        .excludes(
          .option("gitignore"),
          because:
            "git's rules are applied when a snapshot is taken; give them to 'geomapper snapshot'"),
      ]),
  ]

  /// Options that filter the nodes of a map or the entries of a comparison.
  static let filtered: [Option] = [
    Option(
      name: "zoom", group: .filters, commands: [.map, .diff, .since, .whereis],
      help: "Write only what is visible at zoom Z, 0 to 64. Hidden folders are not read.",
      brief: "Write only what is visible at zoom Z", longOnly: [.diff, .since],
      variants: [Variant(.whereis, help: "Answer as the map at zoom Z shows it, 0 to 64.")],
      effect: .number("Z", in: 0...64) { $0.map.filter.zoom = $1 },
      rules: [
        .excludes(
          .format([.pmtiles]), in: [.map], because: "--max-zoom says how deep tiles go"), .ofMap,
      ]),
    Option(
      name: "bbox", group: .filters, commands: [.map, .diff, .since, .draw],
      help: "Write only what touches this box, in degrees. With W greater than E it crosses the "
        + "antimeridian.",
      variants: [
        Variant(
          .draw, help: "Fill the sheet with this box, in degrees.",
          brief: "Fill the sheet with this box, in degrees")
      ],
      effect: .value(placeholder: "W,S,E,N") { (low, text) throws(Failure) in
        low.map.filter.box = try rethrowing(BoundingBox(parsing: text)) {
          (error: BoundingBox.Fault) in
          Failure.usage("\(error) (try W,S,E,N in degrees, such as -10,35,30,60)")
        }
      },
      rules: [.notOfTiles, .ofMap]),
    Option(
      name: "max-depth", group: .filters, commands: [.map, .diff, .since],
      help: "Write at most N levels below the roots [all].",
      brief: "Write at most N levels below the roots", longOnly: [.map, .diff, .since],
      effect: .number("N", in: 0...Int(Int32.max)) { $0.map.filter.maximumDepth = $1 },
      rules: [.notOfTiles, .ofMap]),
    Option(
      name: "since", group: .filters, commands: [.diff, .history],
      help: "Write only what changed at WHEN or later, by the times of the new state (see "
        + "'geomapper help time'). Removed files are always written: they have no time.",
      variants: [
        Variant(
          .history,
          help: "Write only what existed or happened at WHEN or later, such as 2026-01-31 or 2w "
            + "(see 'geomapper help time').",
          brief: "Write only what existed or happened at WHEN or later",
          effect: .moment { $0.history.filter.since = $1 })
      ],
      effect: .moment { $0.diff.since = $1 }),
    Option(
      name: "until", group: .filters, commands: [.history],
      help: "Write only what existed or happened at WHEN or earlier.",
      brief: "Write only what existed or happened at WHEN or earlier",
      effect: .moment { $0.history.filter.until = $1 }),
    Option(
      name: "path", group: .filters, commands: [.history],
      help: "Write only PATH and what is in it. Places on the map stay the same.",
      brief: "Write only PATH and what is in it",
      effect: .value(placeholder: "PATH") { (low, text) in
        // Accept `DIR/`, as shells complete it, and `/DIR`, as ignore files write it.
        let names = text.split(separator: UInt8.slash).filter { !$0.elementsEqual(".".utf8) }
        let path = Array(names.joined(separator: [UInt8.slash]))
        low.history.filter.path = path.isEmpty ? nil : path
      }),
  ]
}

extension OptionRule {
  static let notOfTiles = excludes(
    .format([.pmtiles]), in: [.map], because: "tiles need the whole map")

  fileprivate static let ofPinned = needs(
    .option("layout", ["pinned"]), because: "settled needs the folders on disk")
}
