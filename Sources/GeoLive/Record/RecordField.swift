import GeoCore
import GeoFormats

/// A member of an object in a recording: its name, and how its value is written and read.
///
/// A list of fields describes an object for writer and reader. Members are written in the order of
/// the list, and read in any order.
struct RecordField<Record>: Sendable {
  // Closures, as a key path costs several times as much for each value of each event.
  typealias Getter<Value> = @Sendable (Record) -> Value
  typealias Setter<Value> = @Sendable (inout Record, Value) -> Void

  let name: StaticString
  let text: String
  /// With a comma before it, if the record has a value.
  let put: @Sendable (Record, inout OutputBuffer) -> Void
  /// Returns whether the value is complete.
  let take: @Sendable (inout RecordingReader, inout Record) throws(Failure) -> Bool
  private(set) var isRequired = false
  /// The member that has the exact value, if this one can't.
  private(set) var exact: String?
  /// The value, if a device measures it.
  private(set) var measurement: Getter<Double>?

  init(
    _ name: StaticString, put: @escaping @Sendable (Record, inout OutputBuffer) -> Void,
    take: @escaping @Sendable (inout RecordingReader, inout Record) throws(Failure) -> Bool
  ) {
    (self.name, text, self.put, self.take) = (name, "\(name)", put, take)
  }

  static func member<Value>(
    _ name: StaticString, _ form: RecordValue<Value>, _ get: @escaping Getter<Value>,
    _ set: @escaping Setter<Value>
  ) -> Self {
    let text = "\(name)"
    return Self(name) { (record, buffer) in
      form.put(name, get(record), &buffer)
    } take: { (reader, record) throws(Failure) in
      set(&record, try form.take(&reader, text))
      return true
    }
  }

  static func optional<Value>(
    _ name: StaticString, _ form: RecordValue<Value>, _ get: @escaping Getter<Value?>,
    _ set: @escaping Setter<Value?>
  ) -> Self {
    let text = "\(name)"
    return Self(name) { (record, buffer) in
      if let value = get(record) { form.put(name, value, &buffer) }
    } take: { (reader, record) throws(Failure) in
      set(&record, try form.take(&reader, text))
      return true
    }
  }

  static func measured(
    _ name: StaticString, _ form: RecordValue<Double>, _ get: @escaping Getter<Double>,
    _ set: @escaping Setter<Double>
  ) -> Self {
    var field = member(name, form, get, set)
    field.measurement = get
    return field
  }

  static func object(_ name: StaticString, _ fields: [Self]) -> Self {
    Self(name) { (record, buffer) in
      buffer.append(member: name)
      buffer.append(fields, of: record)
    } take: { (reader, record) throws(Failure) in
      try reader.take(fields, into: &record) == nil
    }
  }

  var required: Self {
    var field = self
    field.isRequired = true
    return field
  }

  func unless(_ exact: StaticString) -> Self {
    var field = self
    field.exact = "\(exact)"
    return field
  }
}

/// How a value is written and read.
struct RecordValue<Value>: Sendable {
  let put: @Sendable (_ name: StaticString, Value, inout OutputBuffer) -> Void
  let take: @Sendable (inout RecordingReader, _ name: String) throws(Failure) -> Value
}

extension RecordValue<Double> {
  /// Written as the shortest decimal text if it is finite.
  static let decimal = Self(
    put: { if $1.isFinite { $2.append(member: $0, decimal: $1) } },
    take: { (reader, _) throws(Failure) in try reader.decimal() })

  /// Written with a decimal point in any case.
  static let inexact = Self(
    put: {
      decimal.put($0, $1, &$2)
      if $1.isFinite, $1 == $1.rounded() { $2.append(".0") }
    }, take: decimal.take)

  /// Positive or negative.
  static func degrees(_ maximum: Double) -> Self {
    Self(
      put: decimal.put,
      take: { (reader, name) throws(Failure) in
        let number = try reader.decimal()
        if abs(number) <= maximum { return number }
        throw .damage("\(name) is beyond \(Int(maximum)) degrees")
      })
  }

  /// With one to three decimals, at least 0.
  static func seconds(columns: Int = 0) -> Self {
    Self(
      put: {
        $2.append(member: $0)
        $2.append(EventText.field(seconds: $1, columns: columns).span)
      },
      take: { (reader, name) throws(Failure) in
        let seconds = try reader.decimal()
        if seconds < 0 { throw .damage("\(name) is below 0") }
        return seconds
      })
  }
}

extension RecordValue where Value: FixedWidthInteger & Sendable {
  static var whole: Self {
    Self(
      put: { $2.append(member: $0, Int64($1)) },
      take: { (reader, name) throws(Failure) in Value(clamping: try reader.whole(name)) })
  }

