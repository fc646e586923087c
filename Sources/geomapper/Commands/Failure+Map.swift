import GeoSources
import GeoPipeline

extension Failure {
  /// What to say when a map could not be begun.
  init(_ error: MapError) {
    switch error {
    case .noThread, .noScratch, .list(.noScratch): self = .output(error.description)
    case .conflict(let conflict): self = .usage(conflict.explanation(naming: \.argument))
    case .rootNotFolder(let directory):
      let advice = FileKind(at: directory).map { ", but \($0.advice)" } ?? ""
      self = .usage(error.description + advice)
    case .rootNotFound(let directory, _):
      self = .usage(error.description)
      missing = directory
    default: self = .usage(error.description)
    }
  }
}

extension Failure {
  /// What to say when a repository can't be read.
  init(_ error: GitError) {
    switch error {
    case .noScratch: self = .output(error.description)
    default: self = .usage(error.description)
    }
  }
}
