import GeoCore
import GeoFormats
import GeoProjection

/// What a path leads to.
enum PathType: String, CaseIterable {
  case d
  case f
}

extension Option {
  /// What is on the map, and where.
  static let placed: [Option] = [
    Option(
      name: "root", group: .map, commands: [.locate, .whereis, .route, .track, .split],
      help: "A folder that is a continent of the map; may be given several times, and all of them "
        + "together decide where they are. By default the current folder.",
      brief: "A continent of the map; by default this folder",
      variants: [
        Variant(
          .split,
          help:
            "The world that PATH is in, by default the current folder; give it again for each of "
            + "several roots.",
          brief: "The world that PATH is in")
      ],
      effect: .value(placeholder: "[LABEL=]DIR") { (low, text) in low.roots.append(text) }),
    Option(
      name: "layout", group: .map,
      commands: Command.Name.allCases.filter {
        ![.stats, .join, .snapshot, .replay, .recordings].contains($0)
      },
      help: "settled (the default): folders share the land of their parent, none overlap. "
        + "pinned: a path alone decides where it is; some siblings overlap.",
      variants: [
        Variant(
          .publish, .find, .locate, .whereis, .route, .track,
          help: "The map's layout: settled (the default) or pinned.",
          brief: "settled (the default) or pinned"),
        Variant(
          .verify,
          help: "Check DIR in this layout only; the layout of a FILE that doesn't say so itself: "
            + "settled (the default there) or pinned.",
          brief: "Check this layout only: settled or pinned"),
      ],
      effect: .choice("LAYOUT") { (low, value: Layout) in low.layout = value },
      rules: [
        .excludes(.option("shard"), in: [.map], because: "the shard manifest sets the layout"),
        .ofMap,
      ]),
    Option(
      name: "type", group: .map, commands: [.locate],
      help: "What PATH is, if it need not exist (--layout pinned): d a folder, f a file. "
        + "A '/' behind it says that it is a folder, too.",
      effect: .choice("TYPE") { (low, value: PathType) in low.atlas.isFolder = value == .d },
      rules: [.ofPinned]),
    Option(
      name: "count", group: .map, commands: [.locate],
      help: "With --layout pinned, read the listing that a file's minzoom depends on.",
      effect: .flag { $0.atlas.counts = true }, rules: [.ofPinned]),
    Option(
      name: "shard", group: .map, commands: [.map],
      help:
        "Map one part: FILE is a shard manifest of 'geomapper split', or '-' for standard input. "
        + "DIR is the folder that was split. 'geomapper join' puts the parts together.",
      effect: .path("FILE") { (low, text) in low.shards.manifest = text },
      oldNames: [OldName(name: "deed")],
      rules: [
        .excludes(
          .format(
            FileFormat.holding([.nodes, .tiles]).filter {
              $0.ofMap?.traits.isDisjoint(with: [.parts, .standsAlone]) ?? true
            }), because: "it maps a part, and that shows a whole map"),
        .excludes(
          .option("files-from", ["-"]), .option("exclude-from", ["-"]), with: ["-"],
          because: "both read standard input"),
      ]),
    Option(
      name: "old", group: .map, commands: [.diff],
      help: "What the old state has; given again, it has several roots. Roots of both states are "
        + "the same if their labels are.",
      effect: .value(placeholder: "[LABEL=]STATE") { (low, text) in low.diff.old.append(text) }),
    Option(
      name: "new", group: .map, commands: [.diff],
      help: "What the new state has; given again, it has several roots.",
      effect: .value(placeholder: "[LABEL=]STATE") { (low, text) in low.diff.new.append(text) }),
    Option(
      name: "history", group: .map, commands: [.serve, .publish],
      help: "Play a history on the map, as 'geomapper history' tells it: with --git of the "
        + "repository up to REV, else of the states that the operands are.",
      variants: [
        Variant(
          .serve,
          help: "Play a history on the map, as 'geomapper history' tells it: with --git of the "
            + "repository up to REV, else of the states that the operands are. "
            + "New commits show as they come.",
          brief: "Play a history: of --git REPO, or of states")
      ],
      effect: .flag { $0.serve.showsHistory = true },
      rules: [
        .excludes(
          .option("since"), .option("replay"), .option("sample"), in: [.serve],
          because: "they show different things"),
        .excludes(
          .group(.selection), .option("max-depth"), .option("files-from"),
          because: "it shows all of a history"),
        .excludes(.group(.names), in: [.publish], because: "a history tells of all names"),
      ]),
    Option(
      name: "since", group: .map, commands: [.serve],
      help: "Show what has changed since the state OLD, which may be whatever 'geomapper diff' "
        + "takes: a folder, a snapshot, a map or an export, git:REV. Given again, it has several "
        + "roots. Both states lie on one land: what is new shines, what changed glows, what is gone "
        + "is a ruin.",
      brief: "Show what has changed since OLD, a snapshot, a folder, git:REV",
      effect: .value(placeholder: "[LABEL=]OLD") { (low, text) in low.serve.since.append(text) },
      rules: [
        .excludes(.option("replay"), .option("sample"), because: "they show different things"),
        .excludes(
          .option("files-from"),
          because: "a list can't be read again; make a snapshot of it with 'geomapper snapshot "
            + "--files-from', and give that"),
        .excludes(
          .option("gitignore"),
          because:
            "git's rules are read when a snapshot is taken; give them to 'geomapper snapshot'"),
      ]),
  ]

