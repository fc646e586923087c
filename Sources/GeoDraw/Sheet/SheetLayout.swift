/// Where on a sheet the map is, and where what is told about it.
struct SheetLayout: Sendable {
  let width: Double
  let height: Double
  /// The frame around the map, with its degrees.
  let frame: Box
  /// What can be seen of the map within the frame.
  let map: Box
  /// Where the cartouche is.
  let panel: Box
  /// The columns of the cartouche.
  let columns: [Box]
  /// How large the cartouche's texts are, 1 for a column of 250 units.
  let scale: Double

  /// How much room the numbers of the degrees have around the frame, in units.
  static let margin = 27.0
  /// How wide the frame is, with its ticks.
  static let band = 12.0

  /// A map with the cartouche on its right, or below it on a sheet that is higher than wide.
  init(_ size: SheetSize) {
    width = (size.width * SheetSize.unit).rounded()
    height = (size.height * SheetSize.unit).rounded()
    let margin = Self.margin
    if width > height {
      let breadth = Look.clamp(width * 0.215, 190, 400)
      panel = Box(
        left: width - margin - breadth, top: margin, right: width - margin,
        bottom: height - margin)
      frame = Box(
        left: margin, top: margin, right: panel.left - margin * 0.75, bottom: height - margin)
      columns = [panel.grown(by: -Self.band - breadth * 0.045)]
      scale = Look.clamp((columns[0].width) / 262, 0.6, 1.25)
    } else {
      let tall = Look.clamp(height * 0.25, 190, 420)
      panel = Box(
        left: margin, top: height - margin - tall, right: width - margin, bottom: height - margin)
      frame = Box(
        left: margin, top: margin, right: width - margin, bottom: panel.top - margin)
      let inner = panel.grown(by: -Self.band - 10)
      let gap = 24.0
      let each = (inner.width - 2 * gap) / 3
      columns = (0..<3).map { index in
        let left = inner.left + Double(index) * (each + gap)
        return Box(left: left, top: inner.top, right: left + each, bottom: inner.bottom)
      }
      scale = Look.clamp(min(each / 262, tall / 330), 0.55, 1.15)
    }
    map = frame.grown(by: -Self.band)
  }
}
