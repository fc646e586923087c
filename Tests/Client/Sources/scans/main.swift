// Small programs, written from the documentation of GeoScan alone. Each checks what it finds.
import Place

try await run([
  ("places", places), ("count", count), ("memory", memory), ("value", valueMemory),
  ("verify", verify),
])
