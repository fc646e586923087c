/// What is done where a tree is more than a tree.
struct LinkArguments {
  var staysOnFileSystem = false
  var follows = false
  var countsLinks = false
  var totals = false
}

extension Option {
  /// The options about links, mounts, and files with several names.
  static let links: [Option] = [
    Option(
      name: "one-file-system", short: "x", group: .reading,
      help: "Show folders that are in another file system than DIR, but don't enter them.",
      brief: "Stay in one file system",
      effect: .flag { $0.links.staysOnFileSystem = true }),
    Option(
      name: "follow", short: "L", group: .reading,
      help: "Take symbolic links for what they lead to: folders are entered through them, and "
        + "what can be reached on several ways is drawn several times. A folder that leads back to "
        + "one of its own ancestors is marked as a loop; a broken link stays a link.",
      effect: .flag { $0.links.follows = true }),
    Option(
      name: "links", group: .reading,
      help: "Say of files with several names how many there are (GeoJSON formats only).",
      effect: .flag { $0.links.countsLinks = true }),
    Option(
      name: "totals", group: .reading,
      help: "Say of each folder how many files and bytes are below it, whatever is left out; each "
        + "file counts once, however many names it has. Reads all of it first (GeoJSON formats, "
        + "csv and html).",
      brief: "Say how many files and bytes are below each folder",
      effect: .flag { $0.links.totals = true }),
  ]
}
