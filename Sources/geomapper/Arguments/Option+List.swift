import GeoSources

extension Option {
  /// The options of a list that is read in place of a disk.
  static let list: [Option] = [
    Option(
      name: "files-from", group: .list,
      help: "Map the paths in LIST, in any order, instead of a disk; '-' is standard input. DIR, "
        + "which need not be there, is what they begin with and is taken off. A line that can't "
        + "be used is named and left out, and the exit status is 1.",
      effect: .value(placeholder: "LIST") { (low, text) in low.list.file = text }),
    Option(
      name: "list-format", group: .list,
      help: "lines (the default): a path a line; a folder ends in '/' or has others below it. "
        + "find: the output of find -printf '%s %T@ %y %p\\0'. ncdu or gdu: an export in JSON.",
      effect: .choice("FORMAT") { (low, value: ListFormat) in low.list.format = value }),
    Option(
      name: "null", short: "0", group: .list,
      help: "A zero byte stands behind each path of LIST, not a line end.",
      effect: .flag { $0.list.isZeroSeparated = true }),
  ]

  /// Where revisions are that stand in place of folders.
  static let git = Option(
    name: "git", group: .list,
    help: "Take each DIR for a revision of the git repository REPO, such as HEAD~10, v2.0 or "
      + "main:Sources; without any, HEAD. If one begins with 'git:', the others are folders or "
      + "files that exist, else revisions, and './x' is always a path. Without --git, 'git:' means the "
      + "current folder's repository. Read by the program 'git'; "
      + "sizes are the blobs', and submodules are not entered.",
    effect: .value(placeholder: "REPO") { (low, text) in low.gitRepository = text })
}
