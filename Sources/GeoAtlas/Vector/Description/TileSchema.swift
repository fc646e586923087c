/// What the layers of a tile hold.
enum TileSchema {
  /// A layer.
  struct Layer: Sendable {
    var name: String
    var description: String
    /// The properties of its features.
    var fields: [Field]
  }

  /// What a property holds, in the words of the MBTiles specification, which GDAL and others read.
  enum FieldType: String, Sendable {
    case number = "Number"
    case boolean = "Boolean"
    case string = "String"
  }

  /// A property of a layer's features.
  struct Field: Sendable {
    var name: String
    var type: FieldType
    var description: String

    init(_ name: String, _ type: FieldType, _ description: String) {
      (self.name, self.type, self.description) = (name, type, description)
    }
  }

  private static let depth = Field("depth", .number, "0 for a root")
  private static let common = [
    Field("name", .string, "Last component of the path"),
    Field("kind", .string, "continent, country, state, district or poi"),
    depth,
    Field("minzoom", .number, "First zoom at which it is visible"),
  ]
  private static let facts = [
    Field("size", .number, "Bytes of a file, entries of a folder; absent if not known"),
    Field("modified", .number, "Unix time of the last change; absent if not known"),
    Field("unreadable", .boolean, "true if it could not be read; else absent"),
  ]
  private static let below = [
    Field(
      "files", .number,
      "Files below it, each once; this and the next three are absent until they are known"),
    Field("bytes", .number, "Bytes of them"),
    Field("newest", .number, "Unix time of the last change of any"),
    Field("type", .string, "What most of the bytes are"),
  ]
  /// What layers say of two states.
  private static let differences = [
    Field(
      "change", .string,
      "added, removed, changed, moved or left; absent if it is the same in both states"),
    Field(
      "below_added", .number,
      "Files below that only the new state has; this and what follows absent if 0"),
    Field("below_removed", .number, "Files below that only the old state has"),
    Field("below_changed", .number, "Files below that are others"),
    Field("below_moved", .number, "Files below that were elsewhere"),
    Field("below_bytes", .number, "By how many bytes all below grew"),
  ]
  private static let differencesOfFiles = [
    Field("was_size", .number, "Of a changed file, bytes before"),
    Field("was_modified", .number, "Of a changed file, Unix time of the change before"),
    Field(
      "was_special", .string,
      "Of a changed file, what it was if it was no regular one, or is none any more"),
    Field("from", .string, "Where a file that moved was"),
    Field("rawFrom", .string, "The same percent-encoded, if it is no UTF-8; else absent"),
    Field("to", .string, "Where a file that has left is"),
    Field("rawTo", .string, "The same percent-encoded, if it is no UTF-8; else absent"),
  ]
  private static let path = Field("path", .string, "Root's label and names, joined by /")
  private static let rawPath = Field(
    "rawPath", .string, "The path percent-encoded, if it is no UTF-8; else absent")
  private static let rawFolder = Field(
    "rawFolder", .string, "The folder's path percent-encoded, if it is no UTF-8; else absent")
  private static let breadth = Field(
    "breadth", .number, "Of the territory, as a part of the world")

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
      description: "What lands were cut out of, by id; those of neighbours adjoin. "
        + "All but the depth only where the land itself is not to be seen",
      fields: [
        depth, breadth, path, rawPath,
        Field("minzoom", .number, "As the land has it"),
      ] + below),
    Layer(
      name: "towns", description: "Ground of files that are not to be seen yet",
      fields: [
        Field("folder", .string, "Path of the folder that holds them"), rawFolder,
        Field("files", .number, "How many there are"),
        Field("minzoom", .number, "First zoom at which they are visible"),
      ]),
    Layer(
      name: "files", description: "Files, and folders without land",
      fields: [
        Field("folder", .string, "Path of the folder that holds it"),
        Field("special", .string, "symlink, fifo, socket, block or character; else absent"),
        Field("rawName", .string, "The name percent-encoded, if it is no UTF-8; else absent"),
        rawFolder,
      ] + common + facts + below),
    Layer(
      name: "labels", description: "Where names of lands belong",
      fields: [path, rawPath] + common + [breadth]),
  ]
}
