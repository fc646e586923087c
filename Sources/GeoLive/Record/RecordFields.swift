import GeoCore
import GeoFormats

// The objects of the recording format. Writer, reader and exports follow these lists.

extension RecordingMetadata {
  static let fields: [RecordField<Self>] = [
    RecordField("version") { (_, buffer) in
      buffer.append(member: "version", text: Array(version.utf8))
    } take: { (reader, _) throws(Failure) in
      let text = try reader.text()
      if text.elementsEqual(version.utf8) { return true }
      throw .damage("version '\(TerminalText.escaped(text))' isn't known here, only \(version)")
    }.required,
    .member("recordedAt", \.recordedAt, .time).required,
    .member("device", \.device, .text),
    .member("systemVersion", \.systemVersion, .text),
    .member("duration", \.duration, .seconds(columns: EventText.columns)),
    .member("eventCount", \.eventCount, .count(columns: EventText.columns)),
    .member("name", \.name, .text),
    .member("tags", \.tags, .texts),
    .member("roots", \.roots, .texts),
    .member("projection", \.projection, .whole),
    .member("layout", \.layout, .text),
  ]
}

extension GeoLocation {
  static let fields: [RecordField<Self>] = [
    .object(
      "coordinate",
      [
        .member("latitude", \.latitude, .degrees(90)).required,
        .member("longitude", \.longitude, .degrees(180)).required,
      ]
    ).required,
    .measured("altitude", \.altitude),
    .measured("horizontalAccuracy", \.horizontalAccuracy),
    .measured("verticalAccuracy", \.verticalAccuracy),
    .measured("course", \.course, .inexact),
    .measured("courseAccuracy", \.courseAccuracy),
    .measured("speed", \.speed, .inexact),
    .measured("speedAccuracy", \.speedAccuracy),
    .member("floor", \.floor, .whole),
    .member("timestamp", \.timestamp, .time).required,
    .measured("ellipsoidalAltitude", \.ellipsoidalAltitude),
    .object(
      "sourceInformation",
      [
        .member("isSimulatedBySoftware", \.isSimulatedBySoftware, .flag),
        .member("isProducedByAccessory", \.isProducedByAccessory, .flag),
      ]),
    .member("path", \.path, .text).unless("rawPath"),
    .member("kind", \.kind, .word { "\($0.text)" }),
    .member("change", \.entryChange, .word(\.rawValue)),
    .member("from", \.previousPath, .text).unless("rawFrom"),
    .member("rawFrom", \.previousPath, .exact),
    .member("size", \.size, .count()),
    .member("rawPath", \.path, .exact),
  ]

  /// What a device measures besides the coordinate, with the names of columns and members.
  static let measurements = fields.compactMap { field in field.measurement.map { (field.name, $0) }
  }
}

extension RecordedSample {
  static let fields: [RecordField<Self>] = [
    .member("path", \.path, .text).required,
    .member("files", \.files, .whole).required,
    .member("folders", \.folders, .whole),
    .member("bytes", \.bytes, .whole).required,
    .member("allocated", \.allocated, .whole),
    .member("free", \.free, .whole),
  ]
}

extension RecordedAlert {
  static let fields: [RecordField<Self>] = [
    .member("name", \.name, .text),
    .member("path", \.path, .text),
    .member("rule", \.rule, .text),
    .member("value", \.value, .decimal),
    .member("limit", \.limit, .decimal),
    .member("state", \.state, .word(\.rawValue, fault: { _ in "an alert is raised or cleared" }))
      .required,
  ]
}
