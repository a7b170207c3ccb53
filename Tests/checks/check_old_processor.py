"""T-86 under an emulator of older processors (Debian's qemu-user): the right kernels run, with the bits that they have here."""
import json
import pathlib
import shutil
import subprocess
import tempfile
from harness import FIXTURES, HEARTH, check, equal, main, need, reference, score

QEMU = shutil.which("qemu-x86_64") or shutil.which("qemu-x86_64-static")
# The first has no AVX at all, the second AVX2, FMA and F16C.
PROCESSORS = {"Nehalem": "portable", "Haswell": "avx2"}

for processor, kernels in PROCESSORS.items():
    @check(f"T-86 an emulated {processor} runs the {kernels} kernels, without an illegal instruction and with their bits")
    def emulated(processor=processor, kernels=kernels):
        need(QEMU, "qemu-x86_64 is not here (apt-get install qemu-user)")
        tokens = reference("quant-q4_1")["tokens"]
        model = FIXTURES / "quant-q4_1.gguf"
        with tempfile.TemporaryDirectory() as folder:
            ids = pathlib.Path(folder) / "tokens.json"
            ids.write_text(json.dumps(tokens))
            result = subprocess.run(
                [QEMU, "-cpu", processor, HEARTH, "score", "--model", model, "--tokens", ids, "--backend", "native", "--threads", "1",
                 "--json"], capture_output=True, text=True, timeout=600, stdin=subprocess.DEVNULL)
        equal(result.returncode, 0, f"status ({result.stderr[-500:]} {result.stdout[-300:]})")
        report = json.loads(result.stdout)
        equal(report["kernels"], kernels, "kernels")
        here = score(model, tokens, "--backend", "native", "--kernels", kernels)
        equal(report["logits_sha256"], here["logits_sha256"], "hash of the logits")


main()
