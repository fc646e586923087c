import GeoCore

struct Growth: Sendable, Hashable {
  var gain: Int128 = 0
  var loss: Int128 = 0

  var change: Int128 { gain - loss }
  var isZero: Bool { gain == 0 && loss == 0 }

  mutating func add(_ change: Int128) {
    if change > 0 { gain += change } else { loss -= change }
  }

  mutating func subtract(_ change: Int128) {
    if change > 0 { gain -= change } else { loss += change }
  }

  /// Corrects the difference by that of names that repeat a file. What came twice came once: the
  /// correction lowers the opposite sum first.
  mutating func correct(by change: Int128) {
    if change < 0 {
      let less = min(max(0, gain), -change)
      gain -= less
      loss -= change + less
    } else {
      let less = min(max(0, loss), change)
      loss -= less
      gain += change - less
    }
  }

  static func += (total: inout Self, part: Self) {
    total.gain += part.gain
    total.loss += part.loss
  }
}

/// Only folders in which a size differs have one.
struct FolderGrowth: Sendable {
  struct Own: Sendable {
    /// Each name counted.
    var names = Growth()
    /// The correction for files with several names in the folder itself.
    var repeatedHere: Int128 = 0
    /// The correction for files with names in several of its parts.
    var repeatedBelow: Int128 = 0
  }

  var apparent = Own()
  var allocated = Own()
  /// The growth of its own files, each file counted once.
  var files = Growth()
  /// What has to be added to the changes of its parts for the change of the folder, because files
  /// have names in several of them.
  var shared: Int128 = 0
  /// The growth of all files below it, each file counted once.
  var all = Growth()

  func own(_ measure: SizeMeasure) -> Own { measure == .allocated ? allocated : apparent }

  /// Adds up the folder; `all` has the sums of its sub-folders before.
  mutating func addUp(_ measure: SizeMeasure) {
    let own = own(measure)
    files = own.names
    files.correct(by: own.repeatedHere)
    shared = own.repeatedBelow
    all += files
    all.correct(by: shared)
  }
}
