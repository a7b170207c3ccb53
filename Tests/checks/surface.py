"""Reads the public surface of FoundationModels as the compiler prints it, and compares it with a list of declarations."""
import json
import pathlib
import re
import shutil
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
LIST = ROOT / "Tests/FoundationModelsTests/surface.txt"
# Printed by no symbol graph; calls and conformances that compile hold them (OverloadTests, SurfaceTests).
UNPRINTED = re.compile(r"unavailable|\b__|^macro ")


def normal(text):
    """A declaration in one spelling: no attributes and modifiers that do not matter, types without their parents."""
    text = re.sub(r"\s+#.*$", "", text)
    text = re.sub(r"@(_\w+(\(\w+\))?|frozen|nonexhaustive|attached\([^@]*?\)\)?)\s*", "", text)
    text = re.sub(r"= #externalMacro\(.*\)$", "", text)
    text = text.replace("nonisolated(nonsending)", "")
    text = re.sub(r"\b(public|final|convenience|nonisolated)\s+", "", text)
    text = text.replace("`", "")
    text = re.sub(r"\b(\w+\.)+(?=[A-Z])", "", text)  # parents of types
    text = re.sub(r"@(?:\w+\.)?(?=\w+Builder)", "@", text)
    text = re.sub(r"^(static )?let (\w+: [^{]*)$", r"\1var \2 { get }", text.strip())
    text = re.sub(r"^((?:static |unowned |weak )?var \w+: [^{]*)$", r"\1 { get set }", text.strip())
    text = re.sub(r"(?<=[(,])\s*((?:@\w+ )*)(\w+|_) \w+\s*:", r" \1\2:", text)  # inner names
    text = re.sub(r"\bcase (\w+)\(_: ", r"case \1(", text)
    text = re.sub(r"\bwhere (.*)$", lambda m: "where " + ", ".join(sorted(re.split(r",\s*", m[1]))), text)
    text = re.sub(r"\s+", " ", text)
    return re.sub(r"\s*([:,(){}<>\[\]=&|@.!?]|->)\s*", r"\1", text).strip()


def split_type(text):
    """A type's declaration without what it conforms to, and that list."""
    match = re.match(r"^(.*?\b(?:struct|class|enum|protocol|extension) [\w.]+(?:<[^>]*>)?)\s*:\s*(.*?)(\s+where .*)?$", text)
    if not match:
        return text, []
    names = [part.strip() for part in re.split(r",(?![^<]*>)", match[2])]
    return match[1] + (match[3] or ""), names


def expected(lines):
    for number, line in enumerate(lines, 1):
        if not line.strip() or line.startswith("# Apple only"):
            if line.startswith("# Apple only"):
                return
            continue
        if line.startswith("#"):
            continue
        tag, path, declaration = (part.strip() for part in line.split("|", 2))
        yield number, tag, path, declaration


def graph(modules):
    tool = pathlib.Path(shutil.which("swiftc")).resolve().parent / "swift-symbolgraph-extract"
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(
            [tool, "-module-name", "FoundationModels", "-target", "x86_64-unknown-linux-gnu", "-I", modules,
             "-minimum-access-level", "public", "-skip-synthesized-members", "-output-dir", folder],
            check=True, capture_output=True, text=True)
        graphs = [json.loads(path.read_text()) for path in sorted(pathlib.Path(folder).glob("*.symbols.json"))]
    declarations, conformances, paths = set(), set(), {}
    for one in graphs:
        for symbol in one["symbols"]:
            paths[symbol["identifier"]["precise"]] = ".".join(symbol["pathComponents"])
    for one in graphs:
        for symbol in one["symbols"]:
            text = "".join(part["spelling"] for part in symbol["declarationFragments"])
            parents = symbol["pathComponents"][:-1]
            if symbol["kind"]["identifier"].split(".")[-1] in ("struct", "class", "enum", "protocol"):
                parents = symbol["pathComponents"]
                text = split_type(text)[0]
            declarations.add((".".join(parents), normal(text)))
        for relation in one["relationships"]:
            if relation["kind"] in ("conformsTo", "inheritsFrom"):
                source = paths.get(relation["source"]) or relation.get("sourceOrigin", {}).get("displayName") or outside(relation["source"])
                target = paths.get(relation["target"]) or relation.get("targetFallback") or relation["target"]
                conformances.add((source, target.split(".")[-1]))
    return declarations, conformances


def outside(identifier):
    """The name of a type of another module, out of its mangled name."""
    known = {"s:Sb": "Bool", "s:SS": "String", "s:Si": "Int", "s:Sf": "Float", "s:Sd": "Double", "s:Sa": "Array", "s:Sq": "Optional",
             "s:s5NeverO": "Never", "s:So9NSDecimala": "Decimal", "s:10Foundation7DecimalV": "Decimal"}
    return known.get(identifier, "Decimal" if "Decimal" in identifier else identifier)


def compare(surface, lines):
    """How many lines were compared, and those that the module does not have: (number, path, declaration, is a guess, problems)."""
    declarations, conformances = surface
    # A conformance may be inherited, or stand in two conformances for an alias.
    aliases = {"Codable": ["Encodable", "Decodable"]}
    inherited = {"LocalizedError": ["Error"], "Comparable": ["Equatable"], "Hashable": ["Equatable"],
                 "RandomAccessCollection": ["Sequence", "Collection"], "Generable": ["ConvertibleFromGeneratedContent", "ConvertibleToGeneratedContent"]}

    def conforms(path, name):
        if (path, name) in conformances:
            return True
        return any((path, strong) in conformances for strong, weak in inherited.items() if name in weak)

    missing, count = [], 0
    for number, tag, path, declaration in expected(lines):
        if UNPRINTED.search(declaration) or path == "-":
            continue
        count += 1
        is_guess = "# guess" in declaration
        text = re.sub(r"\s+#.*$", "", declaration)
        bare, names = split_type(text)
        place = re.sub(r"^extension ", "", path).split(" where ")[0].strip()
        constraint = path.split(" where ", 1)[1] if " where " in path else None
        problems = []
        for name in names:
            name = name.replace("@unchecked ", "").split(".")[-1]
            for part in aliases.get(name, [name]):
                if part not in ("SendableMetatype", "Sendable", "UInt32") and not conforms(place, part):
                    problems.append(f"does not conform to {part}")
        if not bare.startswith("extension"):
            wanted = normal(bare)
            spellings = {wanted}
            if constraint:
                spellings.add(normal(f"{bare} where {constraint}"))
                spellings.add(normal(f"{bare} where {constraint.replace('Self.', '')}"))
            if not any((place, spelling) in declarations for spelling in spellings):
                problems.append("is missing")
        if problems:
            missing.append((number, path, declaration, is_guess, problems))
    return count, missing
