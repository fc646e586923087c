import GeoCore

/// A stretch of the tree that is still to be visited: some of a folder's files, or some of its
/// sub-folders with all that is in them.
struct Work: Sendable {
  /// What of the folder is to be visited.
  enum Part: Sendable {
    case files(NameTable)
    case folders
  }

  let folder: ScannedFolder
  let part: Part
  var range: Range<Int>

  /// How many files are visited at once: what is written of so many, and what was written before them,
  /// seldom outgrows a buffer.
  static var segment: Int { 256 }

  private var piece: Int {
    switch part {
    case .files: Self.segment
    case .folders: 1
    }
  }
}

/// Something that can be divided into pieces that follow each other.
protocol Divisible {
  /// How many pieces there are, at least 1.
  var pieces: Int { get }

  /// Takes pieces off the front, at least one and fewer than all.
  mutating func takeFirst(_ pieces: Int) -> Self
}

extension Work: Divisible {
  var pieces: Int { (range.count + piece - 1) / piece }

  mutating func takeFirst(_ pieces: Int) -> Work {
    let middle = min(range.lowerBound + pieces * piece, range.upperBound)
    var first = self
    first.range = range.lowerBound..<middle
    range = middle..<range.upperBound
    return first
  }
}
