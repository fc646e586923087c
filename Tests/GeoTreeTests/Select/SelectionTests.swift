import GeoCore
import GeoTree
import Testing

@Suite struct SelectionTests {
  private func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

  private func reason(_ selection: Selection, _ file: String) -> ExclusionReason? {
    GeoTreeTests.reason(selection, file: bytes(file))
  }

  @Test func emptySelectionShowsEverything() {
    let selection = Selection()
    #expect(!selection.isActive)
    #expect(reason(selection, ".git/x") == nil)
  }

  @Test func lastRuleDecides() throws {
    var selection = Selection()
    try selection.exclude(bytes("*.o"))
    try selection.include(bytes("keep.o"))
    #expect(reason(selection, "a.o") == .pattern)
    #expect(reason(selection, "keep.o") == nil)
    #expect(reason(selection, "a.c") == nil)
    try selection.exclude(bytes("k*"))
    #expect(reason(selection, "keep.o") == .pattern)
    selection.excludeHidden()
    try selection.include(bytes(".k"))
    #expect(reason(selection, ".h") == .hidden)
    #expect(reason(selection, ".k") == nil)
    #expect(selection.reasons == [.pattern, .hidden])
  }

  @Test func firstInclusionSelectsFiles() throws {
    var selection = Selection()
    try selection.include(bytes("**/*.c"))
    #expect(reason(selection, "d/a.c") == nil)
    #expect(reason(selection, "d/a.h") == .pattern)
    #expect(!leavesOut(selection, folder: "d"))
    try selection.exclude(bytes("d"))
    #expect(leavesOut(selection, folder: "d"))
    #expect(!leavesOut(selection, folder: "e"))
  }

  @Test func inclusionKeepsAFolder() throws {
    var selection = Selection()
    try selection.exclude(bytes("*"))
    try selection.include(bytes("src"))
    #expect(leavesOut(selection, folder: "doc"))
    #expect(!leavesOut(selection, folder: "src"))
  }

  @Test func manyRulesKeepTheirOrder() throws {
    var selection = Selection()
    for number in 0..<300 { try selection.exclude(bytes("*.x\(number)")) }
    try selection.exclude(bytes("q*"))
    try selection.include(bytes("*1.x17"))
    try selection.exclude(bytes("b1.x17"))
    #expect(reason(selection, "a.x299") == .pattern)
    #expect(reason(selection, "a.x300") == nil)
    #expect(reason(selection, "qa") == .pattern)
    #expect(reason(selection, "a1.x17") == nil)
    #expect(reason(selection, "a2.x17") == .pattern)
    #expect(reason(selection, "b1.x17") == .pattern)
    #expect(reason(selection, "7") == nil)
  }

  @Test func selectsByNameAndKind() throws {
    var selection = Selection()
    try selection.requireName(bytes("*.c"))
    try selection.requireName(bytes("?"))
    selection.requireKinds([.regular])
    #expect(reason(selection, "d/a.c") == nil)
    #expect(reason(selection, "d/a") == nil)
    #expect(reason(selection, "d/ab") == .name)
    #expect(GeoTreeTests.reason(selection, file: bytes("a.c"), kind: .symlink) == .type)
    #expect(!selection.showsFolders)
    #expect(!leavesOut(selection, folder: "abc"))
    selection.requireKinds([.symlink, .directory])
    #expect(selection.showsFolders)
    #expect(GeoTreeTests.reason(selection, file: bytes("a.c"), kind: .symlink) == nil)
  }

