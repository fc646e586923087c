/// `tree SHAPE DIR`: makes a large tree.
enum TreeCommand {
  static let usage = """
    tree SHAPE DIR [--files N] [--folders N] [--seed S] [--sizes sparse|zero]
         [--order forward|shuffled]
    """

  static func run(_ list: [String]) throws(Failure) {
    let arguments = try Arguments(list, options: ["files", "folders", "seed", "sizes", "order"])
    let name = try arguments.positional(0, "SHAPE")
    guard let shape = TreeShape(rawValue: name) else {
      throw Failure(
        "there is no shape \(name); there are "
          + TreeShape.allCases.map(\.rawValue).joined(separator: ", "))
    }
    let path = try arguments.positional(1, "DIR")
    let order = arguments.text("order") ?? "forward"
    guard order == "forward" || order == "shuffled" else {
      throw Failure("--order is forward or shuffled")
    }
    let sizes = arguments.text("sizes") ?? (shape == .home ? "sparse" : "zero")
    guard sizes == "sparse" || sizes == "zero" else { throw Failure("--sizes is sparse or zero") }
    let begin = System.now()
    let made = try make(
      shape, at: path, files: try arguments.number("files"),
      folders: try arguments.number("folders"), seed: UInt64(try arguments.number("seed") ?? 1),
      isShuffled: order == "shuffled", hasSizes: sizes == "sparse")
    let seconds = System.now() - begin
    System.print(
      "\(made.folders) folders, \(made.files) files, \(made.bytes) bytes in \(path), "
        + "digest \(String(made.digest, radix: 16)), \(Text.decimals(seconds, 1)) s")
  }

  static func make(
    _ shape: TreeShape, at path: String, files: Int? = nil, folders: Int? = nil, seed: UInt64 = 1,
    isShuffled: Bool = false, hasSizes: Bool? = nil
  ) throws(Failure) -> TreeMaker.Made {
    let plan = TreePlan.of(shape, files: files, folders: folders, seed: seed)
    var maker = TreeMaker(
      plan: plan, isShuffled: isShuffled, hasSizes: hasSizes ?? (shape == .home))
    try maker.make(at: path)
    return maker.made
  }
}
