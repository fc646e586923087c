import GeoCore
import TestSupport
import Testing

@testable import GeoSources

/// Reports of other programs as layers.
@Suite struct ReportTests {
  @Test func coverage() throws {
    let made = try LayerCase()
    try made.folder.makeFile(
      "x.info",
      """
      TN:one
      SF:a.c
      FN:1,main
      DA:1,5
      DA:2,0,hash
      LF:10
      LH:4
      end_of_record
      SF:./b.c\r
      DA:1,0\r
      DA:2,-3\r
      DA:3,1\r
      end_of_record
      SF:\(made.folder.path)/r/b.c
      DA:1,7
      DA:3,0
      DA:4,0
      LF:3
      LH:1
      end_of_record
      SF:c.c
      LF:3
      LH:1
      end_of_record
      SF:c.c
      LF:5
      LH:3
      end_of_record
      SF:d.c
      LF:0
      LH:0
      end_of_record
      SF:e.c
      DA:1,1
      """)
    let layers = try made.open("@x.info")
    #expect(layers.shapes == ["coverage:ratio"])
    // LF and LH of one record; the union of lines; the sums of records without lines.
    #expect(layers.values("r/a.c") == "0.4")
    #expect(layers.values("r/b.c") == "0.5")
    #expect(layers.values("r/c.c") == "0.5")
    #expect(layers.values("r/d.c") == "-")
    #expect(layers.values("r/e.c") == "1.0")
  }

