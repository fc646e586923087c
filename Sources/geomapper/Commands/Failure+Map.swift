import GeoPipeline

extension Failure {
  /// What to say when a map could not be begun.
  init(_ error: MapError) {
    if case .noThread = error {
      self = .output(error.description)
    } else {
      self = .usage(error.description)
    }
  }
}
