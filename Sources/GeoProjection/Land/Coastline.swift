/// The line between a folder's territory and its core.
struct Coastline {
  /// Vertices of the ring: a power of two, 16 to 256.
  let count: Int
  let territory: Quad
  let core: Quad
  let seed: UInt64

  init(territory: Quad, seed: UInt64, depth: Int32) {
    count = Self.count(atDepth: depth)
    self.territory = territory
    self.core = Ground.core(of: territory, depth: depth)
    self.seed = seed
  }

  static func count(atDepth depth: Int32) -> Int { 256 >> Int(min(max(depth, 0), 4)) }

  /// Computes the ring on the plan, counter-clockwise from the south-western corner.
  ///
  /// The result is in units of the plan although the type says degrees. Each vertex first holds its
  /// height, so that no other memory is needed.
  func draw(into ring: inout [Coordinate]) {
    ring.resize(to: count, Coordinate(longitude: 0, latitude: 0))
    var span = ring.mutableSpan
    raise(&span)
    let side = count / 4
    drawSide(&span, 0, (core.q3, core.q2), (territory.q3, territory.q2))
    drawSide(&span, side, (core.q2, core.q1), (territory.q2, territory.q1))
    drawSide(&span, side * 2, (core.q1, core.q0), (territory.q1, territory.q0))
    drawSide(&span, side * 3, (core.q0, core.q3), (territory.q0, territory.q3))
  }

  /// Computes 16-bit heights by midpoint displacement. It starts with eight anchors. Each
  /// generation sets the middles to the mean of their neighbours plus a bump, which shrinks by 5/8
  /// each time.
  private func raise(_ ring: inout MutableSpan<Coordinate>) {
    var index: UInt64 = 2
    var step = count / 8
    for vertex in stride(from: 0, to: count, by: step) {
      ring[vertex].latitude = Int64(SplitMix64.number(seed, index) >> 48)
      index += 1
    }
    var amplitude: Int64 = 1 << 15
    while step > 1 {
      let half = step / 2
      for vertex in stride(from: half, to: count, by: step) {
        let bump = ((Int64(SplitMix64.number(seed, index) >> 48) - 0x8000) * amplitude) >> 16
        let next = ring[(vertex + half) & (count - 1)].latitude
        let mean = (ring[vertex - half].latitude + next) >> 1
        ring[vertex].latitude = min(max(mean + bump, 0), 0xFFFF)
        index += 1
      }
      amplitude = (amplitude * 5) >> 3
      step = half
    }
  }

  /// Computes the vertices of one side, from the first to the second corner of the core and the
  /// territory.
  private func drawSide(
    _ ring: inout MutableSpan<Coordinate>, _ start: Int,
    _ inner: (PlanPoint, PlanPoint), _ outer: (PlanPoint, PlanPoint)
  ) {
    let k = Int64(count / 4)
    let shift = Int64(k.trailingZeroBitCount)
    for step in 0..<count / 4 {
      let t = Int64(step)
      // Near corners the strip is narrow, so the line keeps away from the territory's edge. All
      // values here fit 32 bits.
      let e = max(0, k &- 4 &* min(t, k &- t))
      let cap = 64511 &- (35840 &* e &* e) &>> (2 &* shift)
      let offset = 8192 &+ (ring[start &+ step].latitude &* (cap &- 8192)) &>> 16
      let u = t &<< (32 &- shift)
      let vertex = inner.0.lerp(to: inner.1, u)
        .lerp(to: outer.0.lerp(to: outer.1, u), offset &<< 16)
      ring[start &+ step] = Coordinate(longitude: vertex.x, latitude: vertex.y)
    }
  }
}
