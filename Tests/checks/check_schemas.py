"""Encoded schemas beside PyPI's `jsonschema`: they are JSON Schema of 2020-12, and mean what reading a type means."""
import functools
import json
import subprocess
from harness import SPECIMENS, check, equal, main, python_package


@functools.cache
def specimens():
    """A schema of every form each, with values (Tests/Specimens)."""
    result = subprocess.run([SPECIMENS, "schemas"], capture_output=True, text=True, timeout=120)
    equal(result.returncode, 0, f"status of Specimens: {result.stderr[-1000:]}")
    found = [json.loads(line) for line in result.stdout.splitlines()]
    assert len(found) > 25, f"only {len(found)} schemas"
    return found


@functools.cache
def validators():
    python_package("jsonschema", "4.23.0")
    from jsonschema import Draft202012Validator
    return Draft202012Validator


@check("R-12 an encoded schema of each form validates against the meta-schema of 2020-12, and is read back to the same")
def meta():
    validator = validators()
    for one in specimens():
        # Formats too: a `$ref` has to be a reference, a `pattern` an expression.
        strict = validator(validator.META_SCHEMA, format_checker=validator.FORMAT_CHECKER)
        errors = [f"{error.json_path}: {error.message}" for error in strict.iter_errors(one["schema"])]
        equal(errors, [], f"errors of {one['name']}")
        equal(one["back"], one["schema"], f"{one['name']} after reading it back")  # keys in any order, lists in theirs


@check("R-12 the meta-schema finds a schema with a mistake")
def planted():
    validator = validators()
    for old, new in [('"type":"object"', '"type":"record"'), ('"required":[', '"required":[1,'),
                     ('"minimum":1', '"minimum":"1"'), ('"maxItems":2', '"maxItems":-2')]:
        city = json.dumps(specimens()[0]["schema"], separators=(",", ":"))
        assert old in city, city
        assert list(validator(validator.META_SCHEMA).iter_errors(json.loads(city.replace(old, new)))), new


@check("values that obey a schema are admitted by jsonschema, others refused, and reading them as the type says the same")
def values():
    validator = validators()
    judged = read = 0
    for one in specimens():
        judge = validator(one["schema"])
        for value in one["instances"]:
            what = f"{one['name']} given {value['text']}"
            equal(judge.is_valid(json.loads(value["text"])), value["right"], what)
            judged += 1
            if value["read"] is not None:
                equal(value["read"], value["right"], f"{what}, read as the type")
                read += 1
    assert judged > 120 and read > 50, f"{judged} values, {read} of them read"


main()
