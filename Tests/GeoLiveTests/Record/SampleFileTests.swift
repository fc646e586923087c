import GeoCore
import GeoProjection
import TestSupport
import Testing

@testable import GeoLive

@Suite struct SampleFileTests {
  private static let key = Array("key".utf8)
  private static let paths = ["r", "r/a", "r/b"].map { Array($0.utf8) }

  /// Samples of a root and two folders, with all kinds of steps and values.
  private static func book(seed: UInt64, samples: Int) -> (book: SampleBook, end: Int64) {
    var generator = SeededGenerator(seed: seed)
    var book = SampleBook()
    var (time, step): (Int64, Int64) = (1_700_000_000, 60)
    var value: Int64 = 1 << 40
    for _ in 0..<samples {
      if generator.chance(0.05) { step = Int64(generator.number(in: 0...120)) }
      time += step
      for path in paths {
        if generator.chance(0.4) { value &+= Int64(generator.number(in: -1_000_000...1_000_000)) }
        if generator.chance(0.001) { value = generator.chance(0.5) ? .max : .min }
        let sample = RecordedSample(
          path: path, files: value / 1000, folders: 1, bytes: value, allocated: 0, free: 1 << 41)
        book.add(sample, at: time)
      }
    }
    return (book, time)
  }

  private static func answers(_ book: SampleBook) -> [[UInt8]] {
    [book.paths(every: 60)] + paths.map { book.json(of: $0) ?? [] }
  }

  /// The contents of a file, or the reason why it is invalid.
  private static func read(
    _ bytes: [UInt8], key: [UInt8] = key, now: Int64 = .max
  ) -> Result<SampleBook, Failure> {
    do throws(Failure) {
      return .success(try SampleFile.book(bytes, key: key, now: now))
    } catch {
      return .failure(error)
    }
  }

  private static func failure(_ bytes: [UInt8]) -> Failure? {
    if case .failure(let failure) = read(bytes) { failure } else { nil }
  }

  @Test(arguments: [0, 1, 2, 511, 512, 513, 3000])
  func booksRoundTrip(samples: Int) throws {
    let (book, end) = Self.book(seed: UInt64(samples), samples: samples)
    let bytes = SampleFile.bytes(of: book, key: Self.key)
    var found = try Self.read(bytes).get()
    #expect(Self.answers(found) == Self.answers(book))
    #expect(SampleFile.bytes(of: found, key: Self.key) == bytes)
    // It continues as the original would have.
    var longer = book
    let next = RecordedSample(
      path: Self.paths[1], files: 3, folders: 1, bytes: 5, allocated: 0, free: 7)
    for step: Int64 in [60, 120, 180] {
      longer.add(next, at: end + step)
      found.add(next, at: end + step)
    }
    #expect(Self.answers(found) == Self.answers(longer))
  }

  @Test func filesAreSmallerThanBooks() {
    let (book, _) = Self.book(seed: 1, samples: 3000)
    #expect(SampleFile.bytes(of: book, key: Self.key).count <= book.cost + 1000)
    var quiet = SampleBook()
    for minute in 0..<(7 * 1440) {
      for path in Self.paths {
        let sample = RecordedSample(
          path: path, files: 3, folders: 1, bytes: 5, allocated: 0, free: 7)
        quiet.add(sample, at: Int64(minute) * 60)
      }
    }
    #expect(SampleFile.bytes(of: quiet, key: Self.key).count < 10_000)
  }

  /// No file exceeds its limit, and the newest samples are kept.
  @Test func sizeIsBounded() throws {
    let (book, end) = Self.book(seed: 2, samples: 4000)
    let whole = SampleFile.bytes(of: book, key: Self.key).count
    for limit in [whole / 2, whole / 5, 100] {
      let bytes = SampleFile.bytes(of: book, key: Self.key, limit: limit)
      #expect(bytes.count <= limit)
      let found = try Self.read(bytes).get()
      if limit == 100 {
        #expect(found.entries.isEmpty)
      } else {
        #expect(found.entries[Self.paths[0]]?.bytes.last?.time == end)
        #expect(
          found.entries[Self.paths[0]]?.bytes.last?.value
            == book.entries[Self.paths[0]]?.bytes.last?.value)
        #expect(found.json(of: Self.paths[2]) != nil)
      }
    }
  }

  @Test func keepsOnlyGivenFolders() {
    var (book, _) = Self.book(seed: 3, samples: 5)
    book.keep([Self.paths[0], Self.paths[2]])
    #expect(book.json(of: Self.paths[1]) == nil && book.json(of: Self.paths[2]) != nil)
    book.keep([])
    #expect(book.cost == 0)
  }

  @Test func faultsAreNamed() throws {
    let (book, end) = Self.book(seed: 4, samples: 600)
    let bytes = SampleFile.bytes(of: book, key: Self.key)
    #expect(Self.failure([]) == SampleFile.foreign)
    #expect(Self.failure(Array("{\"metadata\":{}}".utf8)) == SampleFile.foreign)
    #expect(
      Self.failure(Array("geomapper samples 2\n".utf8) + bytes.dropFirst(20))
        == SampleFile.otherVersion)
    for count in [20, 21, 27, 28, 100, bytes.count - 1] {
      #expect(Self.failure(Array(bytes.prefix(count))) == SampleFile.damaged, "\(count)")
    }
    #expect(Self.failure(bytes + [0]) == SampleFile.damaged)
    if case .failure(let failure) = Self.read(bytes, key: [1]) {
      #expect(failure == SampleFile.otherFolders)
    } else {
      Issue.record("the samples of other folders are used")
    }
    // Times from a clock that was wrong must not block later samples.
    let half = try Self.read(bytes, now: end - 600).get()
    #expect(half.entries[Self.paths[0]]?.bytes.last.map { $0.time <= end - 600 } == true)
    #expect(try Self.read(bytes, now: 0).get().entries.isEmpty)
  }

  /// Any bytes, with a wrong or correct checksum, are read or refused.
  @Test func anyBytesAreReadOrRefused() {
    var generator = SeededGenerator(seed: 5)
    let (book, _) = Self.book(seed: 5, samples: 40)
    let bytes = SampleFile.bytes(of: book, key: Self.key)
    for _ in 0..<(TestScale.cases(1200)) {
      var changed = bytes
      for _ in 0...generator.number(in: 0...3) {
        let place = generator.number(in: 20...bytes.count - 9)
        changed[place] = generator.chance(0.3) ? 0xFF : UInt8(generator.number(in: 0...255))
      }
      if changed == bytes { continue }
      #expect(Self.failure(changed) == SampleFile.damaged)
      if generator.chance(0.2) { changed.removeSubrange(100..<generator.number(in: 100...200)) }
      let body = Array(changed.dropLast(8))
      let sum = XXH64.hash(body.span, seed: 0)
      changed.replaceSubrange(
        changed.count - 8..<changed.count,
        with: (0..<8).map { UInt8(truncatingIfNeeded: sum >> UInt64(8 * $0)) })
      if case .success(let found) = Self.read(changed) { _ = Self.answers(found) }
    }
  }
}
