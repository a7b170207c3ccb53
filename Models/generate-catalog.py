#!/usr/bin/env python3
"""Writes Sources/HearthModels/CatalogueTable.swift from Models/catalog.json.

    python3 Models/generate-catalog.py            # write it
    python3 Models/generate-catalog.py --check    # only say whether it is up to date

The test `The table in the source says what Models/catalog.json says` compares the two.
"""
import json
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
TABLE = HERE.parent / "Sources" / "HearthModels" / "CatalogueTable.swift"


def text(value):
    return '"%s"' % value.replace("\\", "\\\\").replace('"', '\\"')


def texts(values):
    return "[%s]" % ", ".join(text(v) for v in values)


def number(value):
    return f"{value:_}"


def pieces(entry, indent):
    return [
        "%sWheelPiece(package: %s, version: %s, entry: %s),"
        % (indent, text(p["package"]), text(p["version"]), text(p["entry"]))
        for p in entry["pieces"]
    ]


def source(entry):
    if entry["kind"] == "wheels":
        return ["                .wheels([", *pieces(entry, " " * 20), "                ]),"]
    if entry["kind"] == "archivedFile":
        return [
            "                .archivedFile(",
            "                    ArchivedFile(",
            "                        pieces: [",
            *pieces(entry, " " * 28),
            "                        ], size: %s, offset: %s," % (number(entry["size"]), number(entry["offset"])),
            "                        entry: %s))," % text(entry["entry"]),
        ]
    if entry["kind"] in ("sourcePackage", "wheelFolder"):
        return [
            "                .%s(" % entry["kind"],
            "                    PackagedFiles(",
            "                        package: %s, version: %s, size: %s,"
            % (text(entry["package"]), text(entry["version"]), number(entry["size"])),
            "                        sha256: %s," % text(entry["sha256"]),
            "                        folder: %s, keep: %s)),"
            % (text(entry["folder"]), texts(entry["keep"])),
        ]
    sys.exit("generate-catalog: unknown kind of source: %s" % entry["kind"])


def model(entry):
    lines = [
        "        CatalogueEntry(",
        "            name: %s, aliases: %s," % (text(entry["name"]), texts(entry["aliases"])),
        "            about: %s," % text(entry["about"]),
        "            licence: %s," % text(entry["licence"]),
        "            form: .%s, size: %s, isForTests: %s,"
        % (entry["form"], number(entry["size"]), str(entry["tests"]).lower()),
        "            files: [",
    ]
    for file in entry["files"]:
        lines += [
            "                ExpectedFile(",
            "                    path: %s, size: %s," % (text(file["path"]), number(file["size"])),
            "                    sha256: %s)," % text(file["sha256"]),
        ]
    lines += ["            ],", "            sources: ["]
    for item in entry["sources"]:
        lines += source(item)
    return lines + ["            ]),"]


def table(catalogue):
    lines = [
        "// Written by Models/generate-catalog.py from Models/catalog.json: change that and run it again.",
        "// swift-format-ignore-file",
        "",
        "extension Catalogue {",
        "    /// The models that this version knows.",
        "    package static let builtIn = Catalogue(default: %s, entries: [" % text(catalogue["default"]),
    ]
    for entry in catalogue["models"]:
        lines += model(entry)
    return "\n".join(lines + ["    ])", "}", ""])


def main():
    new = table(json.loads((HERE / "catalog.json").read_text()))
    if sys.argv[1:] == ["--check"]:
        if not TABLE.exists() or TABLE.read_text() != new:
            sys.exit("generate-catalog: %s is not up to date; run Models/generate-catalog.py" % TABLE.name)
        return
    if sys.argv[1:]:
        sys.exit(__doc__)
    TABLE.write_text(new)


main()
