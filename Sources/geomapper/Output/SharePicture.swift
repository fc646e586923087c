import GeoDraw
import GeoWeb
import GeoProjection
import GeoTree

/// The picture by which other programs show a link to a site: a sheet of the world.
enum SharePicture {
  /// Draws it.
  ///
  /// - Parameters:
  ///   - totals: Of what is shown.
  ///   - engine: Of the same roots.
  ///   - isPart: Whether what is shown is a part of a tree, of which the rest isn't drawn.
  /// - Returns: nil if no program here makes a PNG, or the world is too small to be drawn; why is said.
  static func draw(
    _ totals: TreeTotals, by engine: GeoProjectionEngine, isPart: Bool, isQuiet: Bool
  ) -> Publication.Picture? {
    var options = PosterOptions()
    options.size = .link
    options.showsUnlisted = !isPart
    do throws(Failure) {
      let program = try PictureProgram.find()
      guard let sheet = try? Poster(of: totals, by: engine, showing: .world, options) else {
        return nil
      }
      let png = try program.png(
        of: sheet.svg, width: sheet.width, height: sheet.height, scale: 1)
      return Publication.Picture(bytes: png, width: sheet.width, height: sheet.height)
    } catch {
      if !isQuiet { Messages.note("the site has no share picture: \(error.message)") }
      return nil
    }
  }
}
