import GeoCore
import TestSupport
import Testing

@testable import GeoTrack

/// XML is read as written, in any encoding and in pieces of any size.
@Suite struct XMLReaderTests {
  /// A document, and the events expected from reading it.
  struct Document: Sendable, CustomStringConvertible {
    var text = ""
    /// Tags with their attributes, and the whole texts between them.
    var events: [String] = []
    var encoding = Encoding.utf8
    var piece = 1

    var description: String { "\(encoding), pieces of \(piece): \(text)" }
  }

  enum Encoding: CaseIterable, Sendable {
    case utf8, utf8WithMark, utf16, utf16Swapped, latin1

    func bytes(_ text: String) -> [UInt8] {
      switch self {
      case .utf8: Array(text.utf8)
      case .utf8WithMark: [0xEF, 0xBB, 0xBF] + text.utf8
      case .utf16: [0xFE, 0xFF] + text.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
      case .utf16Swapped:
        [0xFF, 0xFE] + text.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
      case .latin1:
        Array("<?xml version='1.0' encoding='ISO-8859-1'?>".utf8)
          + text.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) }
      }
    }
  }

  /// Generates documents.
  private struct Maker {
    var random: SeededGenerator
    var document = Document()

    mutating func pick<T>(_ all: [T]) -> T { all[random.number(in: 0...(all.count - 1))] }

    mutating func characters() -> [Unicode.Scalar] {
      var all: [Unicode.Scalar] = ["a", "&", "<", ">", "\"", "'", " ", "\n", "]", "-", "?", "é"]
      if document.encoding != .latin1 { all += ["€", "\u{FFFD}", "\u{1F600}"] }
      return (0..<random.number(in: 0...6)).map { _ in pick(all) }
    }

    /// A text, escaped at random; a character that would end it is always escaped.
    mutating func escaped(_ characters: [Unicode.Scalar], quote: Unicode.Scalar?) -> String {
      characters.map { scalar in
        let names: [Unicode.Scalar: String] = [
          "&": "&amp;", "<": "&lt;", ">": "&gt;", "\"": "&quot;", "'": "&apos;",
        ]
        // A text can't hold "]]>".
        let mustEscape =
          scalar == "&" || scalar == "<" || scalar == quote || quote == nil && scalar == ">"
        switch random.number(in: 0...(mustEscape ? 2 : 9)) {
        case 0: return "&#\(scalar.value);"
        case 1: return "&#x\(String(scalar.value, radix: 16));"
        default:
          if let name = names[scalar], mustEscape || random.chance(0.5) { return name }
          return String(scalar)
        }
      }.joined()
    }

    mutating func space(_ least: Int = 0) -> String {
      (0..<random.number(in: least...2)).map { _ in pick([" ", "\n", "\t"]) }.joined()
    }

    mutating func add(text: [Unicode.Scalar]) {
      let text = text.map(String.init).joined()
      if text.isEmpty { return }
      if let last = document.events.last, last.hasPrefix("text ") {
        document.events[document.events.count - 1] = last + text
      } else {
        document.events.append("text " + text)
      }
    }

    /// Adds a comment or a processing instruction, which readers skip.
    mutating func addAside() {
      document.text += pick(["<!-- <a> & ' -->", "<?b <c> \"?>", "<!---->", "<?x?>"])
    }

    mutating func addElement(_ depth: Int) {
      let name = pick(["a", "b:c", "_x", "é", "n-1."])
      var (tag, event) = ("<\(name)", "begin \(name)")
      if depth == 0 {
        tag += " xmlns:b='u' xmlns:q='v'"
        event += " xmlns:b=u xmlns:q=v"
      }
      for attribute in ["p", "q:r", "é"].prefix(random.number(in: 0...3)) {
        let quote = pick(["\"", "'"] as [Unicode.Scalar])
        let value = characters()
        tag += space(1) + attribute + space() + "=" + space()
        tag += "\(quote)\(escaped(value, quote: quote))\(quote)"
        event += " \(attribute)=" + value.map(String.init).joined()
      }
      document.text += tag + space()
      document.events.append(event)
      if random.chance(0.2) {
        document.text += "/>"
      } else {
        document.text += ">"
        for _ in 0..<random.number(in: 0...3) { addContent(depth) }
        document.text += "</\(name)\(space())>"
      }
      document.events.append("end \(name)")
    }

    mutating func addContent(_ depth: Int) {
      switch random.number(in: 0...4) {
      case 0:
        let text = characters()
        document.text += escaped(text, quote: nil)
        add(text: text)
      case 1:
        // The characters that end the section can't be in it.
        let text = characters().filter { $0 != "]" }
        document.text += "<![CDATA[\(text.map(String.init).joined())]]>"
        add(text: text)
      case 2: addAside()
      default: if depth < 4 { addElement(depth + 1) }
      }
    }

    mutating func make() -> Document {
      document.encoding = pick(Encoding.allCases)
      document.piece = pick([1, 2, 3, 7, 1000])
      if random.chance(0.3) { addAside() }
      addElement(0)
      document.text += space()
      if random.chance(0.3) { addAside() }
      return document
    }
  }

  /// The events of reading a document.
  private func events(_ bytes: [UInt8], piece: Int) throws -> [String] {
    var reader = XMLReader(TrackBytesInput(bytes, piece: piece))
    var events: [String] = []
    func name(_ range: Range<Int>) -> String {
      String(decoding: reader.bytes[range], as: UTF8.self)
    }
    while true {
      switch try reader.next() {
      case .start:
        var event = "begin \(name(reader.name))"
        for attribute in reader.attributes {
          var value: [UInt8] = []
          try XMLSyntax.decode(attribute.value, of: reader.bytes, to: &value)
          event += " \(name(attribute.name))=" + String(decoding: value, as: UTF8.self)
        }
        events.append(event)
      case .text:
        var text = reader.isVerbatim ? Array(reader.bytes[reader.textRange]) : []
        if !reader.isVerbatim {
          try XMLSyntax.decode(reader.textRange, of: reader.bytes, to: &text)
        }
        if text.isEmpty { continue }
        let more = String(decoding: text, as: UTF8.self)
        if let last = events.last, last.hasPrefix("text ") {
          events[events.count - 1] = last + more
        } else {
          events.append("text " + more)
        }
      case .end: events.append("end \(name(reader.name))")
      case .finished: return events
      }
    }
  }

  @Test func documentsRoundTrip() throws {
    let property = Property<Document>(
      "XML",
      generate: { random in
        var maker = Maker(random: SeededGenerator(seed: random.next()))
        return maker.make()
      },
      fault: { document in
        let found = try events(document.encoding.bytes(document.text), piece: document.piece)
        return found == document.events ? nil : "\(found), not \(document.events)"
      })
    let counterexample = try property.counterexample(cases: 1000)
    #expect(counterexample == nil, "\(counterexample.map(\.description) ?? "")")
  }

  /// The fault of an invalid document doesn't depend on the pieces it comes in.
  @Test func faultsDoNotDependOnThePieces() {
    for seed in TestScale.seeds(3000) {
      var random = SeededGenerator(seed: seed)
      var maker = Maker(random: SeededGenerator(seed: seed))
      let document = maker.make()
      var bytes = document.encoding.bytes(document.text)
      bytes.mutate(1...3, inserting: Array("<>/&;'\"=! -[]?#x\u{FF}\n".utf8), using: &random)
      func outcome(_ piece: Int) -> String {
        do { return "\(try events(bytes, piece: piece))" } catch { return "\(error)" }
      }
      let whole = outcome(.max)
      for piece in [1, 2, 5] {
        let found = outcome(piece)
        // Of two faults at once, an invalid byte may be found before an earlier fault.
        if whole.contains("encoding doesn't have") || found.contains("encoding doesn't have") {
          continue
        }
        #expect(found == whole, "seed \(seed), pieces of \(piece): \(document.text)")
      }
    }
  }

  /// The line number is that of the fault, even if the buffer before it was discarded.
  @Test(arguments: [
    ("<a>\n<b", 2), ("<a>\n\n<b c='\n<", 3), ("<a>\n<![CDATA[\n", 2), ("<a>\n<!-- \n", 2),
    ("<a>\n</b\n>", 2), ("<a>\n\n", 3),
    // The characters that open markup can't also close it.
    ("<a>\n<?></a>", 2), ("<a>\n<!--></a>", 2), ("<a>\n<!---></a>", 2),
    // Not well-formed with namespaces.
    ("<a>\n<b:c/></a>", 2), ("<a>\n<c b:d=''/></a>", 2), ("<a>\n<b xmlns:b=''/></a>", 2),
    ("<a xmlns:b='u'>\n<b:c:d/></a>", 2), ("<a>\n<b xmlns:c='u'/>\n<c:d/></a>", 3),
    ("<a>\n<b c='<'/></a>", 2), ("<a>x\n ]]></a>", 2), ("<a>\n<\u{9B}/></a>", 2),
    ("<a>\n<b\u{9B}2J/></a>", 2), ("<a>\n<\u{B7}/></a>", 2),
  ])
  func faultsNameTheirLine(text: String, line: Int) {
    for piece in [1, 3, .max] {
      do {
        _ = try events(Array(text.utf8), piece: piece)
        Issue.record("\(text) is read")
      } catch let error as Failure {
        #expect(error.group == .damage, "pieces of \(piece)")
        #expect(error.message.hasPrefix("line \(line): "), "pieces of \(piece)")
      } catch {
        Issue.record("\(error)")
      }
    }
  }
}
