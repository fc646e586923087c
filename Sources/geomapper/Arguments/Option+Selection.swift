import GeoCore
import GeoTree

extension Option {
  /// Options that select entries, and options that hide names.
  static let selected: [Option] = [
    Option(
      name: "exclude", group: .selection, commands: selecting,
      help: "Leave out what GLOB matches. Without '/' GLOB is a name at any depth; '/GLOB' and "
        + "'A/GLOB' are paths below DIR; 'GLOB/' matches folders only. '*' and '?' don't match "
        + "'/', '**' does. If several of --exclude, --exclude-from, --include, --no-hidden and "
        + "--gitignore match an entry, the last one on the command line wins.",
      brief: "Leave out what GLOB matches, such as node_modules", longOnly: [.history, .track],
      effect: .glob { $0.rules.append(.exclude($1)) }),
    Option(
      name: "exclude-from", group: .selection, commands: selecting,
      help: "Leave out what a line of FILE matches; '!GLOB' keeps it. Empty lines and lines "
        + "that begin with '#' are ignored; '-' is standard input.",
      effect: .path("FILE") { (low, text) in low.rules.append(.excludeFrom(text)) },
      rules: [
        .excludes(.option("files-from", ["-"]), with: ["-"], because: "both read standard input")
      ]),
    Option(
      name: "include", group: .selection, commands: selecting,
      help: "Keep what GLOB matches although an earlier --exclude matches it. With no --exclude "
        + "before the first --include: show only files that an --include matches.",
      effect: .glob { $0.rules.append(.include($1)) }),
    Option(
      name: "no-hidden", group: .selection, commands: selecting,
      help: "Leave out names that begin with a dot.",
      brief: "Leave out names that begin with a dot",
      longOnly: longOnly,
      effect: .flag { $0.rules.append(.noHidden) }),
    Option(
      name: "gitignore", group: .selection, commands: selecting,
      help: "Leave out what git ignores, and '.git' itself.",
      brief: "Leave out what git ignores",
      longOnly: [.locate, .whereis, .route, .keep, .history, .track],
      effect: .flag { $0.rules.append(.gitignore) },
      asksDisk: { $0.usesGitignore },
      rules: [
        .excludes(
          .option("files-from"),
          because: "it reads files of the tree, and a list has only names"),
        .excludes(
          .option("git"), in: [.history], because: "revisions have no git rules"),
      ]),
    Option(
      name: "name", group: .selection, commands: selecting.filter { $0 != .record },
      help: "Show only files whose name GLOB matches. Repeatable; one match is enough.",
      effect: .glob(checking: { try $0.requireName($1) }) { $0.names.append($1) }),
    Option(
      name: "type", group: .selection, commands: selecting.filter { $0 != .locate },
      help: "Show only these types: f (files), d (folders), l (symbolic links), p (named "
        + "pipes), s (sockets), b and c (devices). Folders are entered even without d.",
      gist: "Show only types: f, d, l, p, s, b, c, such as f,l",
      effect: .parsed(
        "T,...", "a list of f, d, l, p, s, b and c (try f,l)", by: kinds(parsing:)
      ) { $0.kinds = ($0.kinds ?? []).union($1) }),
    Option(
      name: "size", group: .selection, commands: selecting,
      help: "Show only files larger than (+N), smaller than (-N) or of exactly (N or =N) N bytes, "
        + "such as +1.5G. Units are \(SizeUnit.list), in small letters too. Repeatable; all must "
        + "match.",
      brief: "Show only files larger (+10M) or smaller (-10M)",
      longOnly: longOnly,
      effect: .parsed(
        "[+-=]N", "a size (try +10M, -1kB or =0); units are \(SizeUnit.list)",
        by: Selection.SizeCondition.init(parsing:)
      ) { $0.sizes.append($1) },
      rules: [.ofMetadata, .ofList]),
    Option(
      name: "newer", group: .selection, commands: selecting,
      help: "Show only files changed after WHEN, such as 7d, yesterday or 2026-01-31 (see "
        + "'geomapper help time'), or after a file, which stands for its time.",
      brief: "Show only files changed after WHEN, such as 7d",
      longOnly: longOnly,
      effect: .momentOrFile { $0.newer = $1 },
      rules: [.ofMetadata, .ofList, .ofTimes]),
    Option(
      name: "older", group: .selection, commands: selecting,
      help: "Show only files changed before WHEN.",
      effect: .momentOrFile { $0.older = $1 },
      rules: [.ofMetadata, .ofList, .ofTimes]),
    Option(
      name: "redact", group: .names,
      commands: [.map, .publish, .stats, .snapshot, .draw, .diff, .history],
      help: "Replace the names of what GLOB matches (as for --exclude) and of all that is in it. "
        + "New names depend on the path and a secret key, and reveal nothing. Sizes, times and "
        + "numbers of entries stay.",
      variants: [
        Variant(
          .history,
          help: "Replace the names of what GLOB matches (as for --exclude) and of all that is in "
            + "it, all authors and all revisions, and leave out subjects. New names depend on the "
            + "path and a secret key, and reveal nothing. Sizes and times stay.")
      ],
      effect: .glob { $0.redaction.globs.append($1) },
      rules: [
        .excludes(
          .group(.selection), in: [.diff],
          because: "states are compared as they are; compare snapshots made with both"),
        .excludes(
          .option("path"), in: [.history],
          because: "paths have new names; choose by --exclude and --include"),
      ]),
    Option(
      name: "redact-key", group: .names,
      commands: [.map, .publish, .stats, .snapshot, .draw, .diff, .history],
      help: "Read the secret key from FILE, which is created if needed "
        + "[~/.config/geomapper/redact.key]. The same key gives the same names. Keep it "
        + "secret: with the key, names can be guessed.",
      gist: "Read the secret key of the new names from FILE",
      effect: .path("FILE") { (low, text) in low.redaction.keyFile = text },
      rules: [.needs(.option("redact"), because: "it is for redacted names")]),
  ]

