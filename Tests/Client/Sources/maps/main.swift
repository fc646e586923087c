// Small programs, written from the documentation of GeoMap alone. Each checks what it finds.
import Place

try await run([
  ("list", list), ("write", write), ("ask", ask), ("compare", compare), ("follow", follow),
  ("largest", largest), ("draw", draw), ("history", history), ("publish", publish),
  ("value", value),
])
