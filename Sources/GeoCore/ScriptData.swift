/// JSON in the script element of a page.
package enum ScriptData {
  /// JSON as it may stand there: `<` is escaped, which stands in texts alone, so that nothing in it ends
  /// the element.
  package static func escaped(_ json: some Sequence<UInt8>) -> [UInt8] {
    var text: [UInt8] = []
    for byte in json {
      if byte == UInt8(ascii: "<") {
        text += Array("\\u003c".utf8)
      } else {
        text.append(byte)
      }
    }
    return text
  }
}
