"""The examples of the pages are Python, and name nothing that the package does not have."""

import ast
import dataclasses
import re
import unittest
from pathlib import Path

import pathmonitor

PAGES = [Path(__file__).resolve().parents[2] / name for name in ("README.md", "docs/python.md")]


class Pages(unittest.TestCase):
    def test_the_examples_use_what_there_is(self):
        fields = {one.name for kind in (pathmonitor.NetworkPath, pathmonitor.Interface) for one in dataclasses.fields(kind)}
        known = {
            "pathmonitor": set(pathmonitor.__all__),
            "path": fields | set(dir(pathmonitor.NetworkPath)),
            "link": {"is_lost", "path"},
            "error": {"message", "advice", "path"},
        }
        used = set()
        for page in PAGES:
            text = page.read_text()
            for example in re.findall(r"^```python\n(.*?)^```", text, re.MULTILINE | re.DOTALL):
                for node in ast.walk(ast.parse(example)):
                    if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
                        used.add((node.value.id, node.attr))
            # Names between backticks, on the page of the package alone.
            if page.name == "python.md":
                used |= set(re.findall(r"`(\w+)\.(\w+)[^`]*`", text))
        used = {(name, attribute) for name, attribute in used if name in known}
        self.assertEqual({one for one in used if one[1] not in known[one[0]]}, set())
        self.assertGreater(len(used), 12)