  /// What is written of a map, or told of states.
  static let filtered: [Option] = [
    Option(
      name: "zoom", group: .filters, commands: [.map, .diff, .whereis],
      help: "Only what is visible at zoom Z, 0 to 64; hidden folders are not read.",
      brief: "Only what is visible at zoom Z", longOnly: [.diff],
      variants: [Variant(.whereis, help: "Answer as a map at zoom Z shows it, 0 to 64.")],
      effect: .number("Z", in: 0...64) { $0.zoom = $1 },
      rules: [
        .excludes(
          .format([.pmtiles]), in: [.map], because: "--max-zoom says how deep tiles go"), .ofMap,
      ]),
    Option(
      name: "bbox", group: .filters, commands: [.map, .diff, .draw],
      help: "Only what meets the box of these degrees; W above E crosses the antimeridian.",
      variants: [
        Variant(
          .draw, help: "Draw what lies in the box of these degrees, which fills the sheet.",
          brief: "Draw what lies in the box of these degrees")
      ],
      effect: .value(placeholder: "W,S,E,N") { (low, text) throws(BadValue) in
        do throws(BoundingBoxError) {
          low.box = try BoundingBox(parsing: text)
        } catch {
          throw BadValue(reason: "takes W,S,E,N in degrees, such as -10,35,30,60: \(error)")
        }
      },
      rules: [.notOfTiles, .ofMap]),
    Option(
      name: "max-depth", group: .filters, commands: [.map, .diff],
      help: "No deeper than N levels below the roots, which are at depth 0.",
      brief: "No deeper than N levels", longOnly: [.diff],
      effect: .number("N", in: 0...Int(Int32.max)) { $0.maxDepth = $1 },
      rules: [.notOfTiles, .ofMap]),
    Option(
      name: "since", group: .filters, commands: [.diff, .history],
      help: "Only what was changed at WHEN or later, by the times in the new state: a date or time "
        + "such as 2026-01-31 or 2026-01-31T12:00+01:00 (UTC if no zone is given), or @SECONDS since "
        + "1970. What is gone has no time there, and is told anyway.",
      variants: [
        Variant(
          .history,
          help:
            "Only what lived, or happened, at WHEN or later: a date or time such as 2026-01-31 or "
            + "2026-01-31T12:00+01:00 (UTC if no zone is given), or @SECONDS since 1970.",
          brief: "Only what lived, or happened, at WHEN or later",
          effect: .moment { $0.history.since = $1 })
      ],
      effect: .moment { $0.diff.since = $1 }),
    Option(
      name: "until", group: .filters, commands: [.history],
      help: "Only what lived, or happened, at WHEN or earlier.",
      brief: "Only what lived, or happened, at WHEN or earlier",
      effect: .moment { $0.history.until = $1 }),
    Option(
      name: "path", group: .filters, commands: [.history],
      help: "Only what is at PATH of the tree, or below it. Where it is on the map doesn't depend "
        + "on it.",
      brief: "Only what is at PATH, or below it",
      effect: .value(placeholder: "PATH") { (low, text) in
        // As shells complete it, and as files of rules begin it.
        let names = text.split(separator: UInt8.slash).filter { !$0.elementsEqual(".".utf8) }
        low.history.path = names.isEmpty ? nil : Array(names.joined(separator: [UInt8.slash]))
      }),
  ]
}

extension OptionRule {
  /// Of what narrows a map, which tiles are cut from as a whole.
  static let notOfTiles = excludes(
    .format([.pmtiles]), in: [.map], because: "tiles are of a whole map")

  /// Of what takes the place of looking at what is there.
  fileprivate static let ofPinned = needs(
    .option("layout", ["pinned"]), because: "settled looks at what is there")
}
