import GeoCore
import Testing

@Suite struct QRCodeTests {
  /// Modules as a number for each row, in base 16.
  private func rows(_ code: QRCode) -> String {
    (0..<code.side).map { y in
      String((0..<code.side).reduce(UInt64(0)) { $0 << 1 | (code[$1, y] ? 1 : 0) }, radix: 16)
    }.joined(separator: " ")
  }

  /// Codes that another encoder (python-qrcode) made.
  @Test func codesEqualThoseOfAnotherEncoder() throws {
    let cases: [(String, Int?, String)] = [
      (
        "HI",
        0,
        "1fc57f 104141 17545d 17415d 174b5d 104e41 1fd57f 1400 1df5c4 163eae 7feef "
          + "1e87ba 17fee4 1446 1fdd13 105847 175955 174eaa 175eed 1053ba 1fd2ef"
      ),
      (
        "http://127.0.0.1:51234/",
        nil,
        "1fdda7f 105c841 175655d 175a85d 1740a5d 1053d41 1fd557f 9700 19c252f 153daba "
          + "1573b1c 936046 6c564f 18b0a32 7f8b6c 49d7ce 1af25fc 15b14 1fcf558 105231d "
          + "17555f7 174c54f 1744c42 10556be 1fdfc47"
      ),
      (
        "http://192.168.178.23:50123/?token=0123456789abcdef0123456789abcdef",
        nil,
        "1fd31157f 104cd6c41 174585b5d 1741ccc5d 174a8355d 10451cb41 1fd55557f 16b0700 "
          + "1b4e6b041 b2977392 17567ce79 f497ac 75b222eb 1098e5b08 10533e138 18244185 "
          + "1158b065b 1d0b3edd3 cfa666a1 1599a14e7 10656b088 1a1477716 117929f87 16043e15c "
          + "1c5c221f2 11e5b12 1fc4e335c 104911516 1753b03f1 17523e82c 174933b39 1052c76d7 "
          + "1fd7af5c0"
      ),
    ]
    for (text, mask, expected) in cases {
      #expect(rows(try #require(QRCode(Array(text.utf8), mask: mask))) == expected)
    }
  }

  /// The digest of codes of all versions and masks, as that encoder made them.
  @Test func allVersionsAndMasksAgree() {
    var codes: [String] = []
    for count in [1, 17, 18, 32, 53, 78, 106, 134, 154, 192, 230, 271] {
      let bytes = (0..<count).map { UInt8(($0 * 7 + count) % 256) }
      for mask in 0..<8 {
        guard let code = QRCode(bytes, mask: mask) else { continue }
        let all = 0..<code.side
        codes.append(all.map { y in all.map { code[$0, y] ? "1" : "0" }.joined() }.joined())
      }
    }
    #expect(codes.count == 96)
    let digest = SHA256.digest(Array(codes.joined(separator: "\n").utf8))
    #expect(
      Base16.encode(digest) == "46a43473980f2f54edf953b8b7a897dcddc620af9a0c1a9251c054a6b2ee7ead")
  }

  @Test func refusesTooLongText() {
    #expect(QRCode([UInt8](repeating: 65, count: 271)) != nil)
    #expect(QRCode([UInt8](repeating: 65, count: 272)) == nil)
  }

  @Test func halfBlocksHoldTwoRows() throws {
    let code = try #require(QRCode(Array("HI".utf8)))
    let lines = code.halfBlocks()
    #expect(lines.count == 15 && lines.allSatisfy { $0.count == 29 })
    #expect(lines[0] == String(repeating: "█", count: 29))
    #expect(lines[2].hasPrefix("████ ▄▄▄▄▄ "))
    // The last row has no row below it.
    #expect(lines[14] == String(repeating: "▀", count: 29))
  }
}
