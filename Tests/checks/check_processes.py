"""What must not depend on the seed that each process hashes with."""
import subprocess
from harness import SPECIMENS, check, environment, equal, main


def prompt(**changes):
    result = subprocess.run([SPECIMENS, "prompt"], capture_output=True, timeout=60, env=environment(**changes))
    equal(result.returncode, 0, f"status of Specimens: {result.stderr!r}")
    return result.stdout


@check("T-33 processes that hash differently render the same request to the same bytes")
def rendering():
    prompts = {prompt() for _ in range(8)} | {prompt(SWIFT_DETERMINISTIC_HASHING="1")}
    equal(len(prompts), 1, f"prompts of nine processes: {prompts!r}"[:2000])
    text = prompts.pop().decode()
    # Not equal by being empty: the keys stand in the order sent.
    assert "zeta,alpha,mid,omega,beta,kappa," in text and text.index("zeta") < text.index("alpha"), text


main()
