#!/usr/bin/env python3
"""Makes a release of a built tool, installs it in each way, and runs it.

    check_release.py GEOMAPPER

The release is made twice, with the same bytes. The archive is unpacked, the Debian package installed into a new root
that has only the libraries it depends on, the wheel into a new environment; the artifact bundle is a target of a Swift
package with a plugin. The lines of the Dockerfile run without Docker, in folders. The formula is read by Ruby. The
binary needs no C library newer than README.md says. check_card.py runs the action.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import List

from outside import fail, given, importable, installed, put, run, same

REPOSITORY = Path(__file__).resolve().parents[2]
GLIBC, GLIBCXX = (2, 34), (3, 4, 29)  # the newest versions of symbols that the tool may need
LARGEST = 20_500_000  # bytes of the stripped tool
# What a formula uses of Homebrew, for a folder to install into.
HOMEBREW = """
require "fileutils"
require "pathname"
class Pathname
  def install(*files) = files.flatten.each { |file| mkpath; FileUtils.cp(file, self) }
  def write(text) = (dirname.mkpath; File.write(self, text))
end
class Formula
  class << self
    attr_reader :tried
    def test(&block) = @tried = block
    def on_arm = nil
    %i[on_linux on_intel].each { |name| define_method(name) { |&block| class_eval(&block) } }
    %i[desc homepage version depends_on url sha256].each { |name| define_method(name) { |*| nil } }
  end
  { bin: "bin", man1: "share/man/man1", bash_completion: "share/bash-completion/completions", testpath: "try",
    zsh_completion: "share/zsh/site-functions", fish_completion: "share/fish" }.each do |name, path|
    define_method(name) { Pathname(ARGV[1]) / path }
  end
  def shell_output(command) = `#{command}`
  def assert_match(text, found) = found.include?(text) || abort("#{found} has no #{text}")
