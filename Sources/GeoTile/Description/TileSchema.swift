/// What the layers of a tile hold.
enum TileSchema {
  /// A layer.
  struct Layer: Sendable {
    var name: String
    var description: String
    /// The properties of its features.
    var fields: [(name: String, description: String)]
  }

  private static let common: [(name: String, description: String)] = [
    ("name", "Last component of the path"),
    ("kind", "continent, country, state, district or poi"),
    ("depth", "0 for a root"),
    ("minzoom", "First zoom at which it is visible"),
  ]
  private static let facts: [(name: String, description: String)] = [
    ("size", "Bytes of a file, entries of a folder; absent if not known"),
    ("modified", "Unix time of the last change; absent if not known"),
    ("unreadable", "true if it could not be read; else absent"),
  ]
  private static let path = (name: "path", description: "Root's label and names, joined by /")
  private static let rawPath = (
    name: "rawPath", description: "The path percent-encoded, if it is no UTF-8; else absent"
  )

  static let layers = [
    Layer(
      name: "land", description: "Folders that own land",
      fields: [path, rawPath] + common + facts),
    Layer(
      name: "files", description: "Files, and folders without land",
      fields: [
        ("folder", "Path of the folder that holds it"),
        ("special", "symlink, fifo, socket, block or character; else absent"),
        ("rawName", "The name percent-encoded, if it is no UTF-8; else absent"),
        ("rawFolder", "The folder's path percent-encoded, if it is no UTF-8; else absent"),
      ] + common + facts),
    Layer(
      name: "labels", description: "Where names of lands belong",
      fields: [path, rawPath] + common + [("breadth", "Of the territory, as a part of the world")]),
  ]
}
