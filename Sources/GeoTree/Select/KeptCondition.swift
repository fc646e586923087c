import GeoCore

/// A condition that decided which entries a snapshot has, as stored in its header: `--NAME` or
/// `--NAME=VALUE`.
///
/// The texts belong to the snapshot format and never change. They were once the options of the
/// command line.
package struct KeptCondition: Hashable, Sendable {
  package enum Name: String, Sendable {
    case exclude
    case excludeFrom = "exclude-from"
    case include
    case noHidden = "no-hidden"
    case gitignore
    case name
    case anyCaseName = "iname"
    case type
    case size
    case newer
    case older
    case maxDepth = "max-depth"
    case oneFileSystem = "one-file-system"
    case follow
    /// A folder of the list that the part was read by.
    case only

    /// Why entries are left out by it; nil if it leaves none out.
    package var reason: ExclusionReason? {
      switch self {
      // Snapshots were once made with a pattern for the depth.
      case .exclude, .excludeFrom, .include, .maxDepth: .pattern
      case .noHidden: .hidden
      case .gitignore: .gitignore
      case .type: .type
      case .name, .anyCaseName: .name
      case .size: .size
      case .newer: .newer
      case .older: .older
      case .only: .part
      case .oneFileSystem, .follow: nil
      }
    }
  }

  package let name: Name
  package private(set) var value: [UInt8]?

  package init(_ name: Name, _ value: [UInt8]? = nil) {
    (self.name, self.value) = (name, value)
  }

  /// Writes the glob so that all versions understand it alike.
  package static func glob(_ name: Name, _ glob: [UInt8]) -> KeptCondition {
    KeptCondition(name, Selection.ageless(glob))
  }

  /// Kinds as letters, sorted.
  package static func kinds(_ kinds: Set<EntryKind>) -> KeptCondition {
    KeptCondition(.type, Array(kinds.map(\.letter).sorted().joined(separator: ",").utf8))
  }

  package static func size(_ condition: Selection.SizeCondition) -> KeptCondition {
    KeptCondition(.size, Array(condition.text.utf8))
  }

  /// Parses a text of a header; nil if this version doesn't know it.
  package init?(parsing text: [UInt8]) {
    guard text.starts(with: "--".utf8) else { return nil }
    let word = text.dropFirst(2).prefix { $0 != UInt8(ascii: "=") }
    guard let name = Name(rawValue: String(decoding: word, as: UTF8.self)) else { return nil }
    self.init(name, word.endIndex == text.count ? nil : Array(text[(word.endIndex + 1)...]))
  }

  package var text: [UInt8] {
    Array("--\(name.rawValue)".utf8) + (value.map { [UInt8(ascii: "=")] + $0 } ?? [])
  }

  /// Converts a text of a header to the present meaning of globs.
  package static func modern(_ text: [UInt8]) -> [UInt8] {
    guard var condition = KeptCondition(parsing: text), let glob = condition.value,
      condition.name == .exclude || condition.name == .include
    else { return text }
    condition.value = Selection.modern(glob)
    return condition.text
  }
}

extension Selection {
  /// The conditions equivalent to this selection: the rules in order, then the others.
  package var conditions: [KeptCondition] {
    var sizes = sizes[...]
    var conditions = requests.split(separator: 0).compactMap { request -> KeptCondition? in
      let word = request.prefix { $0 != UInt8(ascii: " ") }
      let value = request.dropFirst(word.count + 1)
      switch String(decoding: word, as: UTF8.self) {
      case "hidden": return KeptCondition(.noHidden)
      case "keep": return KeptCondition(.include, Array(value))
      case "size": return sizes.popFirst().map { .size($0) }
      case let word:
        return KeptCondition.Name(rawValue: word).map {
          KeptCondition($0, value.isEmpty ? nil : Array(value))
        }
      }
    }
    if let kinds { conditions.append(.kinds(kinds)) }
    if let newer { conditions.append(KeptCondition(.newer, Array("@\(newer)".utf8))) }
    if let older { conditions.append(KeptCondition(.older, Array("@\(older)".utf8))) }
    if let maximumDepth {
      conditions.append(KeptCondition(.maxDepth, Array("\(maximumDepth)".utf8)))
    }
    return conditions
  }
}

extension EntryKind {
  /// The letter of the kind, as in `find -type`.
  fileprivate var letter: String {
    switch self {
    case .regular: "f"
    case .directory: "d"
    case .symlink: "l"
    case .fifo: "p"
    case .socket: "s"
    case .block: "b"
    case .character: "c"
    case .unknown: "?"
    }
  }
}