end
load ARGV[0]
Geomapper.new.install
Geomapper.new.instance_exec(&Geomapper.tried)
"""
TREE = {"tree/a/b.txt": 5000, "tree/a/c.txt": 3, "tree/d/e/f.c": 70_000}


def release(binary: str, folder: str, repository: str = "https://github.com/OWNER/geomapper") -> str:
    """Makes a release, and returns its folder."""
    run(sys.executable, REPOSITORY / ".ci/release", "--binary", binary, "--repository", repository, folder)
    return folder


class Installed:
    """What an installed tool has to print."""

    def __init__(self, binary: str, work: str) -> None:
        self.binary, self.work = binary, work
        put(work, TREE)
        git = ["git", "-C", REPOSITORY]
        commit, date = run(*git, "log", "-1", "--format=%H %cd", "--date=format-local:%Y-%m-%d",
                           env={**os.environ, "TZ": "UTC"}).decode().split()
        changed = "+" if run(*git, "status", "--porcelain", "--", "Sources", "Package.swift") else ""
        plain = run(binary, "--version").decode()
        self.version = plain.split()[1]
        self.shown = plain.replace(")", f"; commit {commit[:12]}{changed}, {date})")
        self.map = self.map_by(binary)

    def map_by(self, *command: object, **options: object) -> bytes:
        """The map of the small tree by a tool."""
        return run(*command, "map", "-q", "tree", cwd=self.work, **options)

    def expect(self, what: str, *command: object, **options: object) -> None:
        """Fails unless a tool names its commit, and maps as the built tool does."""
        same(f"{what}: the version", run(*command, "--version", **options).decode(), self.shown)
        same(f"{what}: the map", self.map_by(*command, **options), self.map)


def check_symbols(program: str) -> str:
    """The tool needs no newer symbols than those of the oldest system that it promises to run on."""
    printed = run("objdump", "-T", program).decode()
    found = {(library, tuple(map(int, version.split(".")))): name for library, version, name in
             re.findall(r"\((GLIBC|GLIBCXX)_([\d.]+)\)\s+(\S+)", printed)}
    for (library, version), name in found.items():
        if version > (GLIBC if library == "GLIBC" else GLIBCXX):
            fail(f"{name} needs {library} {'.'.join(map(str, version))}")
    highest = {library: max(version for other, version in found if other == library) for library, _ in found}
    size = os.path.getsize(program)
    if size > LARGEST:
        fail(f"the stripped tool has {size} bytes, more than {LARGEST}")
    return f"symbols: {highest}, {size} bytes"


def check_archive(folder: str, tool: Installed) -> str:
    """Unpacks the archive, and checks all sums."""
    run("sha256sum", "--check", "--strict", "SHA256SUMS", cwd=folder)
    prefix = os.path.join(tool.work, "prefix")
    os.mkdir(prefix)
    run("tar", "-xzf", *Path(folder).glob("*.tar.gz"), "--strip-components=1", "-C", prefix)
    program = os.path.join(prefix, "bin/geomapper")
    tool.expect("archive", program)
    pages = {page.name for page in Path(prefix, "share/man/man1").iterdir()}
    commands = re.findall(r"^  ([a-z]{3,})  ", run(program, "--help").decode(), re.M)
    same("manual pages", pages, {"geomapper.1", *(f"geomapper-{name}.1" for name in commands)})
    run("bash", "-n", f"{prefix}/share/bash-completion/completions/geomapper")
    return f"archive: {len(pages)} manual pages; {check_symbols(program)}"


def stanzas(packages: List[str]) -> str:
    """What dpkg knows of packages that are installed here, without what they depend on."""
    known = run("dpkg-query", "--status", *packages).decode()
    return re.sub(r"^(Depends|Pre-Depends|Recommends|Suggests|Breaks|Conflicts|Replaces|Conffiles).*\n( .*\n)*", "",
                  known, flags=re.M)


def check_debian(folder: str, tool: Installed) -> str:
    """Installs the Debian package into a new root, and runs it there."""
    package = next(Path(folder).glob("*.deb"))
    if not installed("dpkg", "dpkg-deb"):
        return "skipped: no dpkg to install the Debian package"
    depends = run("dpkg-deb", "--field", package, "Depends").decode().strip().split(", ")
    names = [name.split()[0] for name in depends]
    if installed("dpkg-shlibdeps"):
        put(tool.work, {"debian/control": "Source: geomapper\n\nPackage: geomapper\nArchitecture: any\n"})
        computed = run("dpkg-shlibdeps", "-O", f"{tool.work}/prefix/bin/geomapper", cwd=tool.work).decode()
        same("the packages it depends on", depends, computed.strip().partition("shlibs:Depends=")[2].split(", "))
    root = os.path.join(tool.work, "root")
    put(root, {"var/lib/dpkg/status": "", "var/lib/dpkg/info/format": "1\n"})
    os.makedirs(f"{root}/var/lib/dpkg/updates")
    if os.geteuid() or not run("dpkg-query", "--status", "libc6", statuses=(0, 1)):
        run("dpkg-deb", "-x", package, root)
        tool.expect("Debian package", f"{root}/usr/bin/geomapper")
        return "Debian package: unpacked; skipped: only root installs it into a new root, on Debian"
    dpkg = ["dpkg", f"--root={root}", "--log=/dev/null"]
    if subprocess.run([*dpkg, "--install", package], capture_output=True, check=False).returncode == 0:
        fail("dpkg installs the package without the packages that it depends on")
    shutil.rmtree(f"{root}/usr", ignore_errors=True)
    put(root, {"var/lib/dpkg/status": stanzas(names)})
    run(*dpkg, "--install", package)
    same("its state", run("dpkg-query", f"--admindir={root}/var/lib/dpkg", "-W", "-f", "${Status}", "geomapper"),
         b"install ok installed")
    for name in ("man/man1/geomapper.1.gz", "man/man1/geomapper-map.1.gz", "bash-completion/completions/geomapper",
                 "zsh/vendor-completions/_geomapper", "fish/vendor_completions.d/geomapper.fish"):
        if not os.path.exists(f"{root}/usr/share/{name}"):
            fail(f"the Debian package has no {name}")
    # Only the libraries of the packages that it depends on, and the tree.
    for name in re.findall(r"(/\S+) \(0x", run("ldd", f"{root}/usr/bin/geomapper").decode()):
        owner = re.findall(r"^([\w+.-]+)[:,]", run("dpkg", "--search", f"*/{os.path.basename(name)}").decode(), re.M)
        if not set(owner) & set(names):
            fail(f"{name} is in {owner}, not in a package that it depends on")
        os.makedirs(root + os.path.dirname(name), exist_ok=True)
        shutil.copy(os.path.realpath(name), root + name)
    shutil.copytree(f"{tool.work}/tree", f"{root}/tree")
    same("the version in the new root", run("chroot", root, "geomapper", "--version").decode(), tool.shown)
    same("the map in the new root", run("chroot", root, "geomapper", "map", "-q", "tree"), tool.map)
    run(*dpkg, "--remove", "geomapper")
    same("what is left of the package", sorted(Path(root).glob("**/*geomapper*")), [])
    return f"Debian package: {', '.join(depends)}"


def check_wheel(folder: str, tool: Installed) -> str:
    """Installs the wheel into a new environment."""
    os.environ.pop("PYTHONPATH", None)  # modules of other checks don't belong to the environment
    wheel = next(Path(folder).glob("*.whl"))
    if not importable("venv", "ensurepip"):
        return "skipped: this Python has no venv or pip to install the wheel"
    place = os.path.join(tool.work, "environment")
    run(sys.executable, "-m", "venv", place)
    run(f"{place}/bin/pip", "install", "--quiet", "--no-index", "--disable-pip-version-check", wheel)
    tool.expect("wheel", "geomapper", env={**os.environ, "PATH": f"{place}/bin:{os.environ['PATH']}"})
    if not os.path.exists(f"{place}/share/man/man1/geomapper.1"):
        fail("the wheel has no manual page")
    run(f"{place}/bin/pip", "check")
    run(f"{place}/bin/pip", "uninstall", "--quiet", "--yes", "geomapper")
    same("what is left of the wheel", sorted(Path(place).glob("**/*geomapper*")), [])
    return f"wheel: {wheel.name}"


def check_bundle(folder: str, tool: Installed) -> str:
    """Runs the tool of the artifact bundle from a plugin of a Swift package."""
    package = os.path.join(tool.work, "package")
    put(package, {
        "Package.swift": """\
