import GeoCore
import GeoSystem

/// A layer of words that follow from the path or from the owner of a file.
package protocol DerivedLayer: AnyObject, Sendable {
  var needsStorage: Bool { get }

  /// The numbers of the words of some files, one for each name in `range`; nil for none.
  ///
  /// `folder` is the path of their folder on the map. `storage` has one for each file, or is empty if
  /// it is unknown.
  func words(
    of names: NameTable, _ range: Range<Int>, in folder: [UInt8], _ storage: [FileStorage],
    _ words: LayerWords
  ) -> [Int?]
}
