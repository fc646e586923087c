import GeoCore
import GeoTree
import TestSupport
import Testing

@testable import GeoLive

@Suite struct KnownTreeTests {
  private func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

  @Test func sumsFollowWhatHappens() throws {
    let tree = KnownTree(labels: [bytes("a"), bytes("b")])
    let sub = tree.addFolder(bytes("sub"), in: 0)
    let deep = tree.addFolder(bytes("deep"), in: sub)
    tree.setFile(bytes("f"), in: deep, KnownFile(kind: .regular, size: 7, allocated: 512))
    tree.setFile(
      bytes("hidden"), in: deep, KnownFile(kind: .regular, size: 100, isShown: false))
    #expect(tree.sums(at: bytes("a"))?.files == 1)
    #expect(tree.sums(at: bytes("a"))?.folders == 2)
    #expect(tree.sums(at: bytes("a/sub"))?.bytes == 7)
    #expect(tree.path(of: deep) == bytes("a/sub/deep"))

    tree.detach(sub)
    tree.attach(sub, to: 1, as: bytes("there"))
    #expect(tree.sums(at: bytes("a")) == TreeSums())
    #expect(tree.sums(at: bytes("b/there/deep"))?.allocated == 512)
    #expect(tree.folder(at: bytes("b/there/deep")) == deep)
    #expect(tree.folder(at: bytes("a/sub")) == nil)

    tree.setEntered(false, of: deep)
    #expect(tree.sums(at: bytes("b"))?.folders == 1)
    tree.detach(sub)
    var watches: [Int32] = []
    tree.setWatch(9, of: deep)
    tree.discard(sub) { _, watch in watches.append(watch) }
    #expect(watches == [9])
    #expect(tree.sums(at: bytes("b")) == TreeSums())
    #expect(tree.folderCount == 2)
  }

  @Test func overflowingSizesAreRemovedCompletely() {
    let tree = KnownTree(labels: [bytes("a")])
    for name in ["x", "y", "z"] {
      tree.setFile(bytes(name), in: 0, KnownFile(kind: .regular, size: .max, allocated: .max))
    }
    for name in ["x", "y", "z"] { tree.removeFile(bytes(name), of: 0) }
    #expect(tree.sums(at: bytes("a")) == TreeSums())
  }
}
