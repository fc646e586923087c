/// Makes realistic names, unique in each folder even if case is ignored.
struct Namer {
  /// The bytes of all names of the current folder, each followed by a zero.
  private(set) var bytes: [UInt8] = []
  private var taken: Set<UInt64> = []
  private var start = 0

  /// Begins another folder.
  mutating func removeAll(expecting count: Int) {
    bytes.removeAll(keepingCapacity: true)
    if taken.capacity > 4 * count + 1024 { taken = [] }
    taken.removeAll(keepingCapacity: true)
    taken.reserveCapacity(count)
  }

  /// Adds a fixed name, and returns its start in ``bytes``.
  mutating func add(fixed name: String) -> Int {
    start = bytes.count
    add(name)
    return end(number: 0)
  }

  /// Adds the name of a file, and returns its start in ``bytes``.
  mutating func addFile(_ style: FolderStyle, number: Int, random: inout Random) -> Int {
    start = bytes.count
    switch style {
    case .event, .pictures, .year: addPicture(number: number, random: &random)
    case .album, .artist, .music:
      addPadded(number + 1, digits: 2)
      add(random.oneIn(2) ? " - " : " ")
      addTitle(words: 1 + random.below(4), random: &random)
      add(random.oneIn(5) ? ".flac" : ".mp3")
    case .videos:
      addTitle(words: 1 + random.below(3), random: &random)
      add(random.oneIn(3) ? ".mkv" : ".mp4")
    case .bucket, .objects: addHex(38, random: &random)
    case .cache:
      addHex(random.oneIn(2) ? 32 : 16, random: &random)
      if random.oneIn(3) { add("-d") }
    case .source, .project, .module, .modules: addSource(random: &random)
    case .settings: addSetting(random: &random)
    case .downloads: addPaper(random.pick(Words.downloads), random: &random)
    case .long: addLong(random: &random)
    case .papers, .home, .projects, .git: addPaper(random.pick(Words.papers), random: &random)
    case .mixed:
      switch random.below(4) {
      case 0: addPicture(number: number, random: &random)
      case 1: addSource(random: &random)
      case 2: addHex(16, random: &random)
      default: addPaper(random.pick(Words.papers), random: &random)
      }
    }
    return end(number: number)
  }

  /// Adds the name of a sub-folder of the given style, and returns its start in ``bytes``.
  mutating func addFolder(_ style: FolderStyle, number: Int, random: inout Random) -> Int {
    start = bytes.count
    switch style {
    case .year: add(decimal: 2000 + number)
    case .event:
      add(decimal: 2005 + random.below(20))
      add("-")
      add(random.pick(Words.months))
      if !random.oneIn(4) {
        add(" ")
        add(random.pick(Words.places))
      }
    case .artist, .album: addTitle(words: 1 + random.below(3), random: &random)
    case .bucket:
      addHexDigit(number >> 4 & 15)
      addHexDigit(number & 15)
      if number > 255 { add(decimal: number) }
    case .cache: random.oneIn(3) ? addHex(32, random: &random) : addHex(2, random: &random)
    case .settings:
      if random.oneIn(4) { add(".") }
      add(random.pick(Words.nouns))
      if random.oneIn(3) { add(random.pick(Words.nouns)) }
    case .module, .modules:
      if random.oneIn(20) { add("@") }
      addIdentifier(words: 1 + random.below(3), separator: "-", random: &random)
    case .source, .project:
      addIdentifier(words: 1 + random.below(2), separator: "-", random: &random)
    case .long: addLong(random: &random)
    default: addTitle(words: 1 + random.below(2), random: &random)
    }
    return end(number: number)
  }

  /// Ends a name, with a number before its extension if it exists already.
  private mutating func end(number: Int) -> Int {
    var attempt = number
    while !taken.insert(hash()).inserted {
      var suffix = Array("-\(attempt)".utf8)
      let dot = bytes[start...].lastIndex(of: 46) ?? start
      if dot > start {
        suffix += bytes[dot...]
        bytes.removeLast(bytes.count - dot)
      }
      let excess = bytes.count - start + suffix.count - 255
      if excess > 0 { bytes.removeLast(excess) }
      bytes.append(contentsOf: suffix)
      attempt += 1
    }
    bytes.append(0)
    return start
  }

