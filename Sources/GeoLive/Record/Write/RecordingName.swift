import GeoFormats
import GeoCore

/// How recordings are called that nobody has named.
package enum RecordingName {
  /// `geo_log_YYYY-MM-DD_HH-MM-SS.json` of a time in UTC; with `-2`, `-3` and so on before the end for
  /// further ones.
  ///
  /// - Parameter seconds: Unix time, of the years 1 to 9999.
  package static func of(seconds: Int64, number: Int) -> [UInt8] {
    let time = Array(CivilTime.text(unixSeconds: seconds).utf8.prefix(19)).map { byte in
      byte == UInt8(ascii: "T")
        ? UInt8(ascii: "_") : byte == UInt8(ascii: ":") ? UInt8(ascii: "-") : byte
    }
    return Array("geo_log_".utf8) + time + Array((number > 1 ? "-\(number).json" : ".json").utf8)
  }

  /// Whether the bytes can be the name of a recording: one file name, and no other.
  package static func isValid(_ name: [UInt8]) -> Bool {
    EntryName.isValid(name) && name.count <= 255
  }
}
