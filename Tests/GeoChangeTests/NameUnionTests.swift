import GeoCore
import TestSupport
import Testing

@testable import GeoChange

/// Merging the names of several listings.
@Suite struct NameUnionTests {
  @Test func joinsSortedNamesOnce() throws {
    let property = Property<[[[UInt8]]]>("names of two tables") { random in
      (0..<2).map { _ in
        Tree.names(random.number(in: 0...9), 0x61...0x62, using: &random)
          .sorted { $0.lexicographicallyPrecedes($1) }
      }
    } fault: { tables in
      let a = NameTable(tables[0], kind: .regular)
      let b = NameTable(tables[1], kind: .symlink)
      let union = NameTable.union(a, b)
      let expected = Set(tables[0] + tables[1]).sorted { $0.lexicographicallyPrecedes($1) }
      let names = (0..<union.count).map { union.name(at: $0) }
      if names != expected { return "the names are \(names)" }
      for (index, name) in names.enumerated() {
        if union.records[index].kind != (b.contains(name) ? .symlink : .regular) {
          return "the kind of \(name) is \(union.records[index].kind)"
        }
        let bound = a.lowerBound(of: index, of: union)
        if bound != tables[0].count(where: { $0.lexicographicallyPrecedes(name) }) {
          return "the lower bound of \(name) is \(bound)"
        }
      }
      return nil
    }
    #expect(try property.counterexample(cases: 300) == nil)
  }
}
