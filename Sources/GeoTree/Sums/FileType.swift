import GeoCore

/// The type of a file's content, guessed from its name's extension.
///
/// The page draws files by these types.
package enum FileType: UInt8, Sendable, CaseIterable {
  case code, text, picture, soundOrFilm, archive, program, data, other

  /// Looks up the type for a file name.
  ///
  /// - Complexity: One table look-up.
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
    for (type, all) in endings {
      for ending in all.split(separator: " ") {
        known[FileExtension(of: Array("x.\(ending)".utf8).span)] = type
      }
    }
    return known
  }()

  private static let endings: [(FileType, String)] = [
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

/// The text after the last dot of a file name, at most 16 bytes, in lower case.
///
/// Stored in two words instead of a string, because one is looked up for each file.
public struct FileExtension: Hashable, Sendable {
  private var words: (UInt64, UInt64) = (0, 0)

  /// The extension of names without one.
  public static let none = FileExtension()

  private init() {}

  /// Finds the extension of a name; ``none`` for a name whose only dot is its first byte, and for
  /// extensions longer than 16 bytes or with bytes other than ASCII letters, digits, `_`, `+` and
  /// `-`.
  public init(of name: Span<UInt8>) {
    var index = name.count - 1
    var length = 0
    while index > 0, length <= 16 {
      let byte = name[index]
      if byte == UInt8(ascii: ".") { return }
      guard Self.isPlain(byte), length < 16 else { break }
      let lower = UInt64(UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte ? byte | 0x20 : byte)
      if length < 8 {
        words.0 |= lower << UInt64(8 * length)
      } else {
        words.1 |= lower << UInt64(8 * (length - 8))
      }
      length += 1
      index -= 1
    }
    words = (0, 0)
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "+"),
      UInt8(ascii: "-"):
      true
    default: false
    }
  }

  /// The extension without the dot; empty for ``none``.
  public var text: String {
    var bytes: [UInt8] = []
    for word in [words.0, words.1] {
      for place in 0..<8 {
        let byte = UInt8(truncatingIfNeeded: word >> UInt64(8 * place))
        if byte != 0 { bytes.insert(byte, at: 0) }
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Whether both extensions are equal.
  public static func == (a: FileExtension, b: FileExtension) -> Bool { a.words == b.words }

  /// Hashes both words.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(words.0)
    hasher.combine(words.1)
  }
}

/// The class of a file in searches: its type for regular files, otherwise `link` or `device`.
package enum FileSort: Sendable, Hashable {
  case type(FileType)
  case link
  case device

  /// Classifies a file.
  package init(of name: Span<UInt8>, _ kind: EntryKind) {
    switch kind {
    case .regular, .directory, .unknown: self = .type(FileType(ofFileNamed: name))
    case .symlink: self = .link
    case .fifo, .socket, .block, .character: self = .device
    }
  }

  /// The sort that a legend's word names; nil if unknown.
  package init?(word: some StringProtocol) {
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

/// A classification of files, to add up bytes per class.
package struct FileClasses: Sendable {
  /// The number of classes, at most 256.
  package let count: Int
  /// Returns the class for a file name, from 0 on.
  let classify: @Sendable (Span<UInt8>) -> Int

  /// Makes a classification by file names.
  package init(count: Int, of classify: @escaping @Sendable (Span<UInt8>) -> Int) {
    self.count = count
    self.classify = classify
  }
}
