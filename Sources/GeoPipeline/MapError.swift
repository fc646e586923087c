import GeoCore
import GeoFormats
import GeoSources
import GeoSystem
import GeoTree

extension MapError {
  /// Why a world can't be asked about single paths and places: it has to be read as a whole, or names
  /// can't be looked up in its listings.
  package enum LookupObstacle: Hashable, Sendable {
    case list
    case links
  }
}

/// Why mapping could not start.
package enum MapError: Error, Hashable, Sendable {
  case refusedRoot(RootError)
  case notFileURL(String)
  case rootNotFound(directory: [UInt8], Errno)
  case rootNotFolder(directory: [UInt8])
  case list(ListError)
  /// A source of the caller broke off, for a reason in words.
  case brokenSource(String)
  case severalRootsOfList
  case noLookup(because: LookupObstacle)
  case unwatchable(String)
  case conflict(Conflict)
  case layer(String)
  case noScratch(Errno)
  case noThread(Errno)

  /// The error for a folder that can't be a root.
  package init(_ reason: Errno, directory: [UInt8]) {
    self =
      reason == .notDirectory
      ? .rootNotFolder(directory: directory) : .rootNotFound(directory: directory, reason)
  }
}

extension MapError: GeoError {
  package var group: ErrorGroup {
    switch self {
    case .list(let error): error.group
    case .rootNotFound, .rootNotFolder, .brokenSource: .source
    case .noScratch: .output
    case .noThread: .limit
    default: .usage
    }
  }

  package var description: String {
    func text(_ bytes: [UInt8]) -> String { TerminalText.escaped(bytes) }
    switch self {
    case .refusedRoot(let error): return error.description
    case .notFileURL(let url): return "can't map '\(text(Array(url.utf8)))': not a file URL"
    case .rootNotFound(let directory, let reason):
      return "can't map '\(text(directory))': \(reason)"
    case .rootNotFolder(let directory): return "can't map '\(text(directory))': not a folder"
    case .list(let error): return error.description
    case .brokenSource(let reason): return "can't read the source: \(text(Array(reason.utf8)))"
    case .severalRootsOfList:
      return "a list is for one folder: give the path that all its lines begin with"
    case .noLookup(let obstacle):
      let reason =
        switch obstacle {
        case .list: "the world is read from a list; call indexed() first"
        case .links: "the world follows links; set followsLinks to false"
        }
      return "can't look up single paths: \(reason)"
    case .unwatchable(let reason): return reason
    case .conflict(let conflict): return conflict.explanation
    case .layer(let refusal): return refusal
    case .noScratch(let reason): return Failure.noScratch("use scratch files", reason).message
    case .noThread(let reason): return Failure.noThread(reason).message
    }
  }
}

/// An option of a request that can conflict with another one.
package enum MapOption: Hashable, Sendable {
  case format(OutputFormat)
  case tippecanoe
  case lonlat
  case unindexed
  case compression
  case quotesAll
  case links
  case totals
  case followsLinks
  case staysOnFileSystem
  case noMetadata
  case sizes
  case newer
  case older
  case gitignore
  case list(ListFormat)
  case zeroSeparated
  /// A root that is a snapshot; with its path.
  case snapshot([UInt8])
  /// Another root that is not on a disk, such as a revision; with its argument.
  case offDisk([UInt8])
}

extension MapError {
  /// Two options that exclude each other.
  package struct Conflict: Hashable, Sendable {
    package let option: MapOption
    package let other: MapOption

    init(_ option: MapOption, with other: MapOption) {
      self.option = option
      self.other = other
    }

    var explanation: String {
      let (option, other) = (self.option.name, self.other.name)
      switch (self.option, self.other) {
      case (_, .snapshot):
        return "\(option) is decided when a snapshot is taken: give it there, and not with \(other)"
      case (_, .offDisk):
        return "\(option) needs a disk, and \(other) is on none: drop one of them"
      case (_, .noMetadata):
        return "\(option) needs what \(other) leaves unread: drop one of them"
      case (_, .format):
        let formats = self.option.trait.map(OutputFormat.names(with:)) ?? "other formats"
        return "\(option) works with \(formats) only, not with \(other)"
      case (.gitignore, .list):
        return
          "\(option) reads files of the tree, and \(MapOption.list(.lines).name) has their names alone"
      case (.zeroSeparated, .list(let format)):
        return "\(option) says how paths end, and the format \(format.rawValue) has ends of its own"
      case (.sizes, .list), (.newer, .list), (.older, .list):
        return "\(option) needs sizes or times, which a list of paths lacks; make one with "
          + "find -printf and give \(MapOption.list(.find).name)"
      default:
        return
          "\(option) asks the disk for what a list lacks: drop it, or \(MapOption.list(.lines).name)"
      }
    }
  }
}

