"""Runs a command and writes down what it took: exit code, seconds, and the most memory that it held.

A process of its own, started as ``python measured.py FIGURES SECONDS MEGABYTES COMMAND...``. A child that a big process
starts inherits that process's size in ``ru_maxrss``; this one is small, so its child's figure is the child's own. The
command is killed after SECONDS, and its address space ends at MEGABYTES, so that what grows without bound is told and
does not take the machine with it.
"""

from __future__ import annotations

import json
import os
import resource
import signal
import sys
import time


def main() -> None:
    """Runs the command on this process's own streams."""
    figures, seconds, megabytes, *command = sys.argv[1:]
    started = time.perf_counter()
    child = os.fork()
    if child == 0:
        resource.setrlimit(resource.RLIMIT_AS, (int(megabytes) << 20, int(megabytes) << 20))
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)
        os.execvp(command[0], command)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, lambda *_: os.kill(child, signal.SIGTERM))
    signal.signal(signal.SIGALRM, lambda *_: os.kill(child, signal.SIGKILL))
    signal.alarm(int(seconds))
    _, status, used = os.wait4(child, 0)
    found = {
        "code": os.waitstatus_to_exitcode(status),
        "seconds": time.perf_counter() - started,
        "cpu": used.ru_utime + used.ru_stime,
        "megabytes": used.ru_maxrss / 1024,
    }
    with open(figures, "w", encoding="utf-8") as file:
        json.dump(found, file)


if __name__ == "__main__":
    main()
