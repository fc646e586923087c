// The command line: options, input operands, output files, messages and exit statuses.
// In: arguments. Out: what the modules below make, written whole or not at all.
// `Arguments/` declares and checks options, `Operands/` opens sources, `Commands/` has a function a command,
// `Report/` words results and errors, `Output/` writes files, `Generate/` makes man pages and completions.
// Start with `Commands/Command.swift`, then `Commands/Run.swift`.

import GeoSystem

ThisProcess.prepare()
ThisProcess.exit(status: Tool.run(Array(ThisProcess.arguments.dropFirst())).rawValue)
