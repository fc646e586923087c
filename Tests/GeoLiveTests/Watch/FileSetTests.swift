import GeoCore
import TestSupport
import Testing

@testable import GeoLive

@Suite struct FileSetTests {
  /// After any changes, it equals a dictionary.
  @Test func equalsADictionary() throws {
    let property = Property<[Step]>(
      "a set of files is a dictionary",
      generate: { generator in
        (0..<generator.number(in: 1...400)).map { _ in Step(using: &generator) }
      },
      shrink: { steps in
        steps.count < 2
          ? [] : [Array(steps[..<(steps.count / 2)]), Array(steps[(steps.count / 2)...])]
      },
      fault: { steps in
        var set = FileSet()
        var model: [[UInt8]: KnownFile] = [:]
        for step in steps {
          switch step.action {
          case 0...5:
            set.set(step.name, step.file)
            model[step.name] = step.file
          case 6...7:
            if set.remove(step.name) != model.removeValue(forKey: step.name) {
              return "another file was removed"
            }
          case 8: set.pack()
          default: set.replace(by: model.map { ($0.key, $0.value) })
          }
          if set.count != model.count { return "\(set.count) files, not \(model.count)" }
          if set.find(step.name) != model[step.name] { return "another file was found" }
        }
        var all: [[UInt8]: KnownFile] = [:]
        set.forEach { all[$0] = $1 }
        return all == model ? nil : "other files"
      })
    #expect(try property.counterexample(cases: 200) == nil)
  }

  struct Step: Sendable {
    var action: Int
    var name: [UInt8]
    var file: KnownFile

    init(using generator: inout SeededGenerator) {
      action = generator.number(in: 0...9)
      name = Array("\(generator.number(in: 0...150))".utf8)
      if generator.chance(0.1) { name += [UInt8](repeating: 0xFF, count: 200) }
      file = KnownFile(
        kind: EntryKind(rawValue: UInt8(generator.number(in: 0...7))) ?? .unknown,
        size: generator.chance(0.1) ? .max : Int64(generator.number(in: -2...100_000)),
        allocated: generator.chance(0.1) ? .min : Int64(generator.number(in: 0...9000)),
        stamp: UInt32(truncatingIfNeeded: generator.next()),
        inode: UInt32(truncatingIfNeeded: generator.next()), isShown: generator.chance(0.7))
    }
  }
}