extension MapRequest {
  package func conflict(with list: ListSource?) -> MapError.Conflict? {
    for (option, isAsked) in asked + [(.zeroSeparated, list?.isZeroSeparated ?? false)]
    where isAsked {
      if let other = obstacles(of: option, list?.format).first(where: \.isGiven)?.option {
        return MapError.Conflict(option, with: other)
      }
    }
    return MapError.Conflict(asked.lazy.filter(\.isAsked).map(\.option), on: roots)
  }

  /// The options that can conflict, and whether they are used.
  private var asked: [(option: MapOption, isAsked: Bool)] {
    let reasons = selection.reasons
    return [
      (.format(format), true), (.tippecanoe, tippecanoe), (.lonlat, lonlat),
      (.unindexed, !isIndexed), (.compression, compression != nil), (.quotesAll, quotesAll),
      (.links, scan.countsLinks),
      (.totals, totals), (.followsLinks, scan.followsLinks),
      (.staysOnFileSystem, scan.staysOnFileSystem), (.sizes, reasons.contains(.size)),
      (.newer, reasons.contains(.newer)), (.older, reasons.contains(.older)),
      (.gitignore, selection.usesGitignore),
    ]
  }

  private func obstacles(
    of option: MapOption, _ list: ListFormat?
  ) -> [(option: MapOption, isGiven: Bool)] {
    let other = option.trait.map {
      (MapOption.format(format), !format.traits.contains($0))
    }
    let bare = (MapOption.noMetadata, !scan.readsMetadata)
    let kind = list ?? .lines
    let names = (MapOption.list(kind), list != nil)
    switch option {
    case .tippecanoe, .lonlat, .unindexed, .compression, .quotesAll:
      return [other].compactMap(\.self)
    case .links, .totals: return [names, other, bare].compactMap(\.self)
    case .followsLinks, .staysOnFileSystem: return [names]
    case .sizes, .newer, .older: return [bare, (names.0, names.1 && kind == .lines)]
    case .gitignore: return [names]
    case .zeroSeparated: return [(names.0, names.1 && !kind.canHaveZeros)]
    case .format, .noMetadata, .list, .snapshot, .offDisk: return []
    }
  }
}

extension MapError.Conflict {
  /// The first option that needs a disk, with the first root that is not on one; nil if there is no
  /// such pair.
  package init?(_ options: some Sequence<MapOption>, on roots: [ScanRoot]) {
    for option in options where option.needsDisk {
      for root in roots where !root.source.isLive {
        let path = root.directory
        self.init(option, with: root.source.isDecided ? .snapshot(path) : .offDisk(path))
        return
      }
    }
    return nil
  }
}

extension MapOption {
  /// Whether it reads more of a disk than listings and metadata.
  fileprivate var needsDisk: Bool {
    switch self {
    case .gitignore, .followsLinks, .staysOnFileSystem: true
    default: false
    }
  }

  /// The trait that the format needs; nil if every format will do.
  fileprivate var trait: FormatTraits? { meaning.trait }

  /// Its name in the library.
  var name: String { meaning.name }

  private var meaning: (name: String, trait: FormatTraits?) {
    switch self {
    case .format(let format): ("the format \(format.rawValue)", nil)
    case .tippecanoe: ("'tippecanoe'", .tippecanoe)
    case .lonlat: ("'lonlat'", .lonlat)
    case .unindexed: ("'isIndexed = false'", .index)
    case .compression: ("'compression'", .compression)
    case .quotesAll: ("'quotesAll'", .quotes)
    case .links: ("'countsLinks'", .links)
    case .totals: ("'includesTotals'", .totals)
    case .followsLinks: ("'followsLinks'", nil)
    case .staysOnFileSystem: ("'staysOnFileSystem'", nil)
    case .noMetadata: ("'readsMetadata = false'", nil)
    case .sizes: ("a size in 'selection'", nil)
    case .newer: ("'selection.newer'", nil)
    case .older: ("'selection.older'", nil)
    case .gitignore: ("'selection.excludeIgnored()'", nil)
    case .list(.lines): ("a list", nil)
    case .list(let format): ("a list of the format \(format.rawValue)", nil)
    case .zeroSeparated: ("'isZeroSeparated'", nil)
    case .snapshot(let path), .offDisk(let path): ("'\(TerminalText.escaped(path))'", nil)
    }
  }
}
