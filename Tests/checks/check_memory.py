"""How much memory loading and a short answer take."""
import os
import subprocess
from harness import HEARTH, check, default_model, main

# smollm2-135m keeps keys and values of 30 layers, 3 heads and 64 numbers each, in 2 bytes.
POSITION_BYTES = 30 * 2 * 3 * 64 * 2
# The cache asks the system for pages of this size.
LARGE_PAGE = 2 << 20


def peak(*arguments):
    """The most memory that a run of the program had at once, its libraries included, in bytes."""
    process = subprocess.Popen(
        [HEARTH, *map(str, arguments)], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == 0, f"{arguments} ended with {process.returncode}"
    return usage.ru_maxrss * 1024


@check("a model and a short answer take at most 1.15 times the file, the cache, and what the program takes without a model")
def short_answer():
    model = default_model()
    # `doctor` loads no model and looks at all that a run uses: Foundation, the BLAS, the kernels.
    program = peak("doctor")
    used = peak("run", "--model", model, "--max-tokens", 32, "--temperature", 0, "Why is the sky blue?")
    size = model.stat().st_size
    cache = -(-128 * POSITION_BYTES // LARGE_PAGE) * LARGE_PAGE  # a page of positions
    allowed = 1.15 * size + cache + program
    print(f"# {used / 1e6:.1f} MB of {allowed / 1e6:.1f}: file {size / 1e6:.1f}, cache {cache / 1e6:.1f}, program {program / 1e6:.1f}")
    assert used <= allowed, f"{used / 1e6:.1f} MB were used; {allowed / 1e6:.1f} are allowed"


main()
