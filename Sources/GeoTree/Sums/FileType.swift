import GeoCore

/// The type of a file's content, guessed from its name's extension.
/// The page draws files by these types.
package enum FileType: UInt8, Sendable, CaseIterable {
  case code, text, picture, soundOrFilm, archive, program, data, other

  package init(ofFileNamed name: Span<UInt8>) {
    self =
      Self.isNumberedLibrary(name)
      ? .program : Self.known[FileExtension(of: name)] ?? .other
  }

  /// Its name in tiles and answers.
  package var word: StaticString {
    switch self {
    case .code: "code"
    case .text: "text"
    case .picture: "picture"
    case .soundOrFilm: "sound, film"
    case .archive: "archive"
    case .program: "program"
    case .data: "data"
    case .other: "other"
    }
  }

  private static let known: [FileExtension: FileType] = {
    var known: [FileExtension: FileType] = [:]
    for (type, list) in endings {
      for ending in list.split(separator: " ") {
        known[FileExtension(of: Array("x.\(ending)".utf8).span)] = type
      }
    }
    return known
  }()

  /// The endings of names of each type, separated by spaces. The page has them, too.
  package static let endings: [(type: FileType, list: String)] = [
    (
      .code,
      """
      c h cc cpp hpp cxx rs go py js mjs ts tsx jsx java swift rb pl pm sh bash lua php cs kt scala hs \
      ml el lisp vim sql cmake make mk awk tcl r jl zig asm s
      """
    ),
    (
      .text,
      """
      txt md rst html htm css pdf doc docx odt tex man 1 2 3 4 5 6 7 8 adoc org log epub po mo gmo info \
      ps rtf
      """
    ),
    (.picture, "png jpg jpeg gif svg webp ico bmp tif tiff xpm heic psd xcf avif"),
    (.soundOrFilm, "mp3 ogg flac wav opus m4a mid aac mp4 mkv avi mov webm ogv mpg"),
    (.archive, "zip gz xz bz2 zst tar tgz 7z rar deb rpm jar whl iso lz4 br"),
    (.program, "so a o exe dll dylib bin ko class pyc pyo elc wasm node la"),
    (
      .data,
      """
      json xml yaml yml toml ini conf cfg csv tsv db sqlite dat plist properties desktop list rules \
      service ttf otf woff woff2 pcf
      """
    ),
  ]

  /// Whether a name ends in `.so` and numbers, such as `libc.so.6`.
  private static func isNumberedLibrary(_ name: Span<UInt8>) -> Bool {
    var end = name.count
    while true {
      var start = end
      while start > 0, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(name[start - 1]) {
        start -= 1
      }
      guard start < end, start > 0, name[start - 1] == UInt8(ascii: ".") else { break }
      end = start - 1
    }
    return end < name.count && end > 3 && name[end - 1] == UInt8(ascii: "o")
      && name[end - 2] == UInt8(ascii: "s") && name[end - 3] == UInt8(ascii: ".")
  }
}

extension FileType {
  /// All types, as classes for ``FileSystemScanner/totals(of:classes:)``.
  package static let classes = FileClasses(count: allCases.count) {
    Int(FileType(ofFileNamed: $0).rawValue)
  }
}

/// The class of a file in searches: its type for regular files, otherwise `link` or `device`.
package enum FileSort: Sendable, Hashable {
  case type(FileType)
  case link
  case device

  package init(of name: Span<UInt8>, _ kind: EntryKind) {
    switch kind {
    case .regular, .directory, .unknown: self = .type(FileType(ofFileNamed: name))
    case .symlink: self = .link
    case .fifo, .socket, .block, .character: self = .device
    }
  }

  /// The sort that a legend's word names; nil if unknown.
  package init?(word: some StringProtocol) {
    switch word {
    case "link": self = .link
    case "device": self = .device
    default:
      let type = FileType.allCases.first { $0.word.description == word }
      guard let type else { return nil }
      self = .type(type)
    }
  }
}

/// A classification of files, to add up bytes per class.
package struct FileClasses: Sendable {
  /// The number of classes, at most 256.
  package let count: Int
  /// Returns the class for a file name, from 0 on.
  let classify: @Sendable (Span<UInt8>) -> Int

  package init(count: Int, of classify: @escaping @Sendable (Span<UInt8>) -> Int) {
    self.count = count
    self.classify = classify
  }
}
