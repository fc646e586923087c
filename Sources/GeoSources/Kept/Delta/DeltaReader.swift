import GeoCore
import GeoSystem

final class DeltaReader {
  private let file: ReadableFile

  init(_ file: consuming ReadableFile) { self.file = file }

  func directory() throws(ByteDamage) -> DeltaDirectory {
    let head = try bytes(at: 0, DeltaFile.head.count)
    let tail = try bytes(at: file.size - DeltaFile.end, DeltaFile.end)
    guard head == DeltaFile.head else { throw .malformed }
    let numbers = tail.span
    let offset = numbers.loadWord(at: 0)
    let packed = Int(numbers.loadHalfWord(at: 8))
    let length = Int(numbers.loadHalfWord(at: 12))
    guard numbers.loadHalfWord(at: 20) == CRC32.checksum(of: numbers.extracting(0..<20)),
      offset <= UInt64(file.size), packed <= DeltaFile.longest, length <= DeltaFile.longest,
      Int(offset) + packed + DeltaFile.end == file.size
    else { throw .changed }
    let chunk = DeltaFile.Chunk(
      offset: Int(offset), packed: packed, length: length,
      checksum: numbers.loadHalfWord(at: 16))
    return try DeltaDirectory(try read(chunk), at: Int(offset))
  }

  /// Reads all that the file has; returns the state that it is the difference from.
  func check() throws(ByteDamage) -> [UInt8] {
    let directory = try directory()
    for chunk in directory.chunks { _ = try packed(chunk) }
    return directory.base
  }

  func read(_ chunk: DeltaFile.Chunk) throws(ByteDamage) -> [UInt8] {
    let packed = try packed(chunk)
    var inflater = Inflater()
    var result: [UInt8] = []
    do throws(Inflater.Failure) {
      try inflater.inflate(packed, limit: chunk.length, into: &result)
    } catch {
      throw .malformed
    }
    guard result.count == chunk.length else { throw .malformed }
    return result
  }

  private func packed(_ chunk: DeltaFile.Chunk) throws(ByteDamage) -> [UInt8] {
    let packed = try bytes(at: chunk.offset, chunk.packed)
    guard CRC32.checksum(of: packed.span) == chunk.checksum else { throw .changed }
    return packed
  }

  private func bytes(at offset: Int, _ count: Int) throws(ByteDamage) -> [UInt8] {
    guard offset >= 0, count <= file.size - offset else { throw .changed }
    var bytes: [UInt8] = []
    try rethrowing(file.read(count, at: offset, into: &bytes)) { _ in ByteDamage.changed }
    guard bytes.count == count else { throw .changed }
    return bytes
  }
}
