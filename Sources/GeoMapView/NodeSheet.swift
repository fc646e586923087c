#if canImport(SwiftUI) && canImport(MapKit)
  import Foundation
  import GeoMap
  import SwiftUI

  /// What is known of the node that was tapped, and a way to the folders that it is in.
  struct NodeSheet: View {
    let node: GeoNode
    let model: GeoMapViewModel

    var body: some View {
      List {
        Section {
          Label(node.name, systemImage: FileSymbol.of(node))
            .font(.title2)
          LabeledContent("Path", value: node.path)
          if let size = sizeText { LabeledContent(sizeLabel, value: size) }
          if let modified = node.modified {
            LabeledContent(
              "Changed",
              value: Date(timeIntervalSince1970: TimeInterval(modified)).formatted())
          }
          if let totals = node.totals {
            LabeledContent("Files below", value: totals.files.formatted())
            if let bytes = totals.bytes {
              LabeledContent("Bytes below", value: bytes.formatted(.byteCount(style: .file)))
            }
          }
          if node.isUnreadable { Label("Could not be read", systemImage: "lock") }
        }
        let around = model.ancestors(of: node)
        if !around.isEmpty {
          Section("In") {
            ForEach(around.reversed()) { folder in
              Button(folder.name) { model.select(folder) }
            }
          }
        }
      }
    }

    private var sizeLabel: String { node.entryKind == .directory ? "Entries" : "Size" }

    private var sizeText: String? {
      guard let size = node.size else { return nil }
      return node.entryKind == .directory
        ? size.formatted() : size.formatted(.byteCount(style: .file))
    }
  }
#endif