  /// A pattern, a name, and whether they match without regard to case.
  @Test(arguments: [
    ("*.log", "a.LOG", true), ("*.LOG", "a.log", true), ("*.log", "a.logs", false),
    ("log", "CataLOGue", true), ("log", "lo", false), ("[a-c]x", "Bx", true),
    ("[!a]x", "Ax", false), ("[!a]x", "bX", true), ("[[:upper:]]", "q", true), ("?", "é", false),
    ("é", "café", true), ("É", "café", false), ("a\\*", "A*", true), ("a\\*", "ab", false),
    ("@", "`", false), ("[", "[", false), ("a[", "a[", false), ("1", "a1b", true),
    ("**", "anything", true), ("a*b*c", "xaybzc", false), ("*a*b*c", "xAyBzC", true),
  ])
  func namesMatchPartsOrGlobs(_ text: String, _ name: String, _ fits: Bool) {
    var selection = Selection()
    do {
      try selection.requireName(partOrGlob: bytes(text))
      #expect((reason(selection, name) == nil) == fits, "\(text) \(name)")
    } catch {
      #expect(!fits && error == .openSet, "\(text): \(error)")
    }
    #expect(throws: Selection.GlobError.empty) { try selection.requireName(partOrGlob: []) }
    #expect(throws: Selection.GlobError.slashInName) {
      try selection.requireName(partOrGlob: bytes("a/b"))
    }
  }

  @Test func selectsByMetadata() throws {
    var selection = Selection()
    selection.requireSize(.above(10))
    selection.requireSize(.below(20))
    selection.newer = 100
    selection.older = 200
    #expect(selection.needsMetadata)
    func reason(_ size: Int64, _ modified: Int64, _ status: EntryFacts.Status = .known)
      -> ExclusionReason?
    {
      var facts = [EntryFacts(size: size, modified: modified, status: status)]
      Selector(selection).selectByMetadata(&facts)
      #expect((facts[0].leftOut != nil) == (facts[0].status == .hidden && status != .hidden))
      return facts[0].leftOut
    }
    #expect(reason(11, 101) == nil)
    #expect(reason(19, 199) == nil)
    #expect(reason(10, 101) == .size)
    #expect(reason(20, 101) == .size)
    #expect(reason(11, 100) == .newer)
    #expect(reason(11, 200) == .older)
    #expect(reason(11, 101, .unreadable) == .size)
    #expect(reason(0, 0, .hidden) == nil)
    #expect(reason(0, 0, .vanished) == nil)
  }

  @Test func countsAdd() {
    var counts = ExclusionCounts(asking: [.name, .pattern])
    #expect(counts.isEmpty && counts.reasons == [.pattern, .name])
    var more = ExclusionCounts()
    more.add(3, for: .hidden)
    counts += more
    counts += more
    #expect(counts[.hidden] == 6 && counts.total == 6)
    #expect(counts.reasons == [.pattern, .hidden, .name])
  }
}

/// Conditions as stored in the headers of snapshots.
@Suite struct KeptConditionTests {
  @Test func conditionsHaveTexts() throws {
    var selection = Selection()
    try selection.exclude(Array("*.o".utf8))
    try selection.include(Array("/keep".utf8), selectively: false)
    selection.excludeHidden()
    selection.requireSize(.above(5))
    try selection.requireName(Array("A*".utf8), ignoresCase: true)
    selection.requireSize(.below(9))
    selection.requireKinds([.regular, .directory])
    selection.newer = 7
    let texts = selection.conditions.map { String(decoding: $0.text, as: UTF8.self) }
    #expect(
      texts == [
        "--exclude=**/*.o", "--include=/keep", "--no-hidden", "--size=+5", "--iname=A*",
        "--size=-9", "--type=d,f", "--newer=@7",
      ])
    #expect(
      selection.conditions.compactMap(\.name.reason)
        == [.pattern, .pattern, .hidden, .size, .name, .size, .type, .newer])
    #expect(texts.compactMap { KeptCondition(parsing: Array($0.utf8)) } == selection.conditions)
  }

  @Test(arguments: [
    ("--exclude=a", "--exclude=/a"), ("--exclude=**/a", "--exclude=**/a"), ("--follow", "--follow"),
    ("--later=x", "--later=x"), ("--name=a", "--name=a"),
  ])
  func oldTextsAreConverted(kept: String, now: String) {
    #expect(KeptCondition.modern(Array(kept.utf8)) == Array(now.utf8))
  }

  @Test func unknownConditionsAreRefused() {
    for text in ["", "--", "--later", "-exclude", "exclude=a"] {
      #expect(KeptCondition(parsing: Array(text.utf8)) == nil, "\(text)")
    }
  }
}