  /// At least 0.
  static func count(columns: Int = 0) -> Self {
    Self(
      put: {
        $2.append(member: $0)
        $2.append(EventText.field(count: Int64($1), columns: columns).span)
      },
      take: { (reader, name) throws(Failure) in
        let number = try reader.whole(name)
        if number < 0 { throw .damage("\(name) is below 0") }
        return Value(clamping: number)
      })
  }
}

extension RecordValue<Int64> {
  /// Unix milliseconds.
  static let time = Self(
    put: { $2.append(member: $0, milliseconds: $1) },
    take: { (reader, name) throws(Failure) in try reader.time(name) })
}

extension RecordValue<Bool> {
  static let flag = Self(
    put: {
      $2.append(member: $0)
      $2.append($1 ? "true" : "false")
    }, take: { (reader, _) throws(Failure) in try reader.flag() })
}

extension RecordValue<[UInt8]> {
  static let text = Self(
    put: { $2.append(member: $0, text: $1) },
    take: { (reader, _) throws(Failure) in try reader.text() })

  /// Percent-encoded; not written if it is UTF-8.
  static let exact = Self(
    put: { $2.append(member: $0, rawOf: $1) },
    take: { (reader, name) throws(Failure) in
      if let bytes = PercentText.decoded(try reader.text()) { return bytes }
      throw .damage("\(name) is not percent-encoded")
    })
}

extension RecordValue<[[UInt8]]> {
  /// An empty list is not written.
  static let texts = Self(
    put: { if !$1.isEmpty { $2.append(member: $0, texts: $1) } },
    take: { (reader, _) throws(Failure) in
      var texts: [[UInt8]] = []
      try reader.call { (json) throws(JSONFailure) in try json.take("[") }
      if try reader.takeIf("]") { return texts }
      repeat { texts.append(try reader.text()) } while try reader.takeIf(",")
      try reader.call { (json) throws(JSONFailure) in try json.take("]") }
      return texts
    })
}

extension RecordValue where Value: CaseIterable & Equatable & Sendable {
  static func word(
    _ word: (Value) -> String,
    fault: (@Sendable (_ word: String) -> String)? = nil
  ) -> Self {
    let words = Value.allCases.map { (value: $0, text: Array(word($0).utf8)) }
    return Self(
      put: { (name, value, buffer) in
        guard let text = words.first(where: { $0.value == value })?.text else { return }
        buffer.append(member: name, text: text)
      },
      take: { (reader, name) throws(Failure) in
        let text = try reader.text()
        if let value = words.first(where: { $0.text == text })?.value { return value }
        let shown = TerminalText.escaped(text)
        throw .damage(fault?(shown) ?? "there is no \(name) '\(shown)'")
      })
  }
}

extension OutputBuffer {
  /// `written` is called with the name of each member and the end of its value.
  mutating func append<Record>(
    _ fields: [RecordField<Record>], of record: Record,
    _ written: (_ name: String, _ end: Int) -> Void = { (_, _) in }
  ) {
    append("{")
    let start = count
    var isFirst = true
    for field in fields {
      field.put(record, &self)
      if isFirst, count > start {
        remove(start..<start + 1)
        isFirst = false
      }
      written(field.text, count)
    }
    append("}")
  }
}

extension RecordingReader {
  /// `what` is the object with an article, for messages.
  mutating func take<Record>(
    _ fields: [RecordField<Record>], of what: String, into record: inout Record
  ) throws(Failure) {
    if let missing = try take(fields, into: &record) {
      throw .damage("\(what) has no \(missing)")
    }
  }

  /// Returns the first required member that is missing or incomplete.
  fileprivate mutating func take<Record>(
    _ fields: [RecordField<Record>], into record: inout Record
  ) throws(Failure) -> StaticString? {
    var seen: UInt32 = 0
    // Members mostly come in the order of the list.
    var next = 0
    try members { (reader, name) throws(Failure) in
      let found =
        fields[next...].firstIndex { $0.text == name }
        ?? fields[..<next].firstIndex { $0.text == name }
      guard let index = found else { return try reader.skip() }
      next = index + 1
      if let exact = fields[index].exact,
        let other = fields.firstIndex(where: { $0.text == exact }), seen & 1 << other != 0
      {
        _ = try reader.text()
      } else if try fields[index].take(&reader, &record) {
        seen |= 1 << index
      }
    }
    return fields.indices.first { fields[$0].isRequired && seen & 1 << $0 == 0 }
      .map { fields[$0].name }
  }
}
