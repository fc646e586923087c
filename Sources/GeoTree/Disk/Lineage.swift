import GeoSystem

/// A folder that was opened, and those that it was reached through: what tells a circle of links, a
/// border between file systems, and the way back to a folder that was closed meanwhile.
///
/// Kept only where somebody asks for it.
final class Lineage: @unchecked Sendable {
  let identity: FileSystem.Identity
  /// Whether the folder was reached by a link, which the root doesn't count as.
  let isLink: Bool
  /// Whether it, or a folder above, was reached by a link.
  let isBelowLink: Bool
  /// The root's identity.
  let root: FileSystem.Identity
  // Sendable: changed only by the last owner, when nobody else can see it.
  private var parent: Lineage?

  init(_ identity: FileSystem.Identity, isLink: Bool, parent: Lineage?) {
    self.identity = identity
    self.isLink = isLink && parent != nil
    isBelowLink = self.isLink || parent?.isBelowLink ?? false
    root = parent?.root ?? identity
    self.parent = parent
  }

  deinit {
    // One by one: letting go of a long chain at once would take a call for each link of it.
    var last = parent.take()
    while isKnownUniquelyReferenced(&last) { last = last?.parent.take() }
  }

  /// Whether the folder is in another file system than its root.
  var isBeyondBorder: Bool { !identity.isOnDevice(of: root) }

  /// Whether the folder is one of its own ancestors.
  ///
  /// Only links lead to one, so this costs a comparison where there is none on the way.
  ///
  /// - Complexity: O(depth) below a link.
  var isLoop: Bool {
    guard isBelowLink else { return false }
    var ancestor = parent
    while let folder = ancestor {
      if folder.identity == identity { return true }
      ancestor = folder.parent
    }
    return false
  }

  /// Which of the folders from below the root down to this one were reached by a link.
  var links: [Bool] {
    var links: [Bool] = []
    var folder = self
    while let parent = folder.parent {
      links.append(folder.isLink)
      folder = parent
    }
    return links.reversed()
  }
}
