import GeoCore
import GeoSystem
import Synchronization

/// Conversions of drawings that run in parallel; results come in the order in which they were
/// begun.
///
/// Conversions whose results are not taken end with this object.
package final class PictureSeries {
  private let program: PictureProgram
  private let folder: ScratchFolder
  /// The files of each parallel conversion.
  private let places: [(drawing: String, picture: String)]
  private var underWay: [BackgroundTask<Result<[UInt8], Failure>>] = []
  private var begun = 0
  private let isWanted = Wanted()
  private let progress: @Sendable () -> Void

  /// Whether the results are still needed.
  private final class Wanted: Sendable {
    let isSo = Atomic(true)
  }

  /// - Parameters:
  ///   - count: The number of parallel conversions.
  ///   - progress: Called now and then during conversions.
  package init(
    by program: PictureProgram, atATime count: Int, progress: @escaping @Sendable () -> Void
  ) throws(Failure) {
    self.program = program
    self.progress = progress
    places = (0..<count).map { ("sheet-\($0).svg", "sheet-\($0).png") }
    folder = try rethrowing(ScratchFolder(), as: program.failure)
  }

  deinit {
    isWanted.isSo.store(false, ordering: .relaxed)
    // Wait before the folder is removed: conversions may still write into it.
    for work in underWay { _ = try? work.finish() }
  }

  /// Whether a result has to be taken before another conversion can begin.
  package var isFull: Bool { underWay.count == places.count }

  /// Begins a conversion; the series must not be full.
  ///
  /// - Parameter scale: Pixels for each unit of the drawing.
  package func begin(_ svg: [UInt8], width: Int, height: Int, scale: Int) throws(Failure) {
    let (drawing, picture) = places[begun % places.count]
    begun += 1
    for file in [drawing, picture] { folder.remove(Array(file.utf8)) }
    try rethrowing(folder.write(svg.span, as: Array(drawing.utf8)), as: program.failure)
    let work = BackgroundTask { [program, folder, isWanted, progress] () throws(Errno) in
      Result { () throws(Failure) in
        try program.run(
          drawing, into: picture, in: folder, width: width, height: height, scale: scale
        ) {
          progress()
          return isWanted.isSo.load(ordering: .relaxed)
        }
      }
    }
    work.begin()
    underWay.append(work)
  }

  /// The result of the oldest conversion.
  package func next() throws(Failure) -> [UInt8] {
    try rethrowing(underWay.removeFirst().finish(), as: program.failure).get()
  }
}
