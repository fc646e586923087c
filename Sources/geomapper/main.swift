import GeoPipeline
import GeoScan
import GeoSystem
import Glibc
let dir = Array(CommandLine.arguments[1].utf8)
var request = MapRequest(roots: [ScanRoot(label: Array(CommandLine.arguments[2].utf8), directory: dir)])
request.scan.threads = Int(CommandLine.arguments[3])
if CommandLine.arguments.count > 4 { request.filter.zoom = Int(CommandLine.arguments[4]) }
let req = request
final class Ex: TaskExecutor { func enqueue(_ j: consuming ExecutorJob) { let u = UnownedJob(j); u.runSynchronously(on: asUnownedTaskExecutor()) } }
Task.detached {
  do {
  for try await chunk in try await MapPipeline.open(req) {
    chunk.withBytes { b in b.withUnsafeBytes { p in var off = 0; while off < p.count { off += write(1, p.baseAddress! + off, p.count - off) } } }
    for f in chunk.faults.prefix(3) { print(f) }
  }
  } catch { print(error) }
  exit(0)
}
pause()
