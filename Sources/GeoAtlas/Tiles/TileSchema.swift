import GeoCore
import GeoFormats
import GeoProjection

enum TileSchema {
  struct Layer: Sendable {
    var name: String
    var description: String
    var fields: [Field]
  }

  struct Field: Sendable {
    let name: String
    /// Its type, in the words of the MBTiles specification, which GDAL and others read.
    let type: String
    let description: String

    init(_ member: FeatureMember, _ description: String) {
      name = member.plainName.description
      type =
        switch member.valueKind {
        case .text: "String"
        case .flag: "Boolean"
        default: "Number"
        }
      self.description = description
    }

    init(_ column: LayerColumn, of layer: GeoCore.Layer) {
      name = column.name
      type = column.kind == .word ? "String" : "Number"
      description =
        switch column.content {
        case .value: "Layer \(layer.name); of folders by \(layer.summary.rawValue)"
        case .share: "Share of the folder's \(layer.name), 0 to 1"
        case .count: "Number of values below the folder"
        }
    }
  }

  private static let depth = Field(.depth, "0 for a root")
  private static let common = [
    Field(.name, "Last component of the path"),
    Field(.kind, "continent, country, state, district or poi"),
    depth,
    Field(.minzoom, "First zoom at which it is visible"),
  ]
  private static let facts = [
    Field(.size, "Bytes of a file, entries of a folder; absent if not known"),
    Field(.modified, "Unix time of the last change; absent if not known"),
    Field(.unreadable, "true if it could not be read; else absent"),
  ]
  private static let below = [
    Field(
      .files,
      "Files below it, each once; this and the next four are absent until they are known"),
    Field(.bytes, "Bytes of them"),
    Field(.allocated, "Their room on disk in bytes; absent if not known"),
    Field(.newest, "Unix time of the last change of any"),
    Field(.type, "What most of the bytes are"),
  ]
  private static let differences = [
    Field(
      .change,
      "added, removed, changed, moved or left; absent if it is the same in both states"),
    Field(
      .belowAdded,
      "Files below that only the new state has; this and what follows absent if 0"),
    Field(.belowRemoved, "Files below that only the old state has"),
    Field(.belowChanged, "Files below that are others"),
    Field(.belowMoved, "Files below that were elsewhere"),
    Field(.belowBytes, "By how many bytes all below grew"),
  ]
  private static let differencesOfFiles = [
    Field(.wasSize, "Of a changed file, bytes before"),
    Field(.wasModified, "Of a changed file, Unix time of the change before"),
    Field(
      .wasSpecial,
      "Of a changed file, its former type if it was not a regular file, or no longer is one"),
    Field(.from, "Where a file that moved was"),
    Field(.rawFrom, "The same percent-encoded, if it is not UTF-8; else absent"),
    Field(.to, "Where a file that has left is"),
    Field(.rawTo, "The same percent-encoded, if it is not UTF-8; else absent"),
  ]
  private static let path = Field(.path, "Root's label and names, joined by /")
  private static let rawPath = Field(
    .rawPath, "The path percent-encoded, if it is not UTF-8; else absent")
  private static let rawFolder = Field(
    .rawFolder, "The folder's path percent-encoded, if it is not UTF-8; else absent")
  private static let breadth = Field(
    .breadth, "Of the territory, as a part of the world")
  private static let tint = Field(
    .tint, "A number from 0 to 5; neighbours in the same folder have different ones")

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

  static func fields(of layers: [GeoCore.Layer]) -> [Field] {
    LayerColumn.all(of: layers).map { Field($0, of: layers[$0.layer]) }
  }

  static let layers = [
    Layer(
      name: "land", description: "Folders that own land",
      fields: [path, rawPath] + common + facts + [breadth, tint] + below),
    Layer(
      name: "cells",
      description: "What lands were cut out of, by id; those of neighbours adjoin. "
        + "All but the depth and the tint only where the land itself is not to be seen",
      fields: [
        depth, breadth, tint, path, rawPath,
        Field(.minzoom, "As the land has it"),
      ] + below),
    Layer(
      name: "towns", description: "Ground of files that are not to be seen yet",
      fields: [
        Field(.folder, "Path of the folder that holds them"), rawFolder,
        Field(.files, "How many there are"),
        Field(.minzoom, "First zoom at which they are visible"),
      ]),
    Layer(
      name: "files", description: "Files, and folders without land",
      fields: [
        Field(.folder, "Path of the folder that holds it"),
        Field(.special, "symlink, fifo, socket, block or character; else absent"),
        Field(.rawName, "The name percent-encoded, if it is not UTF-8; else absent"),
        rawFolder,
      ] + common + facts + below),
    Layer(
      name: "labels", description: "Where names of lands belong",
      fields: [path, rawPath] + common + [breadth]),
  ]
}
