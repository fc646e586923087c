import TestSupport
import Testing

import GeoAtlas

@Suite struct BoundedCacheTests {
  /// The cache never exceeds its limit, returns no wrong value, and keeps the most recently used
  /// ones.
  @Test func keepsTheMostRecentlyUsed() throws {
    let property = Property<[Int]>("cache") { generator in
      (0..<generator.number(in: 1...300)).map { _ in generator.number(in: 0...40) }
    } shrink: { keys in
      keys.isEmpty ? [] : [Array(keys.dropFirst()), Array(keys.dropLast())]
    } fault: { keys in
      let cache = BoundedCache<Int, Int>(limit: 100)
      for (step, key) in keys.enumerated() {
        if let value = cache.value(for: key), value != key * 3 { return "a wrong value" }
        cache.insert(key * 3, for: key, cost: key)
        if cache.cost > 100 { return "\(cache.cost) bytes after step \(step)" }
        if key <= 25, cache.value(for: key) == nil { return "the last one is gone" }
        if key > 25, cache.value(for: key) != nil { return "one that is too large is kept" }
        if step % 7 == 0 { cache.remove(key) }
      }
      return nil
    }
    let found = try property.counterexample(cases: 200)
    #expect(found == nil, "\(found.map(String.init(describing:)) ?? "")")
  }
}
