import GeoSystem
import Testing

/// Tasks on other threads.
@Suite struct BackgroundTaskTests {
  private final class Resource: Sendable {}

  @Test(arguments: [true, false])
  func releasesItsContextBeforeItsResult(isBegun: Bool) throws {
    for _ in 0..<100 {
      var resource: Resource? = Resource()
      weak let left = resource
      let task = BackgroundTask { [resource] () throws(Errno) in resource == nil ? 0 : 1 }
      resource = nil
      if isBegun { task.begin() }
      #expect(try task.finish() == 1)
      #expect(left == nil)
    }
  }
}
