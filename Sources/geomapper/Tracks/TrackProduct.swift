import GeoCore
import GeoFormats
import GeoSystem
import GeoTrack

/// A product that can be written in any format of tracks.
protocol TrackProduct {
  mutating func write<Writer: TrackSink & ~Copyable>(to writer: consuming Writer) throws(TrackError)
}

extension Run {
  /// Writes tracks; an existing file is replaced only on success.
  ///
  /// - Parameter file: The input that is read meanwhile.
  func write(
    _ product: inout some TrackProduct, as format: FileFormat, reading file: TrackFile
  ) throws(Failure) {
    try write(&product, as: format, reading: file.input, called: file.shown)
  }

  /// Writes tracks; an existing file is replaced only on success.
  ///
  /// - Parameters:
  ///   - input: The input that is read meanwhile.
  ///   - shown: Its name, for messages.
  func write(
    _ product: inout some TrackProduct, as format: FileFormat, reading input: InputFile? = nil,
    called shown: String = ""
  ) throws(Failure) {
    let place = try place
    let progress = input == nil ? nil : low.progressLine(beside: place)
    if let input { progress?.begin(reading: input) }
    defer { progress?.clear() }
    try write { (file) throws(OutputError) in
      let output = TrackFileOutput(file)
      do throws(TrackError) {
        switch format {
        case .geojson: try product.write(to: GeoJSONTrackWriter(output))
        case .csv: try product.write(to: CSVTrackWriter(output))
        case .json: try product.write(to: JSONTrackWriter(output))
        default: try product.write(to: GPXTrackWriter(output))
        }
      } catch {
        throw output.obstacle ?? .failed(Failure(error, shown))
      }
    }
  }
}

/// Adapts an output file to a track writer.
final class TrackFileOutput: TrackOutput {
  private let file: OutputFile
  /// The error that stopped writing.
  private(set) var obstacle: OutputError?

  init(_ file: OutputFile) { self.file = file }

  func write(_ bytes: Span<UInt8>) throws(TrackError) {
    do throws(OutputError) {
      try file.write(bytes)
    } catch {
      obstacle = error
      throw .stopped
    }
  }
}
