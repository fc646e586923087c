import GeoSystem

ThisProcess.prepare()
ThisProcess.exit(status: Tool.run(RawArguments.ofThisProcess()).rawValue)
