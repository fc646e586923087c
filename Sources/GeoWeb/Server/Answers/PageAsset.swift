import GeoCore
import GeoProjection

/// A file that is part of the page.
public struct PageAsset: Sendable {
  /// Where it is, such as `/assets/page.js`; `/` for the page itself.
  public let path: String
  private let plain: Representation
  private let packed: Representation

  /// A file of the given content.
  ///
  /// - Parameters:
  ///   - path: Where it is to be.
  ///   - type: Its media type.
  ///   - bytes: The content.
  public init(path: String, type: String, bytes: [UInt8]) {
    self.path = path
    let hash = XXH64.hash(bytes.span, seed: 1)
    plain = Representation(type: type, body: bytes, hash: hash, isPacked: false)
    packed = Representation(type: type, body: Gzip.compress(bytes), hash: hash, isPacked: true)
  }

  /// The file with something more in it, before the first place where a text stands; at the end if it
  /// stands nowhere.
  func adding(_ bytes: [UInt8], before text: String) -> PageAsset {
    let place = plain.body.firstRange(of: Array(text.utf8))?.lowerBound ?? plain.body.count
    let body = plain.body[..<place] + bytes + plain.body[place...]
    return PageAsset(path: path, type: plain.type, bytes: Array(body))
  }

  /// The file in the encoding that a client takes.
  func representation(for request: HTTPRequest) -> Representation {
    request.takesGzip ? packed : plain
  }
}
