import Foundation
import TestSupport
import Testing

/// `--git`, and `git:REV` among other operands.
@Suite struct GitRevisionTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    let outcome = try shell(
      #"""
      export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_NOSYSTEM=1
      git init -q repo && cd repo && git config user.name a && git config user.email a@b
      mkdir -p a/b a-b 'odd name' && printf 12345 > a/x && printf 1 > a/b/y && : > a-b/z
      ln -s x a/link && printf 'q' > "odd name/$(printf '\377\nq')" && chmod +x a/x
      git add -A && git commit -qm one && git tag v1
      printf 678 > a/new && git add -A && git commit -qm two
      """#)
    try #require(outcome.status == 0, "\(outcome.errorText)")
  }

  private func shell(_ script: String) throws -> Subprocess.Outcome {
    try Geomapper.shell(script, in: folder.path)
  }

  /// The paths, sizes and kinds of a map's nodes.
  private func nodes(_ script: String) throws -> [String] {
    let outcome = try shell(script)
    #expect(outcome.status == 0, "\(outcome.errorText)")
    #expect(outcome.errorText.isEmpty)
    return try WrittenMap(outcome.output).features.map { node in
      let raw = node["rawPath"] as? String ?? node["path"] as? String ?? ""
      let special = node["special"] as? String ?? ""
      return "\(raw) \(node["size"] as? Int ?? -1) \(node["modified"] ?? "") \(special)"
    }
  }

  /// A slow git, as with a large repository.
  @Test func progressShowsReading() throws {
    try folder.makeFile(
      "tools/git",
      """
      #!/bin/sh
      git=$(PATH=$(echo "$PATH" | cut -d: -f2-) command -v git)
      case " $* " in *" ls-tree "*) "$git" "$@" | { sleep 1.1; cat; } ;; *) exec "$git" "$@" ;; esac

      """)
    try folder.setMode("tools/git", 0o755)
    let outcome = try shell(
      "PATH=$PWD/tools:$PATH \"$T\" stats --git repo --progress always v1")
    #expect(outcome.status == 0)
    let text = outcome.errorText
    #expect(text.hasPrefix("geomapper: revision v1: 9 names\n"), "\(text)")
  }

  @Test func revisionsHaveTheEntriesOfGit() throws {
    let found = try nodes("\"$T\" map --git repo v1")
    #expect(
      found == [
        "repo 3  ", "repo/a 3  ", "repo/a/link 1  symlink", "repo/a/x 5  ", "repo/a/b 1  ",
        "repo/a/b/y 1  ", "repo/a-b 1  ", "repo/a-b/z 0  ",
        "repo/odd name 1  ", "repo/odd%20name/%FF%0Aq 1  ",
      ])
    #expect(try nodes("\"$T\" map --git repo").contains("repo/a/new 3  "))
    #expect(try nodes("cd repo/a; \"$T\" map git:v1") == found)
    #expect(
      try nodes("cd repo; \"$T\" map one=git:HEAD~1 /dev/null/.. 2>/dev/null || \"$T\" map git:v1")
        .count == 10)
    #expect(
      try nodes("\"$T\" map --git repo HEAD:a").map { $0.split(separator: " ")[0] }.contains(
        "a/new"))
    // A bare repository, whose folder isn't called `.git`.
    _ = try shell("git clone -q --bare repo other.git")
    #expect(try nodes("\"$T\" map --git other.git v1").first == "other 3  ")
  }

  /// A repository may be named by its `.git`. Next to a marked operand, one without a mark is a
  /// path if that exists, and else a revision.
  @Test func unmarkedOperandsArePathsOrRevisions() throws {
    func diff(_ operands: String) throws -> Subprocess.Outcome {
      try shell("cd repo; \"$T\" diff --format csv --git . \(operands)")
    }
    let plain = try diff("v1 HEAD")
    #expect(plain.status == 0)
    #expect(try diff("v1 git:HEAD").output == plain.output)
    #expect(try diff("git:v1 HEAD").output == plain.output)
    #expect(try diff("git:v1 git:HEAD").output == plain.output)
    #expect(
      try shell("cd repo; \"$T\" map --git . x=v1 y=git:HEAD").output
        == shell("cd repo; \"$T\" map --git . x=v1 y=HEAD").output)
    // Existing files have precedence, and './' always means a file.
    let here = try shell("mkdir -p repo/v1; cd repo; \"$T\" diff --git . git:HEAD v1")
    #expect(here.text.contains("v1"))
    #expect(try shell("rmdir repo/v1").status == 0)
    let path = try diff("./v1 git:HEAD")
    #expect(path.status == 2 && path.errorText.contains("./v1"))
    #expect(!path.errorText.contains("no revision"))
    let neither = try diff("none git:HEAD")
    #expect(neither.status == 2)
    #expect(
      neither.errorText.contains(
        "'none' is not a file or folder here, nor a revision in the repository '.'"))
  }

  @Test func labelComesFromTheWorkTree() throws {
    let map = try shell("\"$T\" map --git repo v1")
    for place in ["--git repo/.git v1", "--git repo/.git/ v1", "--git repo/.git/refs v1"] {
      let outcome = try shell("\"$T\" map \(place)")
      #expect(outcome.status == 0 && outcome.output == map.output, "\(place): \(outcome.errorText)")
    }
  }

  @Test func placesEqualThoseOfTheWorkTree() throws {
    let script = "cd repo; git checkout -q v1; rm -rf .git/hooks"
    _ = try shell(script)
    let disk = try shell(
      "mkdir copy; git -C repo archive v1 | tar x -C copy; \"$T\" map --format csv --no-stat repo=copy"
    )
    #expect(disk.status == 0)
    let revision = try shell("\"$T\" map --format csv --no-stat --git repo v1")
    #expect(revision.output == disk.output)
    for options in ["--zoom 4", "--layout pinned", "--exclude a", "--threads 7"] {
      #expect(
        try shell("\"$T\" map --format csv --no-stat \(options) --git repo v1").output
          == shell("\"$T\" map --format csv --no-stat \(options) repo=copy").output, "\(options)")
    }
  }

  @Test func submodulesAreNotEntered() throws {
    let made = try shell(
      "cd repo; git -c protocol.file.allow=always -c user.name=a -c user.email=a@b submodule -q add "
        + "\"$PWD\" sub && git commit -qm sub")
    try #require(made.status == 0, "\(made.errorText)")
    let found = try nodes("\"$T\" map --git repo")
    #expect(found.contains("repo/sub -1  "))
    #expect(!found.contains { $0.hasPrefix("repo/sub/") })
  }

  @Test func errorsOfGitAreReported() throws {
    #expect(try shell("git init -q empty").status == 0)
    for (arguments, message) in [
      ("map --git repo nowhere", "git can't read the revision 'nowhere'"),
      ("map --git nowhere", "can't use 'nowhere' as a repository: cannot change to 'nowhere'"),
      ("map --git empty", "git can't read the revision 'HEAD': it has no commit yet"),
      ("history --git empty", "it has no commit yet"),
      ("map --git repo HEAD:nowhere", "Not a valid object name HEAD:nowhere"),
      ("map --git repo HEAD~99", "Not a valid object name HEAD~99"),
      ("map --git repo -- --all", "can't read the revision '--all'"),
      ("map --git repo v1 HEAD", "have the label 'repo'"),
      ("map --git repo --gitignore v1", "--gitignore can't be used with 'v1': it needs a disk"),
      ("map --git ''", "is empty"),
    ] {
      let outcome = try shell("\"$T\" \(arguments)")
      #expect(outcome.status == 2, "\(arguments)")
      #expect(outcome.errorText.contains(message), "\(outcome.errorText)")
      #expect(outcome.output.isEmpty)
    }
    #expect(try folder.names() == ["empty", "repo"])
    let without = try shell("\"$T\" map --git repo v1 || exit $?")
    #expect(without.status == 0)
    // Only the started process is ended: the shell around it continues.
    let missing = try shell("PATH=/nowhere \"$T\" map --git repo v1; exit $?")
    #expect(missing.status == 2)
    #expect(missing.errorText.contains("not in PATH"))
  }

  @Test func foreignRepositoriesNeedTrust() throws {
    let outcome = try shell(
      "HOME=/nowhere GIT_CONFIG_GLOBAL=/dev/null GIT_TEST_ASSUME_DIFFERENT_OWNER=1 \"$T\" map --git repo"
    )
    #expect(outcome.status == 2)
    #expect(outcome.errorText.contains("if you trust its owner, call: git config --global --add "))
  }

  @Test func noHooksOrPagersAreStarted() throws {
    let script = #"""
      cd repo
      for name in fsmonitor pager hook; do
        printf '#!/bin/sh\ntouch "%s/../%s-ran"\n' "$PWD" $name > ../$name; chmod +x ../$name
      done
      git config core.fsmonitor "$PWD/../fsmonitor"
      git config core.pager "$PWD/../pager"; git config pager.ls-tree true
      mkdir -p hooks; cp ../hook hooks/post-index-change; cp ../hook hooks/post-checkout
      git config core.hooksPath hooks
      GIT_TRACE="$PWD/../trace" GIT_PAGER="$PWD/../pager" "$T" map --git . v1 | wc -l
      """#
    #expect(try shell(script).status == 0)
    #expect(try folder.names().filter { $0.hasSuffix("-ran") || $0 == "trace" } == [])
  }

  @Test func aPartialCloneFetchesNothing() throws {
    let made = try shell(
      "git -C repo config uploadpack.allowFilter true; "
        + "git clone -q --bare --filter=blob:none \"file://$PWD/repo\" part.git")
    try #require(made.status == 0, "\(made.errorText)")
    _ = try shell("git -C part.git config protocol.file.allow always")
    let before = try shell("find part.git -type f | sort").text
    let outcome = try shell("\"$T\" map --git part.git v1")
    #expect(outcome.status == 2, "\(outcome.text)")
    #expect(try shell("find part.git -type f | sort").text == before)
  }

  @Test func unusableEntriesAreNamed() throws {
    // A tree that git itself wouldn't make: an invalid name, and a duplicate name.
    let blob = try shell("cd repo; printf x | git hash-object -w --stdin").text
    let digits = Array(blob.utf8.prefix(40))
    let object = stride(from: 0, to: digits.count, by: 2).compactMap {
      UInt8(String(decoding: digits[$0..<($0 + 2)], as: UTF8.self), radix: 16)
    }
    try #require(object.count == 20)
    let entries = ["..", "a", "b", "b"].flatMap { Array("100644 \($0)\0".utf8) + object }
    try folder.makeFile(bytes: Array("tree".utf8), entries)
    let made = try shell("cd repo; git hash-object -t tree -w --literally ../tree")
    try #require(made.status == 0, "\(made.errorText)")
    let tree = made.text.trimmingCharacters(in: .newlines)
    for command in ["map --format csv", "stats", "find a", "snapshot -o s"] {
      let outcome = try shell("\"$T\" \(command) --git repo r=\(tree)")
      #expect(outcome.status == 1, "\(command): \(outcome.errorText)")
      #expect(
        outcome.errorText.contains("r/..: the revision has it where it can't be")
          && outcome.errorText.contains("r/b: the revision has it twice"), "\(outcome.errorText)")
    }
    #expect(try shell("\"$T\" map --format csv s").text.contains("r/a,"))

    // Also in sub-folders, and in a comparison of two revisions, which reads shared trees once.
    let digitsOfTree = Array(tree.utf8)
    let inner = stride(from: 0, to: digitsOfTree.count, by: 2).compactMap {
      UInt8(String(decoding: digitsOfTree[$0..<($0 + 2)], as: UTF8.self), radix: 16)
    }
    try folder.makeFile(bytes: Array("tree".utf8), Array("40000 d\0".utf8) + inner)
    let outer = try shell("cd repo; git hash-object -t tree -w --literally ../tree").text
      .trimmingCharacters(in: .newlines)
    for (operands, status) in [
      ("v1 r=\(outer)", 1), ("--exit-code v1 r=\(outer)", 5), ("r=\(outer) v1", 1),
      ("--all --format csv r=\(outer) r=\(outer)", 1),
    ] {
      let outcome = try shell("\"$T\" diff --git repo \(operands)")
      #expect(outcome.status == Int32(status), "\(operands): \(outcome.errorText)")
      let lines = outcome.errorText.split(separator: "\n")
      #expect(
        lines.count == 2
          && lines.contains { $0.hasSuffix("r/d/..: the revision has it where it can't be") }
          && lines.contains { $0.hasSuffix("r/d/b: the revision has it twice") }, "\(lines)")
    }
  }

  @Test func snapshotsHaveTheTimeOfTheCommit() throws {
    let made = try shell(
      #"""
      cd repo; GIT_COMMITTER_DATE='1234567890 +0200' git commit -q --allow-empty -m three
      git tag -a -m x annotated; cd ..
      for name in HEAD annotated HEAD:a; do "$T" snapshot -o s --git repo $name
        "$T" snapshot --info s | grep taken; done
      """#)
    #expect(made.status == 0, "\(made.errorText)")
    let lines = made.text.split(separator: "\n")
    #expect(
      lines.count == 3 && lines.allSatisfy { $0.hasSuffix("2009-02-13T23:31:30Z") }, "\(lines)")
    let tree = try shell(
      "\"$T\" snapshot -o s --git repo $(git -C repo rev-parse HEAD:a) && \"$T\" snapshot --info s")
    #expect(tree.status == 0 && !tree.text.contains("2009"), "\(tree.text)")
  }

  @Test func revisionsBecomeSnapshots() throws {
    let taken = try shell("\"$T\" snapshot -o s --git repo v1 && \"$T\" snapshot --info s")
    #expect(taken.status == 0, "\(taken.errorText)")
    #expect(taken.text.contains("of        revisions of a git repository"))
    #expect(
      try shell("\"$T\" map s").output == shell("\"$T\" map --git repo v1").output)
  }
}
