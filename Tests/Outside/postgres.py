"""A temporary PostgreSQL server with PostGIS, if both are installed."""

import contextlib
import glob
import os
import pwd
import shutil
import subprocess
from typing import Dict, Iterator, List, Optional


def binaries() -> Optional[str]:
    """The folder of the server's programs, if PostGIS is installed, too; otherwise None."""
    for folder in sorted(glob.glob("/usr/lib/postgresql/*/bin"), reverse=True):
        version = folder.split("/")[-2]
        if glob.glob(f"/usr/share/postgresql/{version}/extension/postgis.control"):
            return folder
    return None


def _as_user(command: List[str]) -> List[str]:
    """A command as another user, because the server refuses to run as root."""
    return command if os.geteuid() else ["setpriv", "--reuid=postgres", "--clear-groups", *command]


@contextlib.contextmanager
def serving(work: str, database: str) -> Iterator[Dict[str, str]]:
    """Runs a server with one database within the block; yields the environment for clients."""
    programs = binaries()
    assert programs
    folder = os.path.join(work, "postgres")
    os.makedirs(folder, mode=0o700)
    if not os.geteuid():
        os.chown(folder, pwd.getpwnam("postgres").pw_uid, -1)

    def run(*command: str) -> None:
        subprocess.run(
            _as_user(list(command)), check=True, capture_output=True, cwd=folder, timeout=60)

    control = [os.path.join(programs, "pg_ctl"), "-D", f"{folder}/data", "-w", "-l", f"{folder}/log"]
    environment = {"PGHOST": folder, "PGUSER": "postgres", "PGPORT": "5432"}
    try:
        run(os.path.join(programs, "initdb"), "-D", f"{folder}/data", "-U", "postgres", "-A", "trust")
        run(*control, "-o", f"-k {folder} -c listen_addresses='' -F", "start")
        for text in (f"CREATE DATABASE {database}", "CREATE EXTENSION postgis"):
            subprocess.run(
                ["psql", "-q", "-d", "postgres" if "DATABASE" in text else database, "-c", text],
                check=True, capture_output=True, env={**os.environ, **environment}, timeout=60)
        yield environment
    finally:
        with contextlib.suppress(subprocess.SubprocessError):
            run(*control, "-m", "immediate", "stop")
        shutil.rmtree(folder, ignore_errors=True)
