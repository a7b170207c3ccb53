"""Adds up the results of one `make test`: Swift's event streams and the checks' lines. Fails when any part did.

A part that ended badly without a failed test (a crash, a script that stopped) counts as one failure, so that a
broken run can never look like a good one. The last line is `N passed, N failed, N skipped`.
"""
import json
import pathlib
import sys


def swift_events(path):
    """Returns the names of the passed, failed and skipped test functions of one event stream."""
    functions, started, ended, failed, skipped = {}, set(), set(), set(), set()
    for line in path.read_text().splitlines():
        record = json.loads(line)
        payload = record["payload"]
        kind = payload["kind"]
        if record["kind"] == "test":
            if kind == "function":
                functions[payload["id"]] = payload.get("displayName", payload["name"])
            continue
        test = payload.get("testID")
        if kind == "testStarted":
            started.add(test)
        elif kind == "testEnded":
            ended.add(test)
        elif kind == "testSkipped":
            skipped.add(test)
        elif kind == "issueRecorded":
            issue = payload["issue"]
            if not issue["isKnown"] and issue.get("isFailure", True):
                failed.add(test)
    # A test that began and never ended took the process down with it.
    failed |= {test for test in started - ended if test in functions}
    names = lambda tests: [functions.get(test, str(test)) for test in sorted(tests, key=str)]
    skips = skipped & functions.keys()
    return names(ended & functions.keys() - failed - skips), names(failed), names(skips)


def check_lines(path):
    """Returns (passed, failed, skipped) names of a script's `ok`, `not ok` and `skip` lines."""
    lines = path.read_text().splitlines()
    pick = lambda word: [line[len(word):] for line in lines if line.startswith(word)]
    return pick("ok - "), pick("not ok - "), pick("skip - ")


def main(folder):
    passed, failed, skipped = [], [], []
    for status in sorted(folder.glob("*.status")):
        name = status.stem
        stream, tap = folder / f"{name}.jsonl", folder / f"{name}.tap"
        if stream.exists():
            parts = swift_events(stream)
        elif tap.exists():
            parts = check_lines(tap)
        else:
            parts = [], [f"{name}: left no results"], []
        code = int(status.read_text())
        if code != 0 and not parts[1]:
            parts = parts[0], [f"{name}: ended with status {code}"], parts[2]
        if not any(parts):
            parts = [], [f"{name}: ran no test"], []
        passed += parts[0]
        failed += parts[1]
        skipped += parts[2]
    for name in skipped:
        print("skipped:", name)
    for name in failed:
        print("failed:", name)
    print(f"{len(passed)} passed, {len(failed)} failed, {len(skipped)} skipped")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1])))
