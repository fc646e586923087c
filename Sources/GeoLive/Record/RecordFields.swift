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
    .member("recordedAt", .time, { $0.recordedAt }, { $0.recordedAt = $1 }).required,
    .member("device", .text, { $0.device }, { $0.device = $1 }),
    .member("systemVersion", .text, { $0.systemVersion }, { $0.systemVersion = $1 }),
    .optional(
      "duration", .seconds(columns: EventText.columns), { $0.duration }, { $0.duration = $1 }),
    .optional(
      "eventCount", .count(columns: EventText.columns), { $0.eventCount }, { $0.eventCount = $1 }),
    .optional("name", .text, { $0.name }, { $0.name = $1 }),
    .member("tags", .texts, { $0.tags }, { $0.tags = $1 }),
    .member("roots", .texts, { $0.roots }, { $0.roots = $1 }),
    .optional("projection", .whole, { $0.projection }, { $0.projection = $1 }),
    .optional("layout", .text, { $0.layout }, { $0.layout = $1 }),
  ]
}

extension GeoLocation {
  static let fields: [RecordField<Self>] = [
    .object(
      "coordinate",
      [
        .member("latitude", .degrees(90), { $0.latitude }, { $0.latitude = $1 }).required,
        .member("longitude", .degrees(180), { $0.longitude }, { $0.longitude = $1 }).required,
      ]
    ).required,
    .measured("altitude", .decimal, { $0.altitude }, { $0.altitude = $1 }),
    .measured(
      "horizontalAccuracy", .decimal, { $0.horizontalAccuracy }, { $0.horizontalAccuracy = $1 }),
    .measured("verticalAccuracy", .decimal, { $0.verticalAccuracy }, { $0.verticalAccuracy = $1 }),
    .measured("course", .inexact, { $0.course }, { $0.course = $1 }),
    .measured("courseAccuracy", .decimal, { $0.courseAccuracy }, { $0.courseAccuracy = $1 }),
    .measured("speed", .inexact, { $0.speed }, { $0.speed = $1 }),
    .measured("speedAccuracy", .decimal, { $0.speedAccuracy }, { $0.speedAccuracy = $1 }),
    .optional("floor", .whole, { $0.floor }, { $0.floor = $1 }),
    .member("timestamp", .time, { $0.timestamp }, { $0.timestamp = $1 }).required,
    .measured(
      "ellipsoidalAltitude", .decimal, { $0.ellipsoidalAltitude }, { $0.ellipsoidalAltitude = $1 }),
    .object(
      "sourceInformation",
      [
        .member(
          "isSimulatedBySoftware", .flag, { $0.isSimulatedBySoftware },
          { $0.isSimulatedBySoftware = $1 }),
        .member(
          "isProducedByAccessory", .flag, { $0.isProducedByAccessory },
          { $0.isProducedByAccessory = $1 }),
      ]),
    .optional("path", .text, { $0.rawPath }, { $0.rawPath = $1 }).unless("rawPath"),
    .optional("kind", .word { "\($0.text)" }, { $0.kind }, { $0.kind = $1 }),
    .optional("change", .word(\.rawValue), { $0.entryChange }, { $0.entryChange = $1 }),
    .optional("from", .text, { $0.rawOldPath }, { $0.rawOldPath = $1 }).unless("rawFrom"),
    .optional("rawFrom", .exact, { $0.rawOldPath }, { $0.rawOldPath = $1 }),
    .optional("size", .count(), { $0.size }, { $0.size = $1 }),
    .optional("rawPath", .exact, { $0.rawPath }, { $0.rawPath = $1 }),
  ]

  /// What a device measures besides the coordinate.
  static let measurements = fields.compactMap { field in field.measurement.map { (field.name, $0) }
  }
}

extension RecordedSample {
  static let fields: [RecordField<Self>] = [
    .member("path", .text, { $0.path }, { $0.path = $1 }).required,
    .member("files", .whole, { $0.files }, { $0.files = $1 }).required,
    .member("folders", .whole, { $0.folders }, { $0.folders = $1 }),
    .member("bytes", .whole, { $0.bytes }, { $0.bytes = $1 }).required,
    .member("allocated", .whole, { $0.allocated }, { $0.allocated = $1 }),
    .optional("free", .whole, { $0.free }, { $0.free = $1 }),
  ]
}

extension RecordedAlert {
  static let fields: [RecordField<Self>] = [
    .member("name", .text, { $0.name }, { $0.name = $1 }),
    .member("path", .text, { $0.path }, { $0.path = $1 }),
    .member("rule", .text, { $0.rule }, { $0.rule = $1 }),
    .member("value", .decimal, { $0.value }, { $0.value = $1 }),
    .member("limit", .decimal, { $0.limit }, { $0.limit = $1 }),
    .member(
      "state", .word(\.rawValue, fault: { _ in "an alert is raised or cleared" }), { $0.state },
      { $0.state = $1 }
    )
    .required,
  ]
}
