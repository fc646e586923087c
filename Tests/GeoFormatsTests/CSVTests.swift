import GeoFormats
import GeoCore
import GeoProjection
import Testing

@Suite struct CSVTests {
  @Test func namesAreReadBackAsText() throws {
    expectForNames("path") { name in
      let records = parseCSV(text(ofFile: name, in: "a/ü", as: .csv))
      let path = Array(("a/ü/" + repaired(name)).utf8)
      return records == [
        [path] + ["poi", "1", "", "", "3", "1.5", "-0.5", "1"].map { Array($0.utf8) }
          + [Array(repaired(name).utf8), [], rawPath(of: Array("a/ü/".utf8) + name)]
      ]
    }
  }

  @Test func foldersWithCommasQuoteTheirFiles() {
    for folder in ["a,b", "a\"b", "a\r\nb", "plain"] {
      expectForNames(cases: 200, "path") { name in
        let records = parseCSV(text(ofFile: name, in: folder, as: .csv))
        return records?.count == 1
          && records?[0][0] == Array((folder + "/" + repaired(name)).utf8)
          && records?[0][9] == Array(repaired(name).utf8)
      }
    }
  }

  @Test func onlyWhatNeedsQuotesIsQuoted() {
    expectForNames("quotes") { name in
      let field = text(ofFile: name, as: .csv)
      let needsQuotes = name.contains { "\",\r\n".utf8.contains($0) }
      var buffer = OutputBuffer(capacity: 0)
      buffer.append(csv: name.span)
      let alone = buffer.bytes
      return (field.first == UInt8(ascii: "\"")) == needsQuotes
        && (needsQuotes ? parseCSV(alone + [13, 10]) : [[alone]]) == [[Array(repaired(name).utf8)]]
    }
  }

  @Test func specialFilesNameTheirKind() {
    for (kind, text) in [
      (EntryKind.symlink, "symlink"), (.fifo, "fifo"), (.socket, "socket"), (.block, "block"),
      (.character, "character"), (.regular, ""), (.unknown, ""),
    ] {
      let writer = FeatureWriter(format: .csv)
      var buffer = OutputBuffer(capacity: 0)
      writer.enterFolder(path: Array("r".utf8))
      _ = writer.writeFiles(
        NameTable([Array("f".utf8)]), 0..<1,
        places: [FilePlace(seed: 1 << 11, coordinate: Coordinate(longitude: 15, latitude: -5))],
        facts: [EntryFacts(size: 7, modified: 8, status: .known, kind: kind)],
        FileBatch(depth: 1, digits: 1, minzoom: 3), to: &buffer)
      #expect(buffer.text == "r/f,poi,1,7,8,3,1.5,-0.5,1,f,\(text),\r\n")
    }
  }

  /// The value of `rawPath`: empty for valid UTF-8.
  private func rawPath(of path: [UInt8]) -> [UInt8] {
    if String(validating: path, as: UTF8.self) != nil { return [] }
    var buffer = OutputBuffer(capacity: 0)
    buffer.append(percent: path.span)
    return buffer.bytes
  }

  @Test func mapsAreTables() throws {
    let records = try #require(parseCSV(map(sampleWorld, header: sampleHeader, as: .csv)))
    let header = "path,kind,depth,size,modified,minzoom,lon,lat,id,name,special,rawPath"
    #expect(records[0] == header.split(separator: ",").map { Array($0.utf8) })
    #expect(records.allSatisfy { $0.count == 12 })
    let hidden = 2
    #expect(records.count == 1 + sampleWorld.reduce(-hidden) { $0 + 1 + $1.files.count })
  }

  /// The records of a text by RFC 4180, or nil: every record ends in CRLF, and quotes enclose a
  /// whole field or are doubled in it.
  private func parseCSV(_ text: [UInt8]) -> [[[UInt8]]]? {
    let quote = UInt8(ascii: "\"")
    let comma = UInt8(ascii: ",")
    var records: [[[UInt8]]] = []
    var record: [[UInt8]] = []
    var index = 0
    while index < text.count {
      var field: [UInt8] = []
      if text[index] == quote {
        index += 1
        while true {
          guard index < text.count else { return nil }
          if text[index] == quote {
            guard index + 1 < text.count, text[index + 1] == quote else { break }
            index += 1
          }
          field.append(text[index])
          index += 1
        }
        index += 1
      } else {
        while index < text.count, text[index] != comma, text[index] != 13 {
          if text[index] == quote || text[index] == 10 { return nil }
          field.append(text[index])
          index += 1
        }
      }
      record.append(field)
      guard index < text.count else { return nil }
      if text[index] == comma {
        index += 1
      } else {
        guard text[index] == 13, index + 1 < text.count, text[index + 1] == 10 else { return nil }
        index += 2
        records.append(record)
        record = []
      }
    }
    return record.isEmpty ? records : nil
  }

  @Test func quotesAllTextsOnRequest() {
    var options = WriterOptions()
    options.quotesAll = true
    let writer = FeatureWriter(format: .csv, options: options)
    var buffer = OutputBuffer(capacity: 0)
    writer.writeHeader(sampleHeader, to: &buffer)
    writer.enterFolder(path: Array("r".utf8))
    writer.writeFolder(sampleWorld[0].feature, FolderShape(), to: &buffer)
    let names = ["plain", "a\"b", "é"]
    _ = writer.writeFiles(
      NameTable(names.map { Array($0.utf8) }), 0..<3,
      places: names.map { _ in
        FilePlace(seed: 1 << 11, coordinate: Coordinate(longitude: 15, latitude: -5))
      },
      facts: names.map { _ in EntryFacts(size: 7, modified: 8, status: .known) },
      FileBatch(depth: 1, digits: 1, minzoom: 3), to: &buffer)
    let lines = String(decoding: buffer.bytes, as: UTF8.self).split(separator: "\r\n")
    #expect(
      lines[0]
        == #""path","kind","depth","size","modified","minzoom","lon","lat","id","name","special","rawPath""#
    )
    #expect(lines[1].hasPrefix(#""r","continent",0,412,"#))
    #expect(lines[2] == #""r/plain","poi",1,7,8,3,1.5,-0.5,1,"plain",,"#)
    #expect(lines[3].hasPrefix(#""r/a""b","poi",1,"#))
    #expect(lines[4].hasPrefix(#""r/é","poi",1,"#))
  }
}
