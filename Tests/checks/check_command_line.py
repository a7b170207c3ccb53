"""How the program ends, and what stands on its outputs."""
import json
import os
import pathlib
import shutil
import signal
import subprocess
import tempfile
import time
from harness import FIXTURES, HEARTH, answer, check, default_model, environment, equal, main, reference, run

TINY = FIXTURES / "llama-f32.gguf"


def status(result, code, *words):
    equal(result.returncode, code, f"status ({result.stderr.strip()})")
    for word in words:
        assert word in result.stderr, f"{word!r} is not in: {result.stderr!r}"


@check("usage errors end with 2 and say what was meant")
def usage():
    status(run(), 2, "hearth --help")
    status(run("rnu", "x"), 2, "Did you mean `run`?")
    status(run("run", "--tempreature", "1", "x"), 2, "Did you mean `--temperature`?")
    status(run("run", "--top-p", "2", "x"), 2, "`--top-p` got `2`", "0.0 to 1.0")
    for value in ["0x1p-1", "nan", "inf", "-0x0", "1_0", "", " 1", "1e999"]:
        status(run("run", "--temperature", value, "x"), 2, f"`--temperature` got `{value}`", "a decimal number from 0.0")
    folder = os.open("/", os.O_RDONLY)
    status(run("run", "--model", TINY, stdin=folder), 2, "Standard input cannot be read: Is a directory.")
    os.close(folder)
    status(run("run", "--seed"), 2, "without its value")
    status(run("run", "a", "b"), 2, "one argument too many")
    status(run("run"), 2, "There is no prompt")
    status(run("run", " \n"), 2, "There is no prompt")
    status(run("run", "-n", "64", "x"), 2, "here it is `--max-tokens N`")
    status(run("run", "-t", "4", "x"), 2, "here it is `--threads N`")
    status(run("run", "-p", "x"), 2, "here it is PROMPT itself")
    status(run("run", "smollm2", "hi"), 2, "`hearth run --model smollm2 ...`")
    for verb in ["chat", "serve"]:
        status(run(verb), 2, f"`hearth {verb}` does not exist yet", "hearth run")
    status(run("score", "--model", TINY), 2, "--tokens, --text, --file")
    status(run("run", "--model", TINY, "--file", "/no/such"), 2, "`/no/such` cannot be read")
    result = subprocess.run([HEARTH, "run", b"ab\xff"], stdin=subprocess.DEVNULL, capture_output=True, text=True)
    status(result, 2, "Argument 2 is not valid UTF-8 at byte 2")
    with tempfile.TemporaryDirectory() as name:
        tokens = pathlib.Path(name) / "t.json"
        for text in ["{}", "[1, -2]", "[1.5]", "[1,", "[99999999999]"]:
            tokens.write_text(text)
            status(run("score", "--model", TINY, "--tokens", tokens), 2, "holds no token ids")
        tokens.write_text("[1]")
        status(run("score", "--model", TINY, "--tokens", tokens), 2, "There is 1 token to score.")
        tokens.write_text("[1, 2, 3]")
        status(run("score", "--model", TINY, "--tokens", tokens, "--split", "3"), 2, "--split is 3")


@check("help and version end with 0 on standard output")
def help_text():
    for words in [["--help"], ["help", "run"], ["run", "--help"], ["--version"]]:
        result = run(*words)
        equal((result.returncode, result.stderr), (0, ""), str(words))
        assert result.stdout.strip(), words


@check("a model that is not there ends with 3, by name and by path")
def not_found():
    status(run("run", "--model", "smolm2", "x"), 3, "smollm2")
    status(run("run", "--model", "/no/such.gguf", "x"), 3, "/no/such.gguf")
    with tempfile.TemporaryDirectory() as name:
        status(run("run", "x", env=environment(HEARTH_MODELS=name)), 3, "hearth pull")


