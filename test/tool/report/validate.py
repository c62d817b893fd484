#!/usr/bin/env python3
"""Reports against what is public: JSON by its schema (jsonschema), BCF by buildingSMART's schemas and by a reader of
others (bcf-client, which has both; xmlschema), CSV by Python's own reader. Exit code 77: modules are missing.

    validate.py json SCHEMA FILE...
    validate.py bcf FILE...
    validate.py csv FILE EXPECTED.json   # the names and numbers that JSON has
"""
import csv
import io
import json
import os
import sys
import zipfile


def skip(module):
    print(f"skipped: the Python module {module} is not there")
    sys.exit(77)


def check_json(schema_file, files):
    try:
        import jsonschema
    except ImportError:
        skip("jsonschema")
    with open(schema_file, encoding="utf-8") as f:
        schema = json.load(f)
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)
    for name in files:
        with open(name, encoding="utf-8") as f:
            document = json.load(f)
        errors = sorted(validator.iter_errors(document), key=str)
        for error in errors[:5]:
            print(f"{name}: {'/'.join(map(str, error.absolute_path))}: {error.message[:300]}")
        if errors:
            sys.exit(1)


def check_bcf(files):
    try:
        import xmlschema
    except ImportError:
        skip("xmlschema")
    try:
        import bcf
        from bcf.v2.bcfxml import BcfXml
    except ImportError:
        skip("bcf-client")
    folder = os.path.join(os.path.dirname(bcf.__file__), "v2", "xsd")
    if not os.path.isdir(folder):
        skip("bcf-client with its schemas (0.7.10)")
    schemas = {
        end: xmlschema.XMLSchema(os.path.join(folder, name))
        for end, name in (("bcf.version", "version.xsd"), ("markup.bcf", "markup.xsd"), (".bcfv", "visinfo.xsd"))
    }
    for name in files:
        with zipfile.ZipFile(name) as archive:
            if archive.testzip():
                sys.exit(f"{name}: damaged")
            for entry in archive.namelist():
                for end, schema in schemas.items():
                    if entry.endswith(end):
                        schema.validate(io.BytesIO(archive.read(entry)))
                if entry.endswith(".png") and not archive.read(entry).startswith(b"\x89PNG"):
                    sys.exit(f"{name}: {entry} is no PNG file")
            markups = sum(entry.endswith("/markup.bcf") for entry in archive.namelist())
        project = BcfXml.load(name)
        topics = project.topics
        if len(topics) != markups:
            sys.exit(f"{name}: the reader finds {len(topics)} topics of {markups}")
        for topic in topics.values():
            if not topic.viewpoints:
                sys.exit(f"{name}: a topic without a viewpoint")
        print(f"{name}: {markups} topics")


def check_csv(name, expected):
    def plain(text):
        return text[1:] if text.startswith("'") else text

    with open(expected, encoding="utf-8") as f:
        findings = json.load(f)["findings"]
    with open(name, encoding="utf-8", newline="") as f:
        rows = list(csv.DictReader(f))
    if len(rows) != len(findings):
        sys.exit(f"{name}: {len(rows)} lines instead of {len(findings)}")
    for row, finding in zip(rows, findings):
        if row["name_a"][:1] in "=+-@\t" and row["name_a"]:
            sys.exit(f"{name}: a name that a spreadsheet would compute: {row['name_a']!r}")
        for side in "ab":
            for key in ("file", "name"):
                if plain(row[f"{key}_{side}"]) != finding[side][key]:
                    sys.exit(f"{name}: {row[f'{key}_{side}']!r} instead of {finding[side][key]!r}")
        if row["kind"] != finding["kind"]:
            sys.exit(f"{name}: {row['kind']} instead of {finding['kind']}")
        if [float(row[axis]) for axis in "xyz"] != finding["place"]:
            sys.exit(f"{name}: another place than {finding['place']}")
        depth = finding.get("depth")
        if depth and float(row["depth_lower"]) != depth["lower"]:
            sys.exit(f"{name}: {row['depth_lower']} instead of {depth['lower']}")


if __name__ == "__main__":
    what, rest = sys.argv[1], sys.argv[2:]
    if what == "json":
        check_json(rest[0], rest[1:])
    elif what == "bcf":
        check_bcf(rest)
    else:
        check_csv(*rest)
