"""Maps a folder in parts on Apache Spark: each manifest is a row, each part a partition.

Local, with a worker for each processor and four attempts for each task:

    python3 by_spark.py GEOMAPPER DIR PARTS --parts 16
    geomapper join -o map.geojsonl PARTS/part-*

On a cluster, use `spark-submit --master …`. DIR has to be at the same path on each machine, as on a
network file system, and PARTS where all machines can write (a folder, hdfs:, s3a:).
"""

import argparse
import os
import subprocess
from typing import Iterator

from pyspark import SparkConf, SparkContext, SparkFiles, TaskContext


def parts(binary: str, directory: str, kill: int, manifests: Iterator[str]) -> Iterator[str]:
    """The lines of the parts of some manifests; a partition has one manifest, so that each file is a part."""
    task = TaskContext.get()
    program = SparkFiles.get(binary)
    os.chmod(program, 0o755)
    for manifest in manifests:
        command = [program, "map", "-q", "--threads", "1", "--format", "geojsonl"]
        process = subprocess.Popen(
            command + ["--shard", "-", directory], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        process.stdin.write(manifest.encode() + b"\n")
        process.stdin.close()
        doomed = task.partitionId() == kill and task.attemptNumber() == 0
        for number, line in enumerate(process.stdout):
            yield line[:-1].decode()
            if doomed and number == 10:
                process.kill()
        # 1: some entries were unreadable, which the part records.
        if process.wait() not in (0, 1) or doomed:
            raise RuntimeError(
                f"manifest {task.partitionId()}, attempt {task.attemptNumber()}: "
                f"geomapper ended with {process.returncode}"
            )


def main() -> None:
    """Splits the folder, and lets Spark map the parts."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("binary", help="geomapper, built for the machines of the cluster")
    parser.add_argument("directory")
    parser.add_argument("folder", metavar="parts", help="where the parts go; must not exist")
    parser.add_argument("--parts", type=int, default=16)
    parser.add_argument(
        "--kill", type=int, default=-1, metavar="N",
        help="kill geomapper in the first attempt at manifest N, to see the engine try again",
    )
    arguments = parser.parse_args()

    made = subprocess.run(
        [arguments.binary, "split", "--parts", str(arguments.parts), arguments.directory],
        check=True, stdout=subprocess.PIPE,
    )
    manifests = made.stdout.decode().splitlines()

    conf = SparkConf().setAppName("geomapper").setIfMissing("spark.master", "local[*,4]")
    with SparkContext(conf=conf) as context:
        context.setLogLevel("ERROR")
        context.addFile(arguments.binary)
        name = os.path.basename(arguments.binary)
        directory, kill = arguments.directory, arguments.kill
        rows = context.parallelize(manifests, len(manifests))
        rows.mapPartitions(lambda rows: parts(name, directory, kill, rows)).saveAsTextFile(
            arguments.folder
        )


if __name__ == "__main__":
    main()
