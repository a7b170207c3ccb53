"""A provider package of its own, which depends on this one by its path: it builds, and its tests pass."""
import re
import subprocess
from harness import ROOT, check, equal, main

PACKAGE = ROOT / "Examples/ProviderPackage"


@check("the provider package of the examples builds, and passes its tests and the conformance kit")
def provider():
    # A build of its own, kept beside the others: what was built here belongs to another package and configuration.
    result = subprocess.run(
        ["swift", "test", "--package-path", str(PACKAGE), "--scratch-path", str(ROOT / ".build/provider-package")],
        capture_output=True, text=True, timeout=1500, stdin=subprocess.DEVNULL)
    output = result.stdout + result.stderr
    equal(result.returncode, 0, f"status of swift test: {output[-3000:]}")
    count = re.search(r"Test run with (\d+) tests in \d+ suites passed", output)
    assert count and int(count[1]) >= 11, output[-1000:]
    assert "warning:" not in output, output[-3000:]


main()