@check("a bad model file ends with 4: cut short, a web page, empty")
def bad_file():
    with tempfile.TemporaryDirectory() as name:
        path = pathlib.Path(name) / "bad.gguf"
        whole = TINY.read_bytes()
        for content, words in [(whole[:-1], "bad.gguf"), (whole[:len(whole) // 2], "bad.gguf"), (whole[:30], "bad.gguf"),
                               (b"<!DOCTYPE html>", "web page"), (b"", "empty")]:
            path.write_bytes(content)
            for verb in [["run", "--model", path, "x"], ["show", path]]:
                status(run(*verb), 4, words)


@check("a prompt longer than the context ends with 5 and says both numbers")
def too_long():
    status(run("run", "--model", default_model(), "--context", "16", "word " * 40), 5, "16")


@check("a refusal ends with 6: an unknown source, kernels that a processor cannot run")
def refused():
    status(run("pull", "hf:owner/repo/file.gguf"), 6, "hf:")
    status(run("run", "--model", "llama-cpp-vocabs", "x"), 6, "llama-cpp-vocabs")
    status(run("run", "--model", FIXTURES / "bert-f32.gguf", "--raw", "x"), 4, "bert")


@check("output to a full disk ends with 8")
def full_output():
    with open("/dev/full", "w") as full:
        result = subprocess.run([HEARTH, "list"], stdout=full, stderr=subprocess.PIPE, text=True)
    status(result, 8, "No space left on device")
    with tempfile.TemporaryDirectory() as name:
        tokens = pathlib.Path(name) / "t.json"
        tokens.write_text(json.dumps(reference("llama-f32")["tokens"]))
        status(run("score", "--model", TINY, "--tokens", tokens, "--logits", "/no/such/folder/x"), 8, "cannot be written")
        equal(sorted(os.listdir(name)), ["t.json"], "files left")


@check("with --json an error is an object too")
def json_errors():
    with tempfile.TemporaryDirectory() as name:
        result = run("pull", "smollm2", "--json", env=environment(HEARTH_MODELS=name + "/store", PATH=name))
        equal(result.returncode, 7, f"status of pull without python3 ({result.stderr})")
        assert "python3" in json.loads(result.stdout)["error"]["message"], result.stdout
        result = run("quantize", TINY, name + "/out.gguf", "q9", "--json")
        equal((result.returncode, json.loads(result.stdout)["error"]["code"]), (2, 2), "status of quantize")
    for words, code, kind in [(["run", "--model", "nope", "x"], 3, "model_not_found"), (["run", "--top-p", "9"], 2, "usage"),
                              (["show", "/no/such.gguf"], 3, "model_not_found"), (["doctor", "--what"], 2, "usage")]:
        result = run(*words, "--json")
        equal(result.returncode, code, "status")
        error = json.loads(result.stdout)["error"]
        equal((error["code"], error["kind"]), (code, kind), "error")
        assert error["message"]
        equal(result.stderr, "", "standard error")


@check("--json of run has every field, and the same seed gives the same answer")
def fields():
    words = ["run", "--model", default_model(), "--max-tokens", "12", "--seed", "5", "Name a colour."]
    report = answer(*words)
    equal(sorted(report), sorted(["text", "tokens", "finish_reason", "cut", "seed", "usage", "timing"]), "fields")
    equal(sorted(report["usage"]), ["cached", "input", "output"], "usage")
    equal(sorted(report["timing"]), sorted(["load_seconds", "time_to_first_token_seconds", "prefill_tokens_per_second",
                                            "decode_tokens_per_second"]), "timing")
    equal(report["seed"], 5, "seed")
    equal(report["usage"]["output"], len(report["tokens"]), "output and tokens")
    assert report["finish_reason"] in ["stop", "length"], report["finish_reason"]
    again = answer(*words)
    equal((again["text"], again["tokens"]), (report["text"], report["tokens"]), "second answer")
    one = answer(*words[:3], "--max-tokens", "1", "--temperature", "0", "Name a colour.")
    equal((one["finish_reason"], len(one["tokens"])), ("length", 1), "one token")


@check("T-97 T-98 a reply of one token reports its decode speed as not measured")
def one_token():
    report = answer("run", "--model", default_model(), "--max-tokens", "1", "Name a colour.")
    equal(report["timing"]["decode_tokens_per_second"], None, "decode speed")
    assert report["timing"]["prefill_tokens_per_second"] > 0


@check("streamed text, --json text and a stop sequence agree")
def stop():
    words = ["run", "--model", default_model(), "--temperature", "0", "--max-tokens", "24", "List three fruits."]
    whole = answer(*words)["text"]
    equal(run(*words).stdout, whole + "\n", "streamed text")
    cut = whole[len(whole) // 2:len(whole) // 2 + 4]
    stopped = answer(*words, "--stop", cut)
    equal(stopped["text"], whole[:whole.index(cut)], "text before the stop")
    equal(stopped["finish_reason"], "stop", "reason")


@check("--raw goes on with the text as it stands, and a full context ends with length")
def raw():
    report = answer("run", "--model", default_model(), "--raw", "--temperature", "0", "--max-tokens", "4",
                    "The capital of France is")
    assert "Paris" in report["text"], report["text"]
    equal(report["usage"]["input"], 5, "tokens of the text")
    control = answer("run", "--model", default_model(), "--raw", "--max-tokens", "1", "<|im_start|>user\nhi<|im_end|>\n")
    equal(control["usage"]["input"], 6, "tokens with control tokens read")
    equal((report["finish_reason"], report["cut"]), ("length", {"by": "max_tokens", "tokens": 4}), "what cut the reply")
    words = ["run", "--model", default_model(), "--raw", "--temperature", "0", "--context", "12", "The capital of France is"]
    full = answer(*words)
    equal((full["finish_reason"], full["cut"]), ("length", {"by": "context", "tokens": 12}), "what cut the reply")
    equal(full["usage"]["input"] + full["usage"]["output"], 12, "tokens in the context")
    for form in [[], ["--json"]]:
        status(run(*words, *form), 0, "the context of 12 tokens is full (5 of the prompt, 7 of the answer)", "Raise --context")
    status(run(*words, "--stats"), 0, "ended by the context of 12 tokens, which is full")
    cut = run(*words, "--max-tokens", "3", "--stats")
    status(cut, 0, "ended by the limit of 3 tokens that was asked for")
    assert "is full" not in cut.stderr, cut.stderr


@check("options that do nothing are named on standard error, and the answer is the same without them")
def idle_options():
    words = ["run", "--model", TINY, "--raw", "--max-tokens", "4", "--seed", "1", "x"]
    status(run(*words, "--draft", "5"), 0, "--draft 5 does nothing here: tokens are drawn")
    greedy = [*words, "--temperature", "0"]
    equal(run(*greedy, "--draft", "5").stderr, "", "warnings where tokens are guessed")
    status(run(*greedy, "--draft", "5", "--repeat-penalty", "1.2"), 0, "--draft 5 does nothing here: repetition is penalised")
    status(run("run", "--model", FIXTURES / "lfm2-f32.gguf", *greedy[3:], "--draft", "5"), 0, "short convolutions")
    packed = FIXTURES / "quant-q4_0.gguf"
    for verb in [["run", *greedy[3:]], ["score", "--text", "hello world"]]:
        idle = [verb[0], "--model", packed, *verb[1:]]
        result = run(*idle, "--quantize", "q8_0")
        status(result, 0, "--quantize q8_0 does nothing here")
        equal(result.stdout, run(*idle).stdout, "what it changes")
    equal(run(*greedy, "--quantize", "q8_0").stderr, "", "warnings where weights are brought into a type")
    equal(run(*greedy[:-3], "--temperature", "0", "smollm2").stderr.count("`--model smollm2`"), 1, "hints at a name for a prompt")


@check("--stats goes to standard error and names kernels, backend and speeds")
def stats():
    result = run("run", "--model", default_model(), "--max-tokens", "4", "--stats", "hi")
    for word in ["kernels", "backend", "blas", "prefill", "decode", "seed"]:
        assert word in result.stderr, f"{word} is not in {result.stderr}"


@check("T-87 a reader that goes away ends the program quietly with 141")
def closed_pipe():
    process = subprocess.Popen([HEARTH, "run", "--model", default_model(), "--max-tokens", "2000", "--temperature", "0",
                                "--repeat-penalty", "1.2", "Tell a long story."],
                               stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    process.stdout.read(10)
    process.stdout.close()
    begun = time.monotonic()
    equal(process.wait(timeout=60), 141, "status")
    assert time.monotonic() - begun < 5, "generation went on"
    equal(process.stderr.read(), b"", "standard error")
    process = subprocess.Popen([HEARTH, "list"], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    process.stdout.close()
    equal((process.wait(timeout=60), process.stderr.read()), (141, b""), "list")


def story(*extra):
    return subprocess.Popen([HEARTH, "run", "--model", default_model(), "--max-tokens", "4000", "--temperature", "0",
                             "--repeat-penalty", "1.2", *extra, "Tell a very long story."],
                            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)


@check("T-88 Ctrl-C during a reply keeps its text and ends with 130, SIGTERM with 143")
def interrupt():
    for number, code in [(signal.SIGINT, 130), (signal.SIGTERM, 143)]:
        process = story()
        first = process.stdout.read(20)
        process.send_signal(number)
        begun = time.monotonic()
        rest, errors = process.communicate(timeout=60)
        equal(process.returncode, code, f"status ({errors!r})")
        assert time.monotonic() - begun < 3, "it took too long to stop"
        assert len(first) == 20
    process = story("--json")
    time.sleep(2)
    process.send_signal(signal.SIGINT)
    out, _ = process.communicate(timeout=60)
    equal(process.returncode, 130, "status with --json")
    report = json.loads(out)
    equal(report["finish_reason"], "cancelled", "reason")
    equal(report["usage"]["output"], len(report["tokens"]), "tokens")
    process = story()
    process.stdout.read(1)
    process.send_signal(signal.SIGINT)
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=60)
    equal(process.returncode, 130, "status after two")


@check("T-88 Ctrl-C during loading ends with 130 at once")
def interrupt_loading():
    process = story()
    maps = pathlib.Path(f"/proc/{process.pid}/maps")
    deadline = time.monotonic() + 20
    while ".gguf" not in maps.read_text() and time.monotonic() < deadline:
        pass
    process.send_signal(signal.SIGINT)
    begun = time.monotonic()
    out, errors = process.communicate(timeout=60)
    equal(process.returncode, 130, f"status ({errors!r})")
    assert time.monotonic() - begun < 3, "it took too long to stop"


@check("T-88 Ctrl-C ends with 130 and SIGTERM with 143 from the moment that the libraries are loaded")
def interrupt_start():
    for number, expected in [(signal.SIGINT, 130), (signal.SIGTERM, 143)]:
        seen = []
        for step in range(24):
            process = subprocess.Popen([HEARTH, "run", "--model", TINY, "--max-tokens", "400", "--seed", "1", "--raw", "x"],
                                       stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            # Until then it is the loader that works, and no line of ours has run: its last act is to hand over.
            status_file = pathlib.Path(f"/proc/{process.pid}/status")
            deadline = time.monotonic() + 20
            while time.monotonic() < deadline and process.poll() is None:
                caught = next(line for line in status_file.read_text().splitlines() if line.startswith("SigCgt:"))
                if int(caught.split()[1], 16) >> (number - 1) & 1:
                    break
            # From before `main` to the middle of loading.
            time.sleep(step * 0.002)
            process.send_signal(number)
            seen.append(process.wait(timeout=60))
        assert set(seen) <= {expected, 0}, f"statuses {seen}; expected {expected}"
        equal(seen[0], expected, "status of the first moment")


@check("T-89 output that is no terminal has no escapes, and pieces come as they are made")
def no_escapes():
    for changes in [{"TERM": "xterm-256color"}, {"TERM": None}, {"NO_COLOR": "1"}]:
        process = subprocess.Popen([HEARTH, "run", "--model", default_model(), "--max-tokens", "80", "--temperature", "0",
                                    "--repeat-penalty", "1.3", "Tell a story."], env=environment(**changes),
                                   stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        arrivals, out = [], b""
        while True:
            piece = os.read(process.stdout.fileno(), 65536)
            if not piece:
                break
            arrivals.append(time.monotonic())
            out += piece
        equal(process.wait(timeout=60), 0, "status")
        errors = process.stderr.read()
        assert b"\x1b" not in out + errors and b"\r" not in out + errors, (out, errors)
        assert len(arrivals) > 10, f"{len(arrivals)} writes arrived"
    with tempfile.TemporaryDirectory() as name:
        result = run("pull", "smollm2", env=environment(HEARTH_MODELS=name, PATH=name))
        assert "\x1b" not in result.stdout + result.stderr and "\r" not in result.stderr, result.stderr


@check("T-91 a prompt is answered beside an open pipe, with closed input, and together with what is piped in")
def standard_input():
    words = ["run", "--model", str(default_model()), "--max-tokens", "4", "--json", "hi"]
    alone = answer(*words[:-2], "hi")["usage"]["input"]
    reader, writer = os.pipe()
    begun = time.monotonic()
    result = subprocess.run([HEARTH, *words], stdin=reader, capture_output=True, text=True, timeout=60)
    os.close(reader)
    os.close(writer)
    equal(result.returncode, 0, "status beside an open pipe")
    assert "standard input" in result.stderr.lower(), result.stderr
    equal(json.loads(result.stdout)["usage"]["input"], alone, "tokens beside an open pipe")
    result = subprocess.run(["sh", "-c", 'exec "$@" <&-', "sh", HEARTH, *words], capture_output=True, text=True, timeout=60)
    equal((result.returncode, result.stderr), (0, ""), "with input closed")
    result = subprocess.run([HEARTH, *words], input="ctx and more of it\n", capture_output=True, text=True, timeout=60)
    assert json.loads(result.stdout)["usage"]["input"] > alone, "what was piped in is missing"
    only = subprocess.run([HEARTH, *words[:-1]], input="hi\n", capture_output=True, text=True, timeout=60)
    equal(json.loads(only.stdout)["usage"]["input"], alone, "the prompt from standard input")
    with tempfile.TemporaryDirectory() as name:
        path = pathlib.Path(name) / "p.txt"
        path.write_text("hi\n")
        from_file = subprocess.run([HEARTH, *words[:-1], "--file", path], stdin=subprocess.DEVNULL, capture_output=True, text=True)
        equal(json.loads(from_file.stdout)["usage"]["input"], alone, "the prompt from --file")
        with open(path) as file:
            both = subprocess.run([HEARTH, *words], stdin=file, capture_output=True, text=True, timeout=60)
        assert json.loads(both.stdout)["usage"]["input"] > alone, "a file on standard input is missing"


@check("doctor, show, list and tokenize give objects with --json")
def objects():
    doctor = answer("doctor")
    assert doctor["kernels"]["set"] in doctor["kernels"]["sets"] and doctor["threads"]["count"] >= 1, doctor
    for part in ["processor", "kernels", "threads", "blas", "store"]:
        assert part in doctor, part
    equal(answer("doctor", env=environment(HEARTH_KERNELS="portable"))["kernels"]["set"], "portable", "forced kernels")
    equal(answer("doctor", env=environment(HEARTH_AVX512="0"))["kernels"]["avx512"], False, "AVX-512 switched off")
    assert "no word for it" not in doctor["kernels"]["avx512_why"], doctor["kernels"]
    odd = answer("doctor", env=environment(HEARTH_AVX512="off"))["kernels"]
    equal(odd["avx512"], doctor["kernels"]["avx512"], "AVX-512 with an unknown word")
    assert "HEARTH_AVX512 is `off`" in odd["avx512_why"] and "0 does without AVX-512" in odd["avx512_why"], odd
    assert "HEARTH_AVX512 is `off`" in run("doctor", env=environment(HEARTH_AVX512="off")).stdout
    assert doctor["memory"]["free_bytes"] > 0 and doctor["memory"]["why"], doctor["memory"]
    equal(answer("doctor", env=environment(HEARTH_MEMORY_CHECK="0"))["memory"],
          {"free_bytes": None, "why": "HEARTH_MEMORY_CHECK is 0: no model is refused"}, "memory without the check")
    status(run("doctor", env=environment(HEARTH_KERNELS="sse9")), 2, "`sse9` is no kernel set")
    shown = answer("show", default_model())
    equal(shown["metadata"]["general.architecture"], "llama", "architecture")
    equal(shown["use"], {"for": "text", "why": None}, "use")
    assert "\nruns here, for text\n" in run("show", default_model()).stdout
    equal(shown["tensors"]["types"]["Q4_1"]["count"], 210, "Q4_1 tensors")
    assert "im_start" in shown["template"]
    assert "capabilities" in shown
    equal([model["name"] for model in answer("list")["models"] if model["default"]], ["smollm2-135m-instruct-q4_1"], "defaults")
    lines = [line for line in run("list").stdout.splitlines() if "(default)" in line]
    equal([line.split()[0] for line in lines], ["smollm2"], "defaults of the table")
    pulled = answer("pull", "smollm2")
    equal([(model["name"], model["result"], model["file"]) for model in pulled["models"]],
          [("smollm2-135m-instruct-q4_1", "ready", str(default_model()))], "what is pulled")
    with tempfile.TemporaryDirectory() as folder:
        small = pathlib.Path(folder) / "small.gguf"
        report = answer("quantize", FIXTURES / "quant-f32.gguf", small, "q8_0")
        equal((report["file"], report["type"]), (str(small), "q8_0"), "what is written")
        assert report["bytes_after"] < report["bytes_before"] / 2 and small.stat().st_size > report["bytes_after"], report
    cases = reference("real/smollm2-135m-instruct-q4_1")["tokenizer"]
    for case in cases:
        if "\0" in case["text"]:
            continue
        equal(answer("tokenize", "--model", default_model(), "--", case["text"])["ids"], case["ids"], repr(case["text"]))
        equal(answer("tokenize", "--model", default_model(), "--special", "--", case["text"])["ids"], case["ids_special"],
              repr(case["text"]))


@check("a file that --logits names is whole or untouched: links stay links, devices devices, nothing is left over")
def logits_target():
    score = ["score", "--model", TINY, "--text", "hello world", "--logits"]
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "real").write_bytes(b"old")
        (folder / "mine.part").write_bytes(b"mine")
        (folder / "link").symlink_to("real")
        (folder / "lost").symlink_to("nowhere/at/all")
        status(run(*score, folder / "link"), 0)
        assert (folder / "link").is_symlink(), "the link was replaced"
        assert (folder / "real").stat().st_size > 1000, "the file behind the link was not written"
        status(run(*score, folder / "mine"), 0)
        equal((folder / "mine.part").read_bytes(), b"mine", "a file of the user's")
        equal((folder / "mine").read_bytes(), (folder / "real").read_bytes(), "the same logits")
        status(run(*score, folder / "lost"), 8, "cannot be written")
        status(run(*score, folder), 8, "directory")
        os.mkfifo(folder / "pipe")
        process = subprocess.Popen([HEARTH, *score, folder / "pipe"], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
        equal((folder / "pipe").read_bytes(), (folder / "real").read_bytes(), "what came through the pipe")
        equal((process.wait(timeout=60), (folder / "pipe").is_fifo()), (0, True), "the pipe")
        equal(sorted(os.listdir(name)), ["link", "lost", "mine", "mine.part", "pipe", "real"], "files left")


@check("T-88 two signals during a score leave no unfinished file")
def interrupt_score():
    with tempfile.TemporaryDirectory() as name:
        text = pathlib.Path(name) / "text"
        text.write_text("word and more. " * 1500)
        process = subprocess.Popen([HEARTH, "score", "--model", default_model(), "--file", text, "--batch", "4096",
                                    "--kernels", "reference", "--logits", pathlib.Path(name) / "out"],
                                   stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        deadline = time.monotonic() + 20
        while len(os.listdir(name)) == 1 and time.monotonic() < deadline:
            time.sleep(0.01)
        equal(len(os.listdir(name)), 2, "the unfinished file, and the text")
        process.send_signal(signal.SIGINT)
        time.sleep(0.1)
        process.send_signal(signal.SIGINT)
        equal(process.wait(timeout=20), 130, "status")
        equal(os.listdir(name), ["text"], "files left")


@check("T-44 weights that are no numbers end a score with 4, in both forms of output")
def unusable_weights():
    with tempfile.TemporaryDirectory() as name:
        path = pathlib.Path(name) / "nan.gguf"
        whole = TINY.read_bytes()
        # Every float of the second half becomes NaN: no position is spared.
        half = len(whole) // 2 // 4 * 4
        path.write_bytes(whole[:half] + b"\xff\xff\xff\x7f" * ((len(whole) - half) // 4))
        for form in [[], ["--json"]]:
            result = run("score", "--model", path, "--text", "hello world", *form)
            equal(result.returncode, 4, f"status ({result.stdout} {result.stderr})")
            assert "NaN" in result.stdout + result.stderr, result


@check("standard input that does not block is waited for")
def non_blocking_input():
    for words in [["hello"], []]:
        end, writer = os.pipe()
        os.set_blocking(end, False)
        process = subprocess.Popen([HEARTH, "run", "--model", TINY, "--raw", "--max-tokens", "2", *words], stdin=end,
                                   stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        os.close(end)
        os.write(writer, b"one ")
        time.sleep(0.3)
        os.write(writer, b"two")
        os.close(writer)
        _, errors = process.communicate(timeout=60)
        equal(process.returncode, 0, f"status ({errors!r})")


main()