// swift-tools-version: 6.0
import PackageDescription

let package = Package(
  name: "client",
  targets: [
    .binaryTarget(name: "geomapper", path: "geomapper.artifactbundle.zip"),
    .plugin(
      name: "Run", capability: .command(intent: .custom(verb: "run-geomapper", description: "Runs geomapper")),
      dependencies: ["geomapper"]),
  ]
)
""",
        "Plugins/Run/Run.swift": """\
import Foundation
import PackagePlugin

@main struct Run: CommandPlugin {
  func performCommand(context: PluginContext, arguments: [String]) throws {
    let process = Process()
    process.executableURL = try context.tool(named: "geomapper").url
    process.arguments = arguments
    try process.run()
    process.waitUntilExit()
  }
}
"""})
    shutil.copy(f"{folder}/geomapper.artifactbundle.zip", package)
    tool.expect("artifact bundle", "swift", "package", "--package-path", package, "run-geomapper")
    return "artifact bundle: run by a plugin"


def check_dockerfile(folder: str, tool: Installed) -> str:
    """Follows the lines of the Dockerfile in folders: COPY and RUN of the first stage, COPY of the second."""
    first, second = os.path.join(tool.work, "first"), os.path.join(tool.work, "second")
    text = Path(folder, "Dockerfile").read_text(encoding="utf-8")
    stages = [re.findall(r"^([A-Z]+) (.*)", stage, re.M) for stage in text.split("\n\n")]
    same("the stages' lines", [[word for word, _ in stage] for stage in stages],
         [["FROM", "WORKDIR", "COPY", "RUN", "RUN"], ["FROM", "COPY", "ENTRYPOINT"]])
    os.mkdir(first)
    for word, rest in stages[0]:
        if word == "COPY":
            for name in rest.split()[:-1]:
                shutil.copy(f"{folder}/{name}", first)
        elif word == "RUN":
            run("sh", "-ec", rest, cwd=first)
    source, target = stages[1][1][1].split()[1:]
    same("what the second stage takes", (source, stages[0][1][1], stages[0][0][1].split()[1:]),
         ("/files/", "/files", ["AS", "files"]))
    shutil.copytree(first, second + target.rstrip("/"))
    tool.expect("Dockerfile", f"{second}/usr/local/bin/{json.loads(stages[1][2][1])[0]}")
    same("the files in the image", sorted(os.listdir(second + target)), ["bin", "share"])
    return "Dockerfile: its lines followed; skipped: no Docker builds it here"


def check_formula(folder: str, tool: Installed) -> str:
    """Runs the formula by Ruby, with few classes in place of Homebrew, on the unpacked archive."""
    text = Path(folder, "geomapper.rb").read_text(encoding="utf-8")
    for address, value in re.findall(r'url "(.*)"\n\s*sha256 "(.*)"', text):
        same("the formula's address", os.path.dirname(address),
             f"https://github.com/OWNER/geomapper/releases/download/{tool.version}")
        same("the formula's sum", run("sha256sum", f"{folder}/{os.path.basename(address)}").split()[0], value.encode())
    if not installed("ruby"):
        return "skipped: no ruby to run the formula"
    keg = os.path.join(tool.work, "keg")
    run("ruby", "-W1", "-e", HOMEBREW, f"{folder}/geomapper.rb", keg, cwd=f"{tool.work}/prefix")
    tool.expect("formula", f"{keg}/bin/geomapper")
    for name in ("man/man1/geomapper-map.1", "zsh/site-functions/_geomapper", "bash-completion/completions/geomapper"):
        if not os.path.exists(f"{keg}/share/{name}"):
            fail(f"the formula doesn't install {name}")
    return "formula: installs and tests the tool; skipped: no Homebrew here"


def check_bill(folder: str, tool: Installed) -> str:
    """The list of parts names the tool by its sum, and all that it depends on."""
    bill = json.loads(next(Path(folder).glob("*.cdx.json")).read_text(encoding="utf-8"))
    whole = bill["metadata"]["component"]
    same("the sum of the tool", whole["hashes"][0]["content"].encode(),
         run("sha256sum", f"{tool.work}/prefix/bin/geomapper").split()[0])
    parts = [part["bom-ref"] for part in bill["components"]]
    same("what the tool depends on", bill["dependencies"][0], {"ref": "geomapper", "dependsOn": parts})
    linked = re.findall(r"NEEDED +(\S+)", run("objdump", "-p", f"{tool.work}/prefix/bin/geomapper").decode())
    same("the libraries", sorted(part["name"] for part in bill["components"] if "properties" in part), sorted(linked))
    return f"list of parts: {len(parts)}"


def main() -> None:
    """Runs the check."""
    binary = given(__doc__, "binary").binary
    with tempfile.TemporaryDirectory(prefix="geomapper-release.") as work:
        os.chmod(work, 0o755)
        tool = Installed(binary, work)
        folder, again = (release(binary, os.path.join(work, name)) for name in ("once", "again"))
        same("the files of a second release", sorted(os.listdir(again)), sorted(os.listdir(folder)))
        for name in os.listdir(folder):
            if Path(folder, name).read_bytes() != Path(again, name).read_bytes():
                fail(f"a second release has another {name}")
        for check in (check_archive, check_debian, check_wheel, check_bundle, check_dockerfile, check_formula,
                      check_bill):
            print(check(folder, tool))
        print(f"{len(os.listdir(folder))} files, made twice: the same bytes")


if __name__ == "__main__":
    main()
