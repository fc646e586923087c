extension Command {
  /// `geomapper deed`
  static let deed = Command(
    name: "deed",
    summary: "Write what is needed to map a part elsewhere.",
    usage: "deed [OPTION]... PATH\n       geomapper deed --split N [OPTION]... [[LABEL=]DIR]...",
    description: [
      "Write a deed: a small file that says where a folder's land is, so that 'geomapper map --deed' "
        + "maps what is in it with no knowledge of the rest. PATH is a folder on disk, in the folder "
        + "that --root names.",
      "With --split, a shallow scan of DIR, by default the current folder, judges how much work is "
        + "where; sub-trees are dealt out to about N deeds, and one more deed is for the rest, which "
        + "says what was cut out. Map each, on any machine that has DIR, and give the parts to "
        + "'geomapper join'.",
    ],
    options: Option.deed,
    examples: [
      Example(
        line: "geomapper deed --split 8 -o deeds /data", effect: "Make nine deeds of /data."),
      Example(
        line: "ls deeds | xargs -P8 -I{} geomapper map --deed deeds/{} -o parts/{} /data",
        effect: "Map them, eight at a time; parts is a folder."),
      Example(
        line: "geomapper join -o data.geojson parts/*",
        effect: "Put the parts together."),
    ],
    statuses: ExitMeaning.usual(
      "The deeds were made", incomplete: nil, wrong: "a path that is not on the map"),
    run: DeedCommand.run)

  /// `geomapper join`
  static let join = Command(
    name: "join",
    summary: "Put the parts of a map together.",
    usage: "join [OPTION]... PART...",
    description: [
      "Write the map that one run would have written, byte for byte, from parts that 'geomapper map "
        + "--deed' made of all deeds of one split, in any order. They have to be regular files. Each "
        + "part's check sum is compared; a part that is missing, doubled, foreign or changed is "
        + "refused."
    ],
    options: Option.join,
    examples: [
      Example(
        line: "geomapper join -o data.geojson parts/*",
        effect: "Put the parts together.")
    ],
    statuses: ExitMeaning.usual(
      "The map is whole",
      incomplete: "The map is complete but for what could not be read when the parts were mapped.",
      wrong: "parts that don't go together"),
    run: JoinCommand.run)
}
