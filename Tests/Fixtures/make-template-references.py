#!/usr/bin/env python3
"""Renders every chat template of llama-cpp-vocabs over a table of conversations with PyPI's jinja2, set up as
transformers does (apply_chat_template), and writes the prompts.

    pip install jinja2==3.1.6
    python3 make-template-references.py STORE/llama-cpp-vocabs/templates references/all-templates.json

The file keeps each line of text once: a prompt is a list of line numbers, joined by newlines. `strftime_now` is pinned.
Where a template refuses a conversation through raise_exception, its message is kept; where Python raises anything else,
`fails` is kept, and an engine has to refuse too. The sha256 of each template tells whether it is still the same."""

import datetime
import hashlib
import json
import os
import sys

import jinja2
import jinja2.ext
import jinja2.sandbox

NOW = datetime.datetime(2025, 1, 15, 12, 0, 0)

WEATHER = {"type": "function", "function": {
    "name": "get_weather", "description": "Current weather of a city",
    "parameters": {"type": "object", "properties": {
        "city": {"type": "string", "description": "Name of the city"},
        "unit": {"type": "string", "enum": ["celsius", "fahrenheit"]},
        "days": {"type": "integer", "default": 1}}, "required": ["city"]}}}
SEARCH = {"type": "function", "function": {
    "name": "search", "description": "Searches <notes> & \"files\"",
    "parameters": {"type": "object", "properties": {
        "query": {"type": "object", "description": "What to look for", "properties": {
            "words": {"type": "array", "items": {"type": "string"}},
            "limit": {"type": ["integer", "null"]}, "exact": {"type": "boolean"},
            "weight": {"type": "number"}}, "required": ["words"]},
        "tags": {"type": "array", "items": {"type": "string", "enum": ["a", "b"]}}}, "required": []}}}
NOTHING = {"type": "function", "function": {
    "name": "now", "description": "The time", "parameters": {"type": "object", "properties": {}}}}


def call(identity, name, arguments):
    return {"id": identity, "type": "function", "function": {"name": name, "arguments": arguments}}


ASK = {"role": "user", "content": "How warm is it in Zürich?"}
SYSTEM = {"role": "system", "content": "Be brief.\n\nAnd kind."}
CALLS = {"role": "assistant", "content": "", "tool_calls": [
    call("call00001", "get_weather", {"city": "Zürich \"north\"", "unit": "celsius", "days": 2})]}
RESULT = {"role": "tool", "name": "get_weather", "tool_call_id": "call00001", "content": "{\"temperature\": 21.5}"}

