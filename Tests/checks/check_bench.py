"""hearth-bench: formats, files, comparisons and turns with a peer, on the tiny model. Nothing here is about speed."""
import csv
import io
import json
import pathlib
import tempfile
import xml.dom.minidom
from harness import FIXTURES, HEARTH_BENCH, check, equal, main, run

TINY = FIXTURES / "llama-f32.gguf"
SMALL = ["-m", TINY, "-t", "1", "-r", "2", "--bandwidth", "0", "--loop", "1"]


def bench(*words, code=0):
    result = run(*words, binary=HEARTH_BENCH)
    equal(result.returncode, code, f"status ({result.stderr.strip()[-400:]})")
    return result


@check("hearth-bench prints the same rows as JSON, JSON lines, CSV and a table")
def formats():
    words = SMALL + ["-p", "8,16", "-n", "4", "-d", "0,8", "-pg", "4,2", "--request", "8,3", "--prefix", "8,6", "--sampling"]
    names = [f"{test}{depth}" for depth in ["", " @ d8"] for test in ["pp8", "pp16", "tg4", "pp4+tg2"]]
    names += ["ttft8", "tpot3 @ d8", "ttft8 (0 cached)", "ttft8 (6 cached)", "sample", "sample greedy"]
    rows = json.loads(bench(*words, "-o", "json").stdout)
    equal([row["test"] for row in rows], names, "tests")
    equal({tuple(row) for row in rows}, {tuple(rows[0])}, "names of fields")
    for row in rows:
        equal(len(row["samples_ns"]), 2, "samples")
        assert row["test_time"].endswith("Z") and row["load_ns"] > 0, row
    lines = bench(*words, "-o", "jsonl").stdout.splitlines()
    equal([json.loads(line)["test"] for line in lines], names, "tests")
    table = list(csv.DictReader(io.StringIO(bench(*words, "-o", "csv").stdout), strict=True))
    equal([row["test"] for row in table], names, "tests")
    equal(list(table[0]), list(rows[0]), "names of fields")
    equal(table[-1]["avg_ts"], "", "a speed that there is none of")
    text = bench(*words).stdout
    for name in names:
        assert f"| {name} " in text, f"{name} is not in {text}"


@check("hearth-bench measures the read bandwidth and gives decode rows their share, and prompts that of their inner loops")
def ceiling():
    rows = json.loads(bench("-m", TINY, "-t", "1", "-r", "1", "-p", "4", "-n", "4", "--bandwidth", "16", "-o", "json").stdout)
    assert all(row["bandwidth"] > 1e8 for row in rows), rows
    equal([row["bandwidth_share"] is None for row in rows], [True, False], "shares")
    equal([row["loop_share"] is None for row in rows], [False, True], "shares of the loop")
    # 3 layers: q and output of 64 x 64, k and v of 32 x 64, three of 96 x 64; then one token's output of 320 x 64.
    operations = 2 * 64 * (4 * 3 * (2 * 64 + 2 * 32 + 3 * 96) + 320)
    equal(rows[0]["prompt_operations"], operations, "operations")
    share = operations / rows[0]["loop_ops"] / rows[0]["median_ns"] * 1e9
    assert abs(rows[0]["loop_share"] / share - 1) < 1e-6, rows[0]


@check("usage errors of hearth-bench end with 2 and an object where JSON was asked for")
def usage():
    for words, said in [
        (["-p", "0", "-n", "0"], "leave nothing to measure"), (["-p", "8,x"], "`-p` got `8,x`"),
        (["--fail-if-slower", "5"], "without `--compare`"), (["--peer", "/no/such"], "`/no/such` cannot be run"),
        (["--compare", "/no/such"], "`/no/such` cannot be read: No such file"),
    ]:
        result = bench(*SMALL, *words, code=2)
        assert said in result.stderr and not result.stdout, result
        result = bench(*SMALL, *words, "-o", "json", code=2)
        error = json.loads(result.stdout)["error"]
        equal((error["code"], error["kind"]), (2, "usage"), "error")
        assert said in error["message"], error


