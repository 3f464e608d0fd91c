"""The example `careful-copy`: with a menu on a pty, in a pipe, with JSON, and on a file system that is full."""

import json
import os
import pty
import subprocess
import tempfile
import unittest
from pathlib import Path

import stage

PROGRAM = stage.PROGRAMS / "careful-copy"


class Menu:
    """The program with a terminal as its input, output and errors."""

    def __init__(self, test, *arguments):
        self.pid, self.descriptor = pty.fork()
        if self.pid == 0:
            os.execv(PROGRAM, [str(PROGRAM), *map(str, arguments)])
        self.screen = b""
        test.addCleanup(os.close, self.descriptor)

    def wait_for(self, text):
        """Reads until the text has come."""
        while text not in self.screen:
            self.screen += os.read(self.descriptor, 4096)

    def type(self, text):
        os.write(self.descriptor, text)

    def status(self):
        return os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])


class CarefulCopyTests(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.source, self.target = self.folder / "letter", self.folder / "copy"
        self.source.write_text("new")
        self.target.write_text("old")

    def run_piped(self, *arguments):
        command = [PROGRAM, *arguments]
        return subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=stage.PATIENCE)

    def test_a_menu_asks_until_the_answer_is_one_of_its_numbers(self):
        menu = Menu(self, self.source, self.target)
        menu.wait_for(b"  1  Replace It\r\n  2  Keep Both\r\n  3  Cancel\r\nChoose 1 to 3: ")
        menu.type(b"7\n")
        menu.wait_for(b"7\r\nChoose 1 to 3: ")
        menu.type(b"1\n")
        self.assertEqual(menu.status(), 0)
        self.assertEqual(self.target.read_text(), "new")

    def test_keeping_both_writes_beside_the_file(self):
        menu = Menu(self, self.source, self.target)
        menu.wait_for(b"Choose 1 to 3: ")
        menu.type(b"2\n")
        self.assertEqual(menu.status(), 0)
        self.assertEqual(self.target.read_text(), "old")
        self.assertEqual((self.folder / "copy 2").read_text(), "new")

    def test_the_end_of_the_input_gives_up(self):
        menu = Menu(self, self.source, self.target)
        menu.wait_for(b"Choose 1 to 3: ")
        menu.type(b"\x04")
        self.assertEqual(menu.status(), 65)
        self.assertEqual(self.target.read_text(), "old")

    def test_without_a_terminal_there_is_one_line_and_a_status(self):
        result = self.run_piped(self.source, self.target)
        self.assertEqual(
            (result.returncode, result.stderr),
            (
                65,
                f'careful-copy: There is already a file "{self.target}". Or: --choose replace, --choose keep-both.\n',
            ),
        )

    def test_a_script_chooses_by_identifier(self):
        result = self.run_piped("--choose", "replace", self.source, self.target)
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        self.assertEqual(self.target.read_text(), "new")

    def test_a_program_reads_json(self):
        result = self.run_piped("--json", self.source, self.target)
        error = json.loads(result.stderr)
        self.assertEqual(result.returncode, 65)
        self.assertEqual(error["category"], "user's mistake")
        self.assertEqual([option["id"] for option in error["options"]], ["replace", "keep-both", "cancel"])

    def test_a_name_cannot_garble_the_terminal(self):
        result = self.run_piped(self.source, self.folder / "a\x1b[2J\nb" / "c")
        self.assertEqual(result.stderr.count("\n"), 1)
        self.assertNotIn("\x1b", result.stderr)
        self.assertEqual(result.returncode, 70)

    def test_a_missing_source_and_a_wrong_command_line_have_a_status_of_their_own(self):
        self.assertEqual(self.run_piped(self.folder / "missing", self.folder / "x").returncode, 65)
        self.assertEqual(self.run_piped(self.source).returncode, 64)

    @unittest.skipUnless(os.geteuid() == 0, "mounting a small file system needs root")
    def test_after_space_was_made_trying_again_succeeds(self):
        small = self.folder / "small"
        small.mkdir()
        subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", small], check=True)
        self.addCleanup(subprocess.run, ["umount", small], check=True)
        self.source.write_bytes(b"x" * 40_000)
        (small / "filler").write_bytes(b"x" * 40_000)
        menu = Menu(self, self.source, small / "copy")
        menu.wait_for(b"no space left")
        menu.wait_for(b"  1  Try Again\r\n  2  Cancel\r\nChoose 1 to 2: ")
        (small / "filler").unlink()
        menu.type(b"1\n")
        self.assertEqual(menu.status(), 0)
        self.assertEqual((small / "copy").read_bytes(), b"x" * 40_000)


if __name__ == "__main__":
    unittest.main()
