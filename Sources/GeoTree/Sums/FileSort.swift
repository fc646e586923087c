import GeoCore

/// What a file counts as where files are looked for: a type by its name, unless it is no regular file.
public enum FileSort: Sendable, Hashable {
  case type(FileType)
  case link
  case device

  /// The sort of a file.
  public init(of name: Span<UInt8>, _ kind: EntryKind) {
    switch kind {
    case .regular, .directory, .unknown: self = .type(FileType(ofFileNamed: name))
    case .symlink: self = .link
    case .fifo, .socket, .block, .character: self = .device
    }
  }

  /// The sort that a word stands for, as legends have it; nil if there is none.
  public init?(word: some StringProtocol) {
    if word == "link" {
      self = .link
    } else if word == "device" {
      self = .device
    } else if let type = FileType.allCases.first(where: { $0.word.description == word }) {
      self = .type(type)
    } else {
      return nil
    }
  }
}
