/// The floor program (`floor/floor.c`), compiled before the measurement.
struct Floor {
  let subjects: [Subject]
  private let program: CompiledProgram

  init() {
    let program = CompiledProgram("floor/floor.c", options: ["-pthread"])
    self.program = program
    guard let path = program.path else {
      subjects = []
      return
    }
    let cores = Machine.cores
    subjects = (cores > 1 ? [1, cores] : [1]).map { threads in
      Subject(
        name: "floor, \(threads) thread\(threads == 1 ? "" : "s")", program: path,
        arguments: [String(threads), "{out}", "{dir}"], version: program.compiler)
    }
  }

  /// The reason if it could not be compiled.
  var trouble: String? { program.trouble }

  func remove() { program.remove() }
}
