import GeoPipeline

extension MapPlan {
  /// Says in a request what is to be done about links and mounts.
  static func apply(
    _ links: LinkArguments, of low: LowArguments, to request: inout MapRequest
  ) throws(Failure) {
    request.scan.staysOnFileSystem = links.staysOnFileSystem
    request.scan.followsLinks = links.follows
    request.scan.countsLinks = links.countsLinks
    request.totals = links.totals
    if low.deeds.deed != nil {
      let whole = [
        ("--one-file-system", links.staysOnFileSystem), ("--follow", links.follows),
        ("--totals", links.totals),
      ]
      for (option, isGiven) in whole where isGiven {
        throw .usage(
          "\(option) needs the whole tree, and --deed maps a part of it: drop one of them")
      }
    }
    let options = [("--links", links.countsLinks), ("--totals", links.totals)]
    for (option, isGiven) in options where isGiven {
      if !request.format.isGeoJSON {
        throw .usage(
          "\(option) works with the GeoJSON formats only, "
            + "not with --format \(request.format.rawValue)")
      }
      if !low.readsMetadata {
        throw .usage("\(option) needs what --no-stat leaves unread: drop one of them")
      }
    }
  }
}
