"""How much memory loading and a short answer take."""
import os
import re
import subprocess
import time
from harness import HEARTH, check, default_model, main

# smollm2-135m keeps keys and values of 30 layers, 3 heads and 64 numbers each, in 2 bytes.
POSITION_BYTES = 30 * 2 * 3 * 64 * 2
# The cache asks the system for pages of this size.
LARGE_PAGE = 2 << 20


def resident(process, model):
    """Bytes in memory now: what the engine holds (memory of no file, and pages of the model's file), and pages of programs and
    libraries, which all processes that use them share."""
    held = programs = file_pages = 0
    path = ""
    with open(f"/proc/{process}/smaps") as maps:
        for line in maps:
            if re.match("[0-9a-f]+-[0-9a-f]+ ", line):
                path = (line.split(None, 5) + [""])[5].strip()
            elif line.startswith("Rss:"):
                file_pages = int(line.split()[1])
            elif line.startswith("Anonymous:"):
                anonymous = int(line.split()[1])
                file_pages -= anonymous
                held += anonymous + (file_pages if path == str(model) else 0)
                programs += file_pages if path != str(model) else 0
    return held * 1024, programs * 1024


def held_at_most(model, *arguments):
    """The most that the engine held at once during a run: of what was seen while it ran, and of the system's own count of its
    peak without its programs' pages, the larger."""
    process = subprocess.Popen(
        [HEARTH, *map(str, arguments)], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    held = programs = 0
    while True:
        ended, status, usage = os.wait4(process.pid, os.WNOHANG)
        if ended:
            break
        try:
            now = resident(process.pid, model)
        except OSError:
            continue  # it is ending
        held, programs = max(held, now[0]), max(programs, now[1])
        time.sleep(0.001)
    process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == 0, f"{arguments} ended with {process.returncode}"
    assert programs > 0, "nothing was seen of the process"
    return max(held, usage.ru_maxrss * 1024 - programs), programs


@check("while a model is loaded and gives a short answer, the engine holds at most 1.15 times the file and the cache")
def short_answer():
    model = default_model().resolve()
    held, programs = held_at_most(model, "run", "--model", model, "--max-tokens", 32, "--temperature", 0, "Why is the sky blue?")
    size = model.stat().st_size
    cache = -(-128 * POSITION_BYTES // LARGE_PAGE) * LARGE_PAGE  # a page of positions
    allowed = 1.15 * size + cache
    print(f"# {held / 1e6:.1f} MB of {allowed / 1e6:.1f}: file {size / 1e6:.1f}, cache {cache / 1e6:.1f}; "
          f"besides, {programs / 1e6:.1f} MB of the program and its libraries")
    assert held <= allowed, f"{held / 1e6:.1f} MB were held; {allowed / 1e6:.1f} are allowed"
    assert held > 0.9 * size, f"only {held / 1e6:.1f} MB were seen of a model of {size / 1e6:.1f}"


main()