@check("what was measured before an error is told with it")
def half():
    words = SMALL + ["-p", "8", "-n", "4", "-d", "0,100000"]
    result = bench(*words, code=5)
    assert "| pp8 " in result.stdout and "| tg4 " in result.stdout and "100008" in result.stderr, result
    rows = json.loads(bench(*words, "-o", "json", code=5).stdout)
    equal([row.get("test") for row in rows], ["pp8", "tg4", None], "tests")
    equal(rows[-1]["error"]["kind"], "prompt_too_long", "kind")


@check("a saved run is read, drawn and compared; slower rows fail where that was asked for")
def compare():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        new, old, plot = folder / "new.json", folder / "old.json", folder / "plot.svg"
        bench("-m", TINY, "-t", "1", "-r", "6", "--bandwidth", "0", "-p", "8", "-n", "4", "--save", new)
        rows = json.loads(new.read_text())
        for row in rows:
            row["samples_ns"] = [1 + index for index in range(6)]
        rows[1]["test"] = "tg9"
        old.write_text(json.dumps(rows))
        result = bench("--read", new, "--compare", old, "--plot", plot, "-o", "json")
        equal([row["verdict"] for row in json.loads(result.stdout)],
              ["slower", "only in this run", "only in the old one"], "verdicts")
        xml.dom.minidom.parse(str(plot))
        result = bench("--read", new, "--compare", old, "--fail-if-slower", "5", code=6)
        assert "| slower " in result.stdout and "llama-f32 pp8 at" in result.stderr, result
        rows[0]["test"] = "pp9"
        old.write_text(json.dumps(rows))
        result = bench("--read", new, "--compare", old, "--fail-if-slower", "5", code=6)
        assert "No row could be judged (only in this run, only in the old one)" in result.stderr, result
        old.write_text("{}")
        assert "holds no results" in bench("--read", new, "--compare", old, code=2).stderr


@check("a peer runs in turn with hearth-bench, and what it cannot do is told in its rows")
def peer():
    with tempfile.TemporaryDirectory() as name:
        script = pathlib.Path(name) / "llama-bench"
        script.write_text("""#!/usr/bin/env python3
import json, sys
words = dict(zip(sys.argv[1::2], sys.argv[2::2]))
if words.get("-fa") == "1":
    sys.exit("flash attention is not here")
def row(p, n, d):
    return {"build_commit": "abc", "build_number": 1, "model_filename": words["-m"], "n_prompt": p, "n_gen": n,
            "n_depth": d, "samples_ns": [1000000] * int(words["-r"])}
depths = [int(d) for d in words["-d"].split(",")]
print(json.dumps([row(*pair, d) for d in depths for pair in [(int(words["-p"]), 0), (0, int(words["-n"]))]]))
""")
        script.chmod(0o755)
        words = ["-m", TINY, "-t", "1", "-r", "2", "--bandwidth", "0", "-p", "8", "-n", "4", "-d", "0,8",
                 "--peer", script, "--rounds", "2", "--peer-fa", "0,1"]
        # Rows without a ratio make a status of their own.
        result = bench(*words, "-o", "json", code=6)
        assert "No ratio for llama-f32 pp8, fa 1; llama-f32 tg4, fa 1; " in result.stderr, result.stderr
        rows = json.loads(result.stdout)
        equal([(row["test"], row["peer_flash_attn"]) for row in rows],
              [(test, fa) for test in ["pp8", "tg4", "pp8 @ d8", "tg4 @ d8"] for fa in "01"], "rows")
        for row in rows:
            equal(len(row["samples_ns"]), 4, "samples")
            if row["peer_flash_attn"] == "0":
                assert row["ratio_low"] <= row["ratio_high"] and row["peer_median_ts"] in (8000.0, 4000.0), row
            else:
                equal((row["ratio"], row["peer_error"]), (None, "ended with status 1: flash attention is not here"), "row")
            equal(row["loop_share"] is None, row["n_gen"] > 0, "share of the loop")
        bench(*words[:-1], "0")
        text = bench(*words, code=6).stdout
        assert "not measured: the peer ended with status 1" in text, text


main()
