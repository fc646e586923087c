import GeoAtlas
import GeoDraw
import GeoProjection

extension Site {
  /// `/sheet.svg?bbox=W,S,E,N`: the part of the world in a box as a sheet to print, as `draw` makes it.
  ///
  /// `size`, `title`, `shade` and `date` are those of `draw`; `dark` draws on dark ground.
  func sheet(_ request: HTTPRequest) -> HTTPResponse {
    let target: PosterTarget
    do throws(BoundingBoxError) {
      target =
        try request.parameter("bbox").map { (text) throws(BoundingBoxError) in
          .box(try BoundingBox(parsing: text))
        } ?? .world
    } catch {
      return HTTPResponse(error: .badRequest, "bbox: \(error)")
    }
    var options = PosterOptions()
    options.title = request.parameter("title")
    options.isDark = request.has(parameter: "dark")
    if let text = request.parameter("size") {
      guard let size = SheetSize(parsing: text) else {
        return HTTPResponse(error: .badRequest, "size: A3, A2, or WxH in millimetres")
      }
      options.size = size
    }
    if let word = request.text("shade") {
      guard let shading = Shading(rawValue: word) else {
        let words = Shading.allCases.map(\.rawValue).joined(separator: ", ")
        return HTTPResponse(error: .badRequest, "shade: \(words)")
      }
      options.shading = shading
    }
    if let text = request.text("date") {
      guard let date = Int64(text) else {
        return HTTPResponse(error: .badRequest, "date: a time in Unix seconds")
      }
      options.date = date
    }
    guard let known = totals.known else {
      return HTTPResponse(
        error: .unavailable, "what is below folders is not added up yet: ask for /totals first")
    }
    do throws(PosterError) {
      let poster = try Poster(
        of: known.tree, by: world.engine, showing: target, options)
      return HTTPResponse(type: MediaType.drawing, poster.svg)
    } catch {
      return HTTPResponse(error: .badRequest, "bbox: a box with some extent, W west of E")
    }
  }
}