  /// The commands that can show a part of a tree.
  private static let selecting: [Command.Name] = [
    .map, .serve, .publish, .stats, .find, .locate, .whereis, .route, .verify, .snapshot, .keep,
    .diff, .history, .draw, .track, .record,
  ]

  /// The commands whose short help has no room for all of them.
  private static let longOnly: [Command.Name] = [
    .serve, .locate, .whereis, .route, .keep, .history, .track, .record,
  ]

  @Sendable
  private static func kinds(parsing text: [UInt8]) -> Set<EntryKind>? {
    let letters = text.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
    let kinds = letters.compactMap { letter -> EntryKind? in
      switch String(decoding: letter, as: UTF8.self) {
      case "f": .regular
      case "d": .directory
      case "l": .symlink
      case "p": .fifo
      case "s": .socket
      case "b": .block
      case "c": .character
      default: nil
      }
    }
    return kinds.count == letters.count ? Set(kinds) : nil
  }
}

extension Option.Effect {
  /// An option that takes a pattern, which is checked by adding it to a selection.
  fileprivate static func glob(
    checking add: @escaping @Sendable (inout Selection, [UInt8]) throws -> Void = {
      try $0.exclude($1)
    },
    store: @escaping @Sendable (inout LowArguments, [UInt8]) -> Void
  ) -> Self {
    .value(placeholder: "GLOB") { (low, text) throws(Failure) in
      var selection = Selection()
      try explaining("can't use this pattern") { try add(&selection, text) }
      store(&low, text)
    }
  }
}

extension OptionRule {
  static let ofMetadata = excludes(
    .option("no-stat"), in: [.map], because: "it needs sizes and times")

  fileprivate static let ofList = excludes(
    .listOfNames,
    because: "a list of paths has no sizes or times; make one with find -printf, and use "
      + "--list-format find")

  fileprivate static let ofTimes = excludes(
    .option("git"), in: [.history],
    because: "revisions have no times of files; try --since or --until")
}
