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
  private static let below: [(name: String, description: String)] = [
    ("files", "Files below it, each once; this and the next three are absent until they are known"),
    ("bytes", "Bytes of them"), ("newest", "Unix time of the last change of any"),
    ("type", "What most of the bytes are"),
  ]
  /// What layers say of two states.
  private static let differences: [(name: String, description: String)] = [
    ("change", "added, removed, changed, moved or left; absent if it is the same in both states"),
    ("below_added", "Files below that only the new state has; this and what follows absent if 0"),
    ("below_removed", "Files below that only the old state has"),
    ("below_changed", "Files below that are others"),
    ("below_moved", "Files below that were elsewhere"),
    ("below_bytes", "By how many bytes all below grew"),
  ]
  private static let differencesOfFiles: [(name: String, description: String)] = [
    ("was_size", "Of a changed file, bytes before"),
    ("was_modified", "Of a changed file, Unix time of the change before"),
    ("was_special", "Of a changed file, what it was if it was no regular one, or is none any more"),
    ("from", "Where a file that moved was; rawFrom percent-encoded, if it is no UTF-8"),
    ("to", "Where a file that has left is; rawTo percent-encoded, if it is no UTF-8"),
  ]
  private static let path = (name: "path", description: "Root's label and names, joined by /")
  private static let rawPath = (
    name: "rawPath", description: "The path percent-encoded, if it is no UTF-8; else absent"
  )

  private static let breadth = (
    name: "breadth", description: "Of the territory, as a part of the world"
  )

  /// The layers of a world of two states.
  static let layersOfTwoStates = layers.map { layer in
    var layer = layer
    switch layer.name {
    case "land", "cells": layer.fields += differences
    case "files": layer.fields += differences + differencesOfFiles
    case "labels": layer.fields += differences.prefix(1)
    default: break
    }
    return layer
  }

  static let layers = [
    Layer(
      name: "land", description: "Folders that own land",
      fields: [path, rawPath] + common + facts + [breadth] + below),
    Layer(
      name: "cells",
      description: "What lands were cut out of, by id; those of neighbours adjoin",
      fields: [
        ("depth", "0 for a root"), breadth, path,
        ("minzoom", "As the land has it; these three only where the land itself is not to be seen"),
      ]),
    Layer(
      name: "towns", description: "Ground of files that are not to be seen yet",
      fields: [
        ("folder", "Path of the folder that holds them"), ("files", "How many there are"),
        ("minzoom", "First zoom at which they are visible"),
      ]),
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
      fields: [path, rawPath] + common + [breadth]),
  ]
}
