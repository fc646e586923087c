/// In which order GPX 1.1 has the elements of a part of a document.
struct GPXOrder {
  /// The names, in their order.
  let names: [String]
  /// Where links belong.
  let linkRank: Int

  /// Where the author and the time belong in `metadata`.
  static let authorRank = 2
  static let timeRank = 5

  /// In a point, after `ele` and `time`.
  static let point = GPXOrder(
    names: [
      "magvar", "geoidheight", "name", "cmt", "desc", "src", "link", "sym", "type", "fix", "sat",
      "hdop", "vdop", "pdop", "ageofdgpsdata", "dgpsid",
    ], linkRank: 6)
  /// In a route or a track, before its points.
  static let line = GPXOrder(
    names: ["name", "cmt", "desc", "src", "link", "number", "type"], linkRank: 4)
  /// In `metadata`, but for `time` and `bounds`.
  static let metadata = GPXOrder(
    names: ["name", "desc", "author", "copyright", "link", "time", "keywords"], linkRank: 4)

  /// At the end of the document, where extensions alone may be.
  static let none = GPXOrder(names: [], linkRank: 0)

  /// Where an element belongs; nil if there is none such.
  func rank(of name: String) -> Int? { names.firstIndex(of: name) }
}
