import GeoCore
import GeoPipeline
import GeoTree
import GeoWeb
import GeoSystem
import Synchronization
import TestSupport
import Testing

@testable import GeoChange

/// A scratch file in which one call fails, or delivers less than requested.
private final class FaultyFile: PageBacking {
  enum Fault: CaseIterable {
    /// The disk is full.
    case writing
    /// Written bytes can't be read.
    case reading
    /// The file ends too early.
    case ending
    /// Calls deliver small parts, which is allowed.
    case trickling
  }

  private let file: ScratchFile
  private let fault: Fault
  private let left: Atomic<Int>

  /// - Parameter after: How many such calls succeed first.
  init(_ fault: Fault, after: Int) throws(Errno) {
    file = try ScratchFile()
    self.fault = fault
    left = Atomic(after)
  }

  /// Whether the failing call was reached.
  var isHit: Bool { left.load(ordering: .relaxed) < 0 }

  private func fails() -> Bool { left.subtract(1, ordering: .relaxed).newValue == -1 }

  var count: Int64 { file.count }

  func append(_ bytes: Span<UInt8>) throws(Errno) {
    if fault == .writing, fails() { throw .noSpace }
    try file.append(bytes)
  }

  func read(
    upTo count: Int, at offset: Int64, appendingTo bytes: inout [UInt8]
  ) throws(Errno) -> Int {
    switch fault {
    case .reading where fails(): throw .inputOutput
    case .ending where fails(): return 0
    case .trickling:
      _ = fails()
      return try file.read(upTo: 1, at: offset, appendingTo: &bytes)
    default: return try file.read(upTo: count, at: offset, appendingTo: &bytes)
    }
  }
}

/// Lets one call of the scratch file after the other fail, until none is left. Each time there is
/// an error or the result without the fault, never another result.
@Suite struct PageFaultTests {
  /// The written output of two states; nil if it breaks off.
  private func result(
    _ pair: StatePair, as page: Bool?, _ makeFile: @escaping PageStore.MakeFile
  ) async throws -> [UInt8]? {
    var comparison = Comparison(
      old: [MemorySource(pair.old).root("x")], new: [MemorySource(pair.new).root()])
    comparison.memory = 0
    comparison.scan.threads = 1
    comparison.makeFile = makeFile
    guard let page else { return try await summary(comparison) }
    var request = ChangeMapRequest(
      comparison, states: [], frame: StandalonePage.changes.frame)
    if page { request.format = .html }
    request.comparison.keepsAll = !page
    request.comparison.keepsSums = page
    var bytes: [UInt8] = []
    do {
      for try await chunk in try await request.open() {
        chunk.withBytes { span in for index in 0..<span.count { bytes.append(span[index]) } }
      }
      return bytes
    } catch let error as MapError {
      guard case .noScratch = error else { throw error }
      return nil
    }
  }

  /// The summary; nil if a part of its data can't be read again.
  private func summary(_ comparison: Comparison) async throws -> [UInt8]? {
    do {
      var batches = try await comparison.start().makeAsyncIterator()
      while try await batches.next(isolation: nil) != nil {}
      let tree = try batches.finish()
      let summary = ChangeSummary(tree, top: 3)
      return tree.failure == nil ? Array("\(summary)".utf8) : nil
    } catch let error as MapError {
      guard case .noScratch = error else { throw error }
      return nil
    }
  }

  /// A pair of states with many moves.
  private var pair: StatePair {
    var random = SeededGenerator(seed: 7)
    var pair = StatePair(old: MemoryState(), new: MemoryState())
    for folder in ["a", "b", "c"] {
      pair.old.entries[folder] = .folder
      pair.new.entries["new \(folder)"] = .folder
      for number in 0..<4 {
        let file = MemoryState.Entry.file(
          kind: .regular, size: Int64(random.number(in: 0...9)), seconds: Int64(number),
          nanoseconds: 0)
        pair.old.entries["\(folder)/\(number)"] = file
        pair.new.entries["new \(folder)/\(number)"] = file
      }
    }
    return pair
  }

  @Test(arguments: [nil, false, true]) func everyFailedCallIsReported(page: Bool?) async throws {
    let usual = try await result(pair, as: page) { () throws(Errno) in try ScratchFile() }
    #expect(usual != nil)
    for fault in FaultyFile.Fault.allCases {
      var hits = 0
      for number in 0... {
        let file = try FaultyFile(fault, after: number)
        let found = try await result(pair, as: page) { () throws(Errno) in file }
        if file.isHit, fault != .trickling {
          #expect(found == nil, "\(fault), call \(number)")
        } else {
          #expect(found == usual, "\(fault), call \(number)")
        }
        if !file.isHit || fault == .trickling { break }
        hits += 1
      }
      #expect(hits > 5 || fault == .trickling, "\(fault): so few calls can't be all")
    }
  }

  @Test func withoutAFileThereIsAnError() async throws {
    for page in [nil, false, true] {
      let found = try await result(pair, as: page) { () throws(Errno) in throw .noEntry }
      #expect(found == nil)
    }
  }
}
