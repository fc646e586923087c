import GeoCore

extension Run {
  /// Opens states to compare, checks that the options can be used with them, and replaces names.
  /// `rest` are the options to apply to open states, if some are applied while opening them.
  func states(
    _ operands: [[[UInt8]]], _ rest: LowArguments? = nil, now: Int64?,
    asFarAsTheyDiffer: Bool = false
  ) throws(Failure) -> [OpenState] {
    let rest = rest ?? low
    var states = try OpenState.states(operands, low, now: now, asFarAsTheyDiffer: asFarAsTheyDiffer)
    try rest.checkDisk(of: states.flatMap(\.roots))
    try OpenState.refuseTimes(rest, of: states)
    try OpenState.redact(&states, rest)
    for state in states { add(faults: state.faults) }
    return states
  }
}
