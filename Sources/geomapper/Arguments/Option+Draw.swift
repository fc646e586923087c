import GeoDraw
import GeoFormats
import GeoCore
import GeoProjection

/// What `geomapper draw` is asked for.
struct DrawArguments: Equatable {
  /// The format of the frames of a film.
  var frames: FileFormat?
  var size: SheetSize?
  var title: [UInt8]?
  var isDark = false
  var shading: Shading?
  var date: Int64?
  /// The folder that is drawn, as it was given.
  var folder: [UInt8]?
}

extension Option {
  /// The options of `geomapper draw`.
  static let draw: [Option] =
    [
      .output(
        "Write to FILE, which is replaced when the sheet is complete and left alone if it "
          + "can't be; '-' is standard output, which must not be a terminal."),
      .format(
        FileFormat.holding(.pictures),
        help: "svg or png, which rsvg-convert or Chromium makes of it where one of these programs "
          + "is installed. Without it the name of FILE decides, else it is svg.",
        brief: "svg or png; else the name of FILE decides"),
      Option(
        name: "sheet", group: .output,
        help: "The size of the sheet: A3 (the default), A2, or WxH in millimetres, from 80 to "
          + "2000 and at most three to one. The legend goes on the right, or below on portrait "
          + "sheets.",
        brief: "A3 (the default), A2, or WxH in millimetres",
        effect: .value(placeholder: "SIZE") { (low, text) throws(BadValue) in
          guard let size = SheetSize(parsing: text) else {
            throw BadValue(
              reason: "takes A3, A2, or WxH in millimetres, such as 300x200, each from 80 to 2000 "
                + "and at most three to one, not '\(TerminalText.escaped(text))'")
          }
          low.draw.size = size
        },
        oldNames: [OldName(name: "size") { SheetSize(parsing: $0) != nil }]),
      Option(
        name: "title", group: .output,
        help: "What stands at the head; else the name of what is drawn.",
        effect: .value(placeholder: "TEXT") { (low, text) in low.draw.title = text }),
      Option(
        name: "date", group: .output,
        help: "Write on the sheet when it was surveyed: a date such as 2026-01-31. Without it no "
          + "date is on it, and the same tree gives the same bytes on any day.",
        effect: .value(placeholder: "DATE") { (low, text) throws(BadValue) in
          guard let date = Moment.seconds(parsing: text) else {
            throw BadValue(
              reason: "takes a date such as 2026-01-31, not '\(TerminalText.escaped(text))'")
          }
          low.draw.date = date
        }),

      Option(
        name: "shade", group: .map,
        help: "What the colours of lands tell: tints (the default) tells neighbours apart, size "
          + "how many bytes are below, age when anything below was changed last (before --date, or the "
          + "newest file), type which type of file has most bytes below.",
        brief: "tints (the default), size, age or type",
        effect: .choice("WHAT") { (low, value: Shading) in low.draw.shading = value }),
      Option(
        name: "dark", group: .map, help: "Draw light lines on dark ground.",
        effect: .flag { $0.draw.isDark = true }),
      Option(
        name: "folder", group: .map,
        help: "Draw a folder, LABEL/... as on the map or a path on disk, in place of the world; "
          + "what it lies in is drawn around it without contents.",
        brief: "Draw a folder, not the world",
        effect: .value(placeholder: "PATH") { (low, text) in low.draw.folder = text }),
    ] + map.filter { ["layout", "bbox"].contains($0.name) }.map(\.ofSheet)
    + map.filter { ["threads", "progress", "quiet", "help"].contains($0.name) }
    + [
      Option.staysOnFileSystem.unabridged, .followsLinks,
      .readingDepth("What is deeper is not drawn."),
    ]
    + selection + redaction
    + list + [.git]

  /// The same option where it says what is drawn.
  private var ofSheet: Option {
    guard name == "bbox" else { return self }
    return Option(
      name: name, group: .map,
      help: "Draw what lies in the box of these degrees, which fills the sheet.",
      brief: "Draw what lies in the box of these degrees", effect: effect)
  }
}
