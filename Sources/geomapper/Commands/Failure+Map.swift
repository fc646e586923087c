import GeoPath
import GeoPipeline

extension Failure {
  /// What to say when a map could not be begun.
  init(_ error: MapError) {
    func text(_ bytes: [UInt8]) -> String { TerminalText.escaped(bytes) }
    switch error {
    case .rootNotFound(let directory, let reason):
      self = .usage("can't map '\(text(directory))': \(reason)")
    case .rootNotFolder(let directory):
      self = .usage("can't map '\(text(directory))': it is no folder")
    case .badLabel(let label):
      self = .usage("'\(text(label))' can't be a label; give the folder another")
    case .doubledLabel(let label):
      self = .usage("two folders have the label '\(text(label))'; give one of them another")
    case .landlessRoot(let label):
      self = .usage("there is no land left for '\(text(label))'; give it another label")
    case .noThread(let reason):
      self = .output("can't start a thread to read with: \(reason)")
    }
  }
}
