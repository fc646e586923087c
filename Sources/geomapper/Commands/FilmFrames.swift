import GeoChange
import GeoCore
import GeoDraw
import GeoPipeline
import GeoProjection
import GeoSystem
import GeoTree
import GeoWeb

/// The frames of a film, drawn in order; PNG conversions run in parallel, one for each processor.
struct FilmFrames {
  private let world: HistoryWorld
  private let low: LowArguments
  private let engine: GeoProjectionEngine
  private let span: ClosedRange<Int64>
  private let count: Int
  /// The running PNG conversions; nil for SVG frames.
  private let series: PictureSeries?

  /// The number of the next frame to begin.
  private var frame = 0
  /// Pictures under way: the number of frames that show each, and its drawing.
  private var underWay: [(frames: Int, svg: [UInt8])] = []
  /// The key of the last picture under way.
  private var key: Key?
  /// The error that stopped drawing.
  private var failure: Failure?
  /// The current picture, and the number of frames that still show it.
  private var shown: (frames: Int, bytes: [UInt8]) = (0, [])

  /// The inputs of a picture: frames of the same state and day share one.
  private struct Key: Equatable {
    let state: Int
    let day: Int64
  }

  /// - Parameters:
  ///   - count: The number of frames, at least 2.
  ///   - program: The program that converts SVG to PNG; nil for SVG frames.
  ///   - progress: Called now and then during conversions.
  init(
    _ count: Int, of world: HistoryWorld, _ low: LowArguments, _ program: PictureProgram?,
    progress: @escaping @Sendable () -> Void
  ) throws(Failure) {
    self.count = count
    self.world = world
    self.low = low
    span = try world.spanOfFilm(low.history.filter)
    engine = try wording {
      try WorldRoots(HistorySource(world).roots, low.chosenLayout).engine
    }
    series = try wording {
      try program.map {
        try PictureSeries(by: $0, atATime: FileSystem.processors, progress: progress)
      }
    }
  }

  /// The next frame.
  mutating func next() throws(Failure) -> [UInt8] {
    if shown.frames == 0 {
      beginMore()
      if underWay.isEmpty, let failure { throw failure }
      let (frames, svg) = underWay.removeFirst()
      shown = (frames, try wording { try series?.next() } ?? svg)
    }
    shown.frames -= 1
    return shown.bytes
  }

  /// Begins as many pictures as fit.
  private mutating func beginMore() {
    do throws(Failure) {
      while failure == nil, frame < count {
        let fraction = Double(frame) / Double(count - 1)
        // Times of states can be at both ends of what a number can be.
        let length = Double(Int128(span.upperBound) - Int128(span.lowerBound))
        let time = Int64(clamping: Int128(span.lowerBound) + Int128(length * fraction))
        let key = Key(state: world.state(at: time), day: time / 86_400)
        if key == self.key, !underWay.isEmpty {
          underWay[underWay.count - 1].frames += 1
        } else {
          if series?.isFull ?? !underWay.isEmpty { return }
          let sheet = try sheet(at: time)
          try wording {
            try series?.begin(sheet.svg, width: sheet.width, height: sheet.height, scale: 2)
          }
          underWay.append((1, series == nil ? sheet.svg : []))
          self.key = key
        }
        frame += 1
      }
    } catch {
      // Return the frames begun before the error first.
      failure = error
    }
  }

  private func sheet(at time: Int64) throws(Failure) -> Poster {
    var filter = low.history.filter
    (filter.since, filter.until) = (time, time)
    let roots = HistorySource(world, filter: filter).roots
    let totals = try onMainThread {
      try await TreeTotals.all(of: roots, options: FileSystemScanner.Options())
    }
    var options = PosterOptions(low.draw)
    options.date = time
    // Folders that don't exist at this moment are unlisted in the totals.
    options.showsUnlisted = false
    options.keepsView = true
    options.rootFiles = roots.map(\.listing.files)
    return try wording("a frame can't be drawn") { [options] in
      try Poster(of: totals, by: engine, showing: .world, options)
    }
  }
}