  /// FNV-1a of the name in lower case.
  private func hash() -> UInt64 {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for index in start..<bytes.count {
      let byte = bytes[index]
      let lower = byte >= 65 && byte <= 90 ? byte | 32 : byte
      hash = (hash ^ UInt64(lower)) &* 0x100_0000_01B3
    }
    return hash
  }
}

extension Namer {
  private mutating func add(_ text: String) { bytes.append(contentsOf: text.utf8) }

  private mutating func add(decimal number: Int) { addPadded(number, digits: 1) }

  private mutating func addPadded(_ number: Int, digits: Int) {
    var divisor = 1
    for _ in 1..<max(2, digits) where digits > 1 { divisor *= 10 }
    while number / divisor >= 10 { divisor *= 10 }
    while divisor > 0 {
      bytes.append(48 + UInt8(number / divisor % 10))
      divisor /= 10
    }
  }

  private mutating func addHexDigit(_ digit: Int) {
    bytes.append(digit < 10 ? 48 + UInt8(digit) : 87 + UInt8(digit))
  }

  private mutating func addHex(_ count: Int, random: inout Random) {
    var bits: UInt64 = 0
    for index in 0..<count {
      if index % 16 == 0 { bits = random.next() }
      addHexDigit(Int(bits & 15))
      bits >>= 4
    }
  }

  private mutating func addIdentifier(words: Int, separator: String, random: inout Random) {
    for word in 0..<words {
      if word > 0 { add(separator) }
      add(random.pick(Words.nouns))
    }
  }

  private mutating func addTitle(words: Int, random: inout Random) {
    if random.oneIn(40) {
      add(random.pick(Words.foreign))
      if words > 1 { add(" ") }
    } else if random.oneIn(3) {
      add(random.pick(Words.adjectives))
      add(" ")
    }
    let first = bytes.count
    addIdentifier(words: words, separator: " ", random: &random)
    if bytes[first] >= 97 { bytes[first] -= 32 }
  }

  private mutating func addPicture(number: Int, random: inout Random) {
    switch random.below(4) {
    case 0:
      add("DSC_")
      addPadded((number + random.below(9)) % 10_000, digits: 4)
      add(random.oneIn(4) ? ".NEF" : ".JPG")
    case 1:
      add("2")
      addPadded(random.below(26), digits: 3)
      addPadded(101 + random.below(1128), digits: 4)
      add("_")
      addPadded(random.below(240_000), digits: 6)
      add(".jpg")
    default:
      add("IMG_")
      addPadded(1 + number % 9_999, digits: 4)
      add(random.oneIn(6) ? ".HEIC" : random.oneIn(12) ? ".MOV" : ".jpg")
    }
  }

  private mutating func addSource(random: inout Random) {
    switch random.below(24) {
    case 0: add("index.js")
    case 1: add("package.json")
    case 2: add("README.md")
    case 3: add("LICENSE")
    case 4: add(random.oneIn(2) ? ".gitignore" : ".npmignore")
    default:
      let separator = random.oneIn(2) ? "-" : "_"
      addIdentifier(words: 1 + random.below(3), separator: separator, random: &random)
      add(random.oneIn(9) ? ".test." : ".")
      add(random.pick(Words.languages))
    }
  }

  private mutating func addSetting(random: inout Random) {
    if random.oneIn(3) { add(".") }
    addIdentifier(words: 1 + random.below(2), separator: "-", random: &random)
    add(random.pick([".json", ".conf", ".ini", "rc", ".db", ".log", ".lock", ""]))
  }

  private mutating func addPaper(_ suffix: String, random: inout Random) {
    addTitle(words: 1 + random.below(3), random: &random)
    if random.oneIn(6) {
      add(" (")
      add(decimal: 1 + random.below(9))
      add(")")
    } else if random.oneIn(6) {
      add(" ")
      add(decimal: 2008 + random.below(18))
    }
    add(".")
    add(suffix)
  }

  /// Adds a name of 255 bytes; up to three fewer, so that it doesn't end inside a character.
  private mutating func addLong(random: inout Random) {
    let isForeign = random.oneIn(4)
    while true {
      let length = bytes.count
      add(isForeign ? random.pick(Words.foreign) : random.pick(Words.nouns))
      add(" ")
      guard bytes.count - start > 255 else { continue }
      bytes.removeLast(bytes.count - length)
      bytes.append(contentsOf: repeatElement(120, count: 255 - (length - start)))
      return
    }
  }
}
