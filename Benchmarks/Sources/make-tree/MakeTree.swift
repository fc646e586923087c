#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// An error with a message for the user.
struct Failure: Error {
  let message: String

  init(_ message: String) { self.message = message }

  /// The failure of a system call, with its reason.
  init(call: String, _ subject: String) {
    message = "\(subject): \(call): \(String(cString: strerror(errno)))"
  }
}

/// `make-tree SHAPE DIR`: makes a large tree, the same one on every machine.
@main
enum MakeTree {
  static func main() {
    do throws(Failure) {
      try run(CommandLine.arguments.dropFirst())
    } catch {
      let message = "make-tree: \(error.message)\n"
      write(2, message, message.utf8.count)
      exit(2)
    }
  }

  private static func run(_ arguments: ArraySlice<String>) throws(Failure) {
    var rest = arguments
    var words: [String] = []
    var values = ["files": "1000", "folders": "60", "seed": "1", "order": "forward"]
    while let argument = rest.popFirst() {
      guard argument.hasPrefix("--") else {
        words.append(argument)
        continue
      }
      let name = String(argument.dropFirst(2))
      guard values[name] != nil, let value = rest.popFirst() else {
        throw Failure("\(argument) is no option, or has no value\n\n\(usage)")
      }
      values[name] = value
    }
    guard words.count == 2, let shape = TreeShape(rawValue: words[0]) else { throw Failure(usage) }
    func number(_ name: String) throws(Failure) -> Int {
      guard let number = Int(values[name] ?? ""), 0...Int(Int32.max) ~= number else {
        throw Failure("--\(name) is a number from 0 to \(Int32.max)")
      }
      return number
    }
    guard let order = values["order"], ["forward", "shuffled"].contains(order) else {
      throw Failure("--order is forward or shuffled")
    }
    let plan = TreePlan.of(
      shape, files: try number("files"), folders: try number("folders"),
      seed: UInt64(try number("seed")))
    var maker = TreeMaker(plan: plan, isShuffled: order == "shuffled", hasSizes: shape == .home)
    try maker.make(at: words[1])
    print("\(maker.folders) folders, \(maker.files) files, \(maker.bytes) bytes in \(words[1])")
  }

  private static let usage = """
    usage: make-tree SHAPE DIR [--files N] [--folders N] [--seed S] [--order forward|shuffled]

    Shapes, of 1,000 files and 60 folders unless other numbers are given:
      home      like a home folder: skewed, nested, hidden folders, packages in packages
      flat      one folder with all files
      wide      one folder with all others
      deep      a chain of folders
      empty     folders nested like those of a home, meant for --files 0
      lopsided  one huge folder next to many small ones
      long      names of 255 bytes, paths of more than 4,096
    """
}
