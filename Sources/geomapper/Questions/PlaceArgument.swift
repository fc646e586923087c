import GeoCore
import GeoProjection

/// A place as users type or paste it: `LON,LAT` in degrees, or with letters in either order, as in
/// `52.5N 13.4E`.
enum PlaceArgument {
  private enum Axis {
    case longitude, latitude
  }

  private struct Part {
    let degrees: Double
    let axis: Axis?
  }

  /// Parses a place from all operands together, because a pasted one may contain a blank.
  static func point(_ operands: [[UInt8]]) throws(Failure) -> ExactPoint {
    let text = Array(operands.joined(separator: [UInt8(ascii: " ")]))
    guard let (first, second) = parts(text) else { throw refused(text) }
    let (longitude, latitude): (Double, Double)
    switch (first.axis, second.axis) {
    case (nil, nil), (.longitude?, .latitude?):
      (longitude, latitude) = (first.degrees, second.degrees)
    case (.latitude?, .longitude?): (longitude, latitude) = (second.degrees, first.degrees)
    default: throw refused(text)
    }
    guard -180...180 ~= longitude, -90...90 ~= latitude else {
      let isTurned = first.axis == nil && -180...180 ~= latitude && -90...90 ~= longitude
      throw refused(text, isTurned ? "; as LAT,LON it would be one: turn it round" : "")
    }
    return ExactPoint(longitude: longitude, latitude: latitude)
  }

  private static func refused(_ text: [UInt8], _ advice: String = "") -> Failure {
    .usage(
      "a place is LON,LAT in degrees, such as 13.4,52.5 or 52.5N,13.4E (-180 to 180, -90 to 90), "
        + "not \(text.quoted)\(advice)")
  }

  private static func parts(_ text: [UInt8]) -> (Part, Part)? {
    var words: [[UInt8]] = []
    for word in text.split(whereSeparator: { $0 == 0x20 || $0 == UInt8(ascii: ",") }) {
      // `13.4° E` is one number, too.
      if word.count == 1, letter(word[word.startIndex]) != nil, !words.isEmpty {
        words[words.count - 1] += word
      } else {
        words.append(Array(word))
      }
    }
    guard text.count(where: { $0 == UInt8(ascii: ",") }) <= 1, words.count == 2,
      let first = part(words[0]), let second = part(words[1])
    else { return nil }
    return (first, second)
  }

  private static func part(_ word: [UInt8]) -> Part? {
    var rest = word[...]
    let found = rest.last.flatMap { letter($0) }
    if found != nil { rest.removeLast() }
    let degree = Array("°".utf8)
    if rest.count > degree.count, rest.suffix(degree.count).elementsEqual(degree) {
      rest = rest.dropLast(degree.count)
    }
    guard let number = BoundingBox.degrees(rest) else { return nil }
    guard let found else { return Part(degrees: number, axis: nil) }
    // A number can't have both a sign and a letter.
    return number.sign == .minus ? nil : Part(degrees: number * found.sign, axis: found.axis)
  }

  private static func letter(_ byte: UInt8) -> (axis: Axis, sign: Double)? {
    switch byte & 0xDF {
    case UInt8(ascii: "E"): (.longitude, 1)
    case UInt8(ascii: "W"): (.longitude, -1)
    case UInt8(ascii: "N"): (.latitude, 1)
    case UInt8(ascii: "S"): (.latitude, -1)
    default: nil
    }
  }
}