  @Test func faultsOfCoverage() throws {
    let made = try LayerCase()
    func refusal(_ text: String) throws -> String? { try made.refusal(text, in: "x.info") }
    #expect(try refusal("DA:1,1\n") == "@x.info, line 1: DA: without SF: before it")
    #expect(
      try refusal("SF:a\nDA:x,1\n")
        == "@x.info, line 2: not DA: with the number of a line and how often it ran")
    #expect(try refusal("SF:a\nDA:1,x\n")?.hasPrefix("@x.info, line 2: not DA:") == true)
    #expect(try refusal("SF:a\nDA:4294967296,1\n")?.hasPrefix("@x.info, line 2: not DA:") == true)
    #expect(
      try refusal("SF:a\nLF:9x\n") == "@x.info, line 2: not a number of lines after LF: or LH:")
    #expect(
      try refusal("SF:a\nLF:1\nLH:2\nend_of_record\n")
        == "@x.info, line 4: LH:2 lines hit of LF:1 found")
    #expect(try refusal("SF:\nend_of_record\n")?.contains("no path follows SF:") == true)
  }

  @Test func findings() throws {
    let made = try LayerCase()
    func result(_ location: String) -> String {
      #"{"locations":[{"physicalLocation":{"artifactLocation":{\#(location)},"region":{}}},{}]}"#
    }
    let results = [
      result(#""uri":"a%20b.c""#), result(#""uri":"a b.c""#), result(#""uri":"./x/../a%20b.c""#),
      result(#""uri":"file://\#(made.folder.path)/r/d.c""#),
      result(#""uri":"e.c","uriBaseId":"SRC""#), result(#""uri":"e.c","uriBaseId":"SUB""#),
      result(#""uri":"f.c","uriBaseId":"CI""#), result(#""uri":"g.c","uriBaseId":"%SRCROOT%""#),
      result(#""index":1"#), result(#""index":7"#), "{}", #"{"locations":[]}"#,
      result(#""uri":"https://host/x.c""#),
    ]
    try made.folder.makeFile(
      "x.sarif",
      """
      {"version":"2.1.0","runs":[{"tool":{"driver":{"name":"t","rules":[{"id":[1,{}]}]}},
      "results":[\(results.joined(separator: ",\n"))],
      "originalUriBaseIds":{"SRC":{"uri":"file://\(made.folder.path)/r/"},
      "SUB":{"uri":"sub/","uriBaseId":"SRC"},"CI":{"uri":"file:///home/ci/work/"},
      "%SRCROOT%":{"description":{"text":"x"}}},
      "artifacts":[{"location":{"uri":"h.c"}},{"location":{"uri":"i.c","index":0}}]},
      {"results":[\(result(#""uri":"g.c""#))]}]}
      """)
    let layers = try made.open("@x.sarif")
    #expect(layers.shapes == ["findings:sum"])
    for (path, count) in [
      ("a b.c", "3"), ("d.c", "1"), ("e.c", "1"), ("sub/e.c", "1"), ("f.c", "1"), ("g.c", "2"),
      ("h.c", "-"), ("i.c", "1"),
    ] {
      #expect(layers.values("r/\(path)") == count, "\(path)")
    }
    #expect(
      try made.refusal("{\"runs\":[\n{\"results\":x", in: "y.sarif")
        == "@y.sarif, line 2: a number was expected: cut off, or not JSON")
  }

  @Test func lines() throws {
    let made = try LayerCase()
    try made.folder.makeFile(
      "x.jsonl",
      """
      {"path":"a","n":1.50,"who":"x","deep":{"n":2}}
      {"n":-2e1,"path":"b","more":true,"who":null}

      {"rawPath":"c%FF","path":"?","who":"\\u00e9"}
      """)
    let layers = try made.open("@x.jsonl")
    #expect(layers.shapes == ["n:sum", "who:share", "more:share"])
    #expect(layers.values("r/a") == "1.5 x -")
    #expect(layers.values("r/b") == "-20.0 - true")
    #expect(layers.values(at: Array("r/c".utf8) + [0xFF]) == ["-", "é", "-"])
    #expect(try made.open("k:max=@x.jsonl#n").values("r/b") == "-20.0")
    func refusal(_ text: String, _ request: String = "@y.jsonl") throws -> String? {
      try made.refusal(text, in: "y.jsonl", request)
    }
    #expect(
      try refusal("{\"path\":\"a\",\"n\":1}\n{\"path\"\n")
        == "@y.jsonl, line 3: ':' was expected: cut off, or not JSON")
    #expect(
      try refusal("{\"path\":\"a\",\"n\":1}\n{\"n\":2}\n")
        == "@y.jsonl, line 2: the path is empty")
    #expect(
      try refusal("{\"path\":\"a\",\"n\":1}\n", "@y.jsonl#m")
        == "no line of @y.jsonl has a value of 'm'")
    #expect(try refusal("{\"path\":\"a\",\"n\":[1]}\n", "@y.jsonl#n")?.contains("line 1") == true)
  }

  @Test func formatsAreSeen() throws {
    let made = try LayerCase()
    for (name, text, shape) in [
      ("a", "path,n\n", "n:sum"), ("b", "n\tpath\n", "n:sum"),
      ("c", "TN:\nSF:a\nLF:1\nLH:1\n", "coverage:ratio"),
      ("d", "{\"version\":\"2.1.0\",\"runs\":[]}", "findings:sum"),
      ("e", "{\"n\":1,\"path\":\"runs\"}", "n:sum"), ("f.TSV", "path\tn,m\tk\n", ""),
      ("g.INFO", "", "coverage:ratio"),
    ] {
      try made.folder.makeFile(name, text)
      let shapes = (try? made.open("@\(name)").shapes) ?? []
      #expect(shapes == (shape.isEmpty ? [] : [shape]), "\(name)")
    }
    #expect(
      try made.refusal("hello\n", in: "z")
        == "can't see what '@z' is; name it .csv, .tsv, .jsonl, .info (lcov) or .sarif")
  }

  /// Any file is read, or refused with a message.
  @Test func mutatedFilesAreReadOrRefused() throws {
    let made = try LayerCase()
    let samples = [
      ("x.csv", "path,n,w\na,1,x\n\"b,\"\"c\",2.5e3,\"y\nz\"\nd/e,,\n"),
      ("x.tsv", "path\tn\na\t1\nb\t2\n"),
      ("x.jsonl", "{\"path\":\"a\",\"n\":1}\n{\"path\":\"b\\u00e4\",\"n\":-2.5,\"m\":[{}]}\n"),
      ("x.info", "TN:\nSF:a\nDA:1,1\nDA:2,0\nLF:2\nLH:1\nend_of_record\nSF:a\nDA:3,0\n"),
      (
        "x.sarif",
        #"{"runs":[{"results":[{"locations":[{"physicalLocation":{"artifactLocation":"#
          + #"{"uri":"a%20","uriBaseId":"B","index":0}}}]}],"artifacts":[{"location":{"uri":"b"}}],"#
          + #""originalUriBaseIds":{"B":{"uri":"file:///","uriBaseId":"B"}}}]}"#
      ), ("CODEOWNERS", "# x\n*.c @a @b # c\n/d/ e@f\n\\#g **/h\ndocs/* \n[S]\na[b-c]?\\ d @x\n"),
    ]
    for seed in TestScale.seeds(1500) {
      var generator = SeededGenerator(seed: seed)
      guard let (name, text) = samples.randomElement(using: &generator) else { continue }
      var bytes = Array(text.utf8)
      bytes.mutate(
        1...8, inserting: Array("\0\n\r\t/. -0129\"\\[]{},:eE#%*@\u{FF}".utf8), using: &generator)
      try made.folder.makeFile(bytes: Array(name.utf8), bytes)
      do {
        let layers = try made.open("@\(name)")
        for path in ["r/a", "r/b", "r/d/e", "r"] { _ = layers.values(path) }
        _ = try layers.unmatched()
      } catch let failure as Failure {
        #expect(failure.message.contains(name), "seed \(seed): \(failure.message)")
      }
    }
  }
}
