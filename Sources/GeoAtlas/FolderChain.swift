import GeoPath
import GeoSystem

/// A folder that can be opened by opening the folders above it, one name at a time and never
/// through a symbolic link (but for the root itself).
///
/// Each folder is opened once, when it or one below it is needed, and closed with the last chain
/// that leads through it. A chain belongs to one thread.
package final class FolderChain {
  package let parent: FolderChain?
  private let source: Source
  private var opened: SharedDescriptor?

  private final class SharedDescriptor {
    let descriptor: Descriptor
    init(_ descriptor: consuming Descriptor) { self.descriptor = descriptor }
  }

  /// Where the name is; most folders are never opened, and theirs is not taken out of its listing.
  private enum Source {
    case name([UInt8])
    case listing(NameTable, Int)
  }

  package init(root: [UInt8]) {
    parent = nil
    source = .name(root)
  }

  private init(_ source: Source, in parent: FolderChain) {
    self.parent = parent
    self.source = source
  }

  /// A sub-folder.
  package func child(_ name: [UInt8]) -> FolderChain { FolderChain(.name(name), in: self) }

  /// A sub-folder by where its name is in a listing.
  package func child(_ index: Int, of names: NameTable) -> FolderChain {
    FolderChain(.listing(names, index), in: self)
  }

  private var name: [UInt8] {
    switch source {
    case .name(let name): name
    case .listing(let names, let index): names.name(at: index)
    }
  }

  /// The number of the open folder, as long as the chain is there.
  package func open() throws(Errno) -> Int32 {
    if let opened { return opened.descriptor.rawValue }
    let descriptor: Descriptor
    if let parent {
      descriptor = try FileSystem.openFolder(name, in: try parent.open())
    } else {
      descriptor = try FileSystem.openRoot(name)
    }
    let shared = SharedDescriptor(descriptor)
    opened = shared
    return shared.descriptor.rawValue
  }

  /// Closes the folder, to be opened again when it is needed.
  package func close() { opened = nil }

  /// Closes the folder and those above it.
  package func closeAll() {
    close()
    parent?.closeAll()
  }

  /// What the folder is now; it need not be opened for it.
  package func facts() throws(Errno) -> FileSystem.Facts {
    if let opened { return try FileSystem.facts(of: opened.descriptor.rawValue) }
    if let parent { return try FileSystem.facts(of: name, in: try parent.open()) }
    return try FileSystem.rootFacts(name)
  }
}