CONVERSATIONS = {
    "user": dict(messages=[ASK], add_generation_prompt=True),
    "user-bare": dict(messages=[{"role": "user", "content": "  'Hi' <b>&amp;</b>\n"}], add_generation_prompt=False),
    "turns": dict(messages=[SYSTEM, {"role": "user", "content": " Hi! "}, {"role": "assistant", "content": "Hello."},
                            {"role": "user", "content": "Who are you?\n"}], add_generation_prompt=True),
    "turns-closed": dict(messages=[{"role": "user", "content": "Hi"}, {"role": "assistant", "content": " Hello \n"},
                                   {"role": "user", "content": "Bye"}, {"role": "assistant", "content": "Bye!"}],
                         add_generation_prompt=False),
    "tools": dict(messages=[ASK], tools=[WEATHER], add_generation_prompt=True),
    "tools-many": dict(messages=[SYSTEM, ASK], tools=[WEATHER, SEARCH, NOTHING], add_generation_prompt=True),
    "tool-result": dict(messages=[SYSTEM, ASK, CALLS, RESULT], tools=[WEATHER], add_generation_prompt=True),
    "tool-rounds": dict(messages=[
        ASK, CALLS, RESULT, {"role": "assistant", "content": "21.5 degrees."}, {"role": "user", "content": "And both notes?"},
        {"role": "assistant", "content": "Let me look.", "tool_calls": [
            call("call00002", "search", {"query": {"words": ["a", "b"], "limit": None, "exact": True, "weight": 0.5}, "tags": []}),
            call("call00003", "now", {})]},
        {"role": "tool", "name": "search", "tool_call_id": "call00002", "content": "none"},
        {"role": "tool", "name": "now", "tool_call_id": "call00003", "content": "12:00"}],
        tools=[WEATHER, SEARCH, NOTHING], add_generation_prompt=True),
    "reasoning": dict(messages=[
        {"role": "user", "content": "2+2?"},
        {"role": "assistant", "reasoning_content": "Two and two.", "thinking": "Two and two.", "content": "4"},
        {"role": "user", "content": "And 3+3?"},
        {"role": "assistant", "reasoning_content": "Three\nthree.", "thinking": "Three\nthree.", "content": "6"}],
        add_generation_prompt=False),
    "reasoning-inline": dict(messages=[
        {"role": "user", "content": "2+2?"},
        {"role": "assistant", "content": "<think>\nTwo and two.\n</think>\n\n4"},
        {"role": "user", "content": "And 3+3?"}], add_generation_prompt=True),
    "reasoning-tools": dict(messages=[
        ASK, dict(CALLS, reasoning_content="I need the tool.", thinking="I need the tool."), RESULT],
        tools=[WEATHER], add_generation_prompt=True, enable_thinking=True),
    "thinking-off": dict(messages=[SYSTEM, ASK], add_generation_prompt=True, enable_thinking=False,
                         reasoning_effort="low"),
    "parts": dict(messages=[
        {"role": "system", "content": [{"type": "text", "text": "Be brief."}]},
        {"role": "user", "content": [{"type": "image"}, {"type": "text", "text": "What is this?"}]}],
        add_generation_prompt=True),
    "system-only": dict(messages=[SYSTEM], add_generation_prompt=True),
    "same-role-twice": dict(messages=[ASK, ASK], add_generation_prompt=True),
    "developer": dict(messages=[{"role": "developer", "content": "Be brief."}, ASK], add_generation_prompt=True),
}


class AssistantTracker(jinja2.ext.Extension):
    tags = {"generation"}

    def parse(self, parser):
        line = next(parser.stream).lineno
        body = parser.parse_statements(["name:endgeneration"], drop_needle=True)
        return jinja2.nodes.CallBlock(self.call_method("_through"), [], [], body).set_lineno(line)

    def _through(self, caller):
        return caller()


def environment():
    def stop(message):
        raise Refusal(message)

    def tojson(x, ensure_ascii=False, indent=None, separators=None, sort_keys=False):
        return json.dumps(x, ensure_ascii=ensure_ascii, indent=indent, separators=separators, sort_keys=sort_keys)

    env = jinja2.sandbox.ImmutableSandboxedEnvironment(
        trim_blocks=True, lstrip_blocks=True, extensions=[AssistantTracker, jinja2.ext.loopcontrols])
    env.filters["tojson"] = tojson
    env.globals["raise_exception"] = stop
    env.globals["strftime_now"] = NOW.strftime
    return env


class Refusal(jinja2.exceptions.TemplateError):
    pass


def main(folder, out):
    lines, numbers = [], {}

    def number(line):
        if line not in numbers:
            numbers[line] = len(lines)
            lines.append(line)
        return numbers[line]

    templates = []
    env = environment()
    for name in sorted(os.listdir(folder)):
        if not name.endswith(".jinja"):
            continue
        data = open(os.path.join(folder, name), "rb").read()
        entry = {"template": name, "sha256": hashlib.sha256(data).hexdigest(), "cases": {}}
        template = env.from_string(data.decode())
        for key, conversation in CONVERSATIONS.items():
            context = {"tools": None, "documents": None, "bos_token": "<BOS>", "eos_token": "<EOS>"}
            context.update(json.loads(json.dumps(conversation)))
            try:
                text = template.render(**context)
                entry["cases"][key] = [number(line) for line in text.split("\n")]
            except Refusal as error:
                entry["cases"][key] = {"raised": str(error)}
            except Exception as error:
                entry["cases"][key] = {"fails": "%s: %s" % (type(error).__name__, str(error)[:80])}
        templates.append(entry)
    result = {"reference": "jinja2 " + jinja2.__version__, "strftime_now": NOW.isoformat(),
              "conversations": CONVERSATIONS, "lines": lines, "templates": templates}
    with open(out, "w") as file:
        json.dump(result, file, ensure_ascii=False, separators=(",", ":"))
        file.write("\n")


main(*sys.argv[1:])
