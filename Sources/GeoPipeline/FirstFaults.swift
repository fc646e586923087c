import GeoFormats
import GeoTree

/// The number of entries that could not be read, and the first hundred of them.
package struct FirstFaults: Sendable {
  private static let maximum = 100

  package private(set) var count = 0
  package private(set) var first: [ScanFault] = []
  private var last: ScanFault?

  package init() {}

  /// Adds faults; of two states one after the other, the same fault counts once.
  package mutating func add(_ faults: [ScanFault]) {
    for fault in faults where fault != last {
      last = fault
      count += 1
      if first.count < Self.maximum { first.append(fault) }
    }
  }
}

extension JSONBuilder {
  /// Adds `unreadable` unless all could be read. Paths that aren't valid UTF-8 are also given raw.
  package mutating func member(_ faults: FirstFaults) {
    if faults.count == 0 { return }
    key("unreadable")
    object { json in
      json.member("count", Int64(faults.count))
      json.member("list", each: faults.first) { fault, json in
        json.object { json in
          json.member("path", text: fault.rawPath, raw: "rawPath")
          json.member("reason", text: Array(fault.reason.text.utf8))
        }
      }
    }
  }
}
