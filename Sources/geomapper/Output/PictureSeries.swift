import GeoSystem
import Synchronization

/// Pictures of drawings, which another program makes several at a time; they are taken in the order in which
/// they were begun. Those that nobody takes are ended with it.
final class PictureSeries {
  private let program: PictureProgram
  private let folder: ScratchFolder
  /// The files that each picture under way is made of.
  private let places: [(drawing: [UInt8], picture: [UInt8])]
  private var underWay: [SideWork<Result<[UInt8], Failure>>] = []
  private var begun = 0
  private let isWanted = Wanted()

  /// Whether anybody still wants the pictures.
  private final class Wanted: Sendable {
    let isSo = Atomic(true)
  }

  /// - Parameter count: How many are made at a time.
  init(by program: PictureProgram, atATime count: Int) throws(Failure) {
    self.program = program
    places = (0..<count).map {
      (Array("sheet-\($0).svg".utf8), Array("sheet-\($0).png".utf8))
    }
    do throws(Errno) {
      folder = try ScratchFolder(for: places.flatMap { [$0.drawing, $0.picture] })
    } catch {
      throw .output("can't make a PNG with \(program.rawValue): \(error)")
    }
  }

  deinit {
    isWanted.isSo.store(false, ordering: .relaxed)
    // The folder goes when nobody writes into it any more.
    for work in underWay { _ = try? work.finish() }
  }

  /// Whether the next one has to be taken before another one is begun.
  var isFull: Bool { underWay.count == places.count }

  /// Begins to make a picture; there has to be room for it.
  ///
  /// - Parameter scale: Pixels for each unit of the drawing.
  func begin(_ svg: [UInt8], width: Int, height: Int, scale: Int) throws(Failure) {
    let (drawing, picture) = places[begun % places.count]
    begun += 1
    do throws(Errno) {
      for file in [drawing, picture] { folder.remove(file) }
      try folder.write(svg.span, as: drawing)
    } catch {
      throw .output("can't make a PNG with \(program.rawValue): \(error)")
    }
    let (from, to) = (folder.path(of: drawing), folder.path(of: picture))
    let work = SideWork { [program, isWanted] () throws(Errno) in
      Result { () throws(Failure) in
        try program.run(from, into: to, width: width, height: height, scale: scale) {
          isWanted.isSo.load(ordering: .relaxed)
        }
      }
    }
    work.begin()
    underWay.append(work)
  }

  /// The picture that was begun first of those that were not taken.
  func next() throws(Failure) -> [UInt8] {
    do {
      return try underWay.removeFirst().finish().get()
    } catch let error as Failure {
      throw error
    } catch {
      throw .output("can't make a PNG with \(program.rawValue): \(error)")
    }
  }
}
