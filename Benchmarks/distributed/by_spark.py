"""Reads a folder in parts on Apache Spark: each list of folders is a row, a partition and a part.

Local, with a worker for each processor and four attempts for each task:

    python3 by_spark.py GEOMAPPER DIR PARTS --parts 16
    geomapper join -o whole.geosnap PARTS/*.geosnap

On a cluster, use `spark-submit --master …`. DIR has to be at the same path on each machine, as on a
network file system, and PARTS a folder on a file system that all can write to.
"""

import argparse
import os
import subprocess
import tempfile
from typing import Iterable, Iterator

from pyspark import SparkConf, SparkContext, SparkFiles, TaskContext


def read(binary: str, directory: str, folder: str, kill: int, lists: Iterable[bytes]) -> Iterator[str]:
    """Writes the parts of some lists; the files appear only when they are complete."""
    task = TaskContext.get()
    program = SparkFiles.get(binary)
    os.chmod(program, 0o755)
    for names in lists:
        number = task.partitionId()
        part = os.path.join(folder, f"{number:05}.geosnap")
        command = [program, "snapshot", "-q", "--threads", "1", "--only", "-", "-o", part, directory]
        process = subprocess.Popen(command, stdin=subprocess.PIPE)
        if number == kill and task.attemptNumber() == 0:
            process.kill()
        try:
            process.communicate(names)
        except BrokenPipeError:
            pass
        # 1: some entries were unreadable, which the part records.
        if process.wait() not in (0, 1):
            raise RuntimeError(
                f"list {number}, attempt {task.attemptNumber()}: geomapper ended with {process.returncode}"
            )
        yield part


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("binary", help="geomapper, built for the machines of the cluster")
    parser.add_argument("directory")
    parser.add_argument("folder", metavar="parts", help="where the parts go; must not exist")
    parser.add_argument("--parts", type=int, default=16)
    parser.add_argument(
        "--kill", type=int, default=-1, metavar="N",
        help="kill geomapper in the first attempt at list N, to see the engine try again",
    )
    arguments = parser.parse_args()

    os.mkdir(arguments.folder)
    lists = []
    with tempfile.TemporaryDirectory() as at:
        made = os.path.join(at, "lists")
        subprocess.run(
            [arguments.binary, "split", "-q", "--parts", str(arguments.parts), "-o", made, arguments.directory],
            check=True,
        )
        for name in sorted(os.listdir(made)):
            with open(os.path.join(made, name), "rb") as file:
                lists.append(file.read())

    conf = SparkConf().setAppName("geomapper").setIfMissing("spark.master", "local[*,4]")
    with SparkContext(conf=conf) as context:
        context.setLogLevel("ERROR")
        context.addFile(arguments.binary)
        name = os.path.basename(arguments.binary)
        directory, folder, kill = arguments.directory, os.path.abspath(arguments.folder), arguments.kill
        rows = context.parallelize(lists, len(lists))
        print(len(rows.mapPartitions(lambda rows: read(name, directory, folder, kill, rows)).collect()), "parts")


if __name__ == "__main__":
    main()
