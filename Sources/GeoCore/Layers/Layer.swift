/// A layer: a name, and values for some of the paths of a tree, all numbers or all words.
package struct Layer: Sendable, Hashable {
  /// How the value of a folder follows from the values below it.
  package enum Summary: String, Sendable, Hashable, CaseIterable {
    case sum
    /// The mean of the values of files.
    case mean
    /// The sum of all numerators, divided by that of all denominators.
    case ratio
    case max
    case min
    /// The word of most bytes, and its share.
    case share
  }

  package enum Kind: Sendable {
    case integer
    case number
    case word
  }

  /// Its name: letters, digits, `_` and `-`.
  package let name: String
  package let summary: Summary
  /// The type of its values, those of folders included.
  package let kind: Kind

  /// - Parameter isWhole: Whether all values of paths are integers below 2^53.
  package init(name: String, summary: Summary, isWhole: Bool) {
    self.name = name
    self.summary = summary
    kind =
      switch summary {
      case .share: .word
      case .mean, .ratio: .number
      case .sum, .max, .min: isWhole ? .integer : .number
      }
  }

  /// The name of the member of folders that says more about their value; nil without one.
  package var folderMember: String? {
    switch summary {
    case .share: name + "_share"
    case .mean, .ratio: name + "_count"
    case .sum, .max, .min: nil
    }
  }

  /// The greatest number of layers of a map.
  package static let maximum = 16

  package static func isName(_ text: some StringProtocol) -> Bool {
    !text.isEmpty && text.utf8.count <= 64
      && text.utf8.allSatisfy { $0.isAlphanumeric || "_-".utf8.contains($0) }
  }
}
