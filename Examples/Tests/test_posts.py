"""The example `posts` on a terminal: in tmux, whose screen is looked at, on a bare pty, and without a terminal."""

import json
import os
import pty
import shlex
import signal
import subprocess
import termios
import time
import unittest

import stage

POSTS = stage.PROGRAMS / "posts"
URL = f"{stage.SERVER}/posts.json"


def processor_time(pid):
    """How many seconds a process has computed."""
    with open(f"/proc/{pid}/stat") as file:
        fields = file.read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


class Tmux:
    """A terminal of 70 × 14 characters, in which a shell runs the program and then tells how it ended."""

    def __init__(self, test, *arguments, environment=()):
        self.socket = test.stage.folder / "tmux"
        self.log = test.stage.folder / "output"
        program = shlex.join(test.stage.inside("env", *environment, POSTS, *arguments))
        modes = f"stty -g >{self.log}"
        script = f"sleep 0.1; echo before; {modes}.before; {program}; echo ended with $?; {modes}.after; cat"
        self.run("-f", "/dev/null", "new-session", "-d", "-x", "70", "-y", "14", script)
        self.run("pipe-pane", "-o", f"cat >{self.log}")
        test.addCleanup(self.run, "kill-server")

    def run(self, *arguments):
        command = ["tmux", "-S", str(self.socket), *arguments]
        return subprocess.run(command, check=True, capture_output=True, text=True, timeout=10).stdout

    def press(self, *keys):
        self.run("send-keys", *keys)

    def screen(self):
        return self.run("capture-pane", "-p")

    def output(self):
        """Everything that was sent to the terminal so far."""
        return self.log.read_bytes()

    def wait_for(self, *texts):
        """Waits until all of the texts are on the screen; the screen."""
        stage.wait_until(
            lambda: all(text in self.screen() for text in texts),
            lambda: f"{texts} did not come; the screen:\n{self.screen()}",
        )
        return self.screen()


class TerminalTests(stage.StageTestCase):
    def publish(self, *titles):
        self.publish_text(json.dumps([{"title": title, "body": f"About {title}."} for title in titles]))

    def publish_text(self, text):
        (self.stage.website / "posts.json").write_text(text)

    def test_online_at_launch_the_list_is_shown(self):
        self.publish("First", "Second")
        screen = Tmux(self, URL).wait_for(" > First", "Second", "read at ")
        self.assertNotIn("Offline", screen)

    def test_offline_at_launch_a_page_says_so_and_the_list_comes_by_itself(self):
        self.publish("First")
        self.stage.pull_cable()
        terminal = Tmux(self, URL)
        terminal.wait_for("\n Offline\n", "No cable is plugged in")
        self.assertEqual(self.stage.requests(), 0)
        self.stage.plug_cable()
        self.assertNotIn("Offline", terminal.wait_for(" > First"))
        self.assertEqual(self.stage.requests(), 1)

    def test_a_path_that_cannot_be_told_keeps_nobody_from_reading(self):
        self.publish("First")
        terminal = Tmux(self, URL, environment=["PATHMONITOR_SIMULATE=unknown"])
        self.assertNotIn("ffline", terminal.wait_for(" > First"))

    def test_a_loss_keeps_the_list_and_the_return_refreshes_it(self):
        self.publish("Old")
        terminal = Tmux(self, URL)
        terminal.wait_for(" > Old")
        self.stage.pull_cable()
        terminal.wait_for("Offline since ", "no cable is plugged in", "the list as it was at ", " > Old")
        self.publish("New", "Old")
        self.stage.plug_cable()
        screen = terminal.wait_for("   New", " > Old")
        self.assertNotIn("Offline", screen)
        # Each page came once: nothing flickered.
        self.assertEqual(terminal.output().count(b"Offline since"), 1)
        self.assertEqual(self.stage.requests(), 2)

    def test_a_moment_without_a_route_is_not_shown(self):
        self.publish("First")
        terminal = Tmux(self, URL)
        terminal.wait_for(" > First")
        for _ in range(5):
            self.stage.pair.configure(f"route del default\nroute add default via {stage.namespaces.GATEWAY}")
        # What comes after them all: had they been shown, it would have been before this.
        self.stage.pull_cable()
        terminal.wait_for("no cable is plugged in")
        self.assertEqual(terminal.output().count(b"Offline since"), 1)
        self.assertNotIn(b"no way to the Internet", terminal.output())

    def test_keys_select_and_open_posts_and_refresh_the_list(self):
        self.publish("First", "Second")
        terminal = Tmux(self, URL)
        terminal.wait_for(" > First")
        terminal.press("j")
        terminal.wait_for(" > Second")
        terminal.press("Up", "Down", "Enter")
        terminal.wait_for(" About Second.", "Esc back")
        terminal.press("Escape")
        terminal.wait_for(" > Second")
        self.publish("Third")
        terminal.press("r")
        terminal.wait_for(" > Third")

    def test_r_reads_from_a_server_next_door_without_a_way_to_the_internet(self):
        self.publish("First")
        self.stage.pair.configure("route del default")
        terminal = Tmux(self, URL)
        terminal.wait_for("\n Offline\n", "The posts appear by themselves")
        self.assertEqual(self.stage.requests(), 0)
        terminal.press("r")
        terminal.wait_for("Offline since ", " > First")

    def test_the_page_follows_the_size_of_the_terminal(self):
        self.publish("A title that is longer than a narrow terminal can show")
        terminal = Tmux(self, URL)
        terminal.wait_for("narrow terminal can show", "q quit")
        terminal.run("resize-window", "-x", "30", "-y", "6")
        terminal.wait_for(" > A title that is longer tha…", " r refresh")
        terminal.run("resize-window", "-x", "100", "-y", "30")
        terminal.wait_for("narrow terminal can show", "q quit")

    def assert_restored(self, terminal, status):
        screen = terminal.wait_for(f"ended with {status}")
        self.assertIn("before\n", screen)
        state = terminal.run("display-message", "-p", "#{alternate_on} #{cursor_flag} #{keypad_cursor_flag}")
        self.assertEqual(state.strip(), "0 1 0")
        stage.wait_until(lambda: (self.stage.folder / "output.after").exists(), lambda: "the shell did not go on")
        modes = [(self.stage.folder / f"output.{when}").read_text() for when in ("before", "after")]
        self.assertEqual(*modes)

    def test_q_gives_the_terminal_back(self):
        self.publish("First")
        terminal = Tmux(self, URL)
        terminal.wait_for(" > First")
        terminal.press("q")
        self.assert_restored(terminal, 0)

    def test_an_interrupt_gives_the_terminal_back(self):
        self.publish("First")
        terminal = Tmux(self, URL)
        terminal.wait_for(" > First")
        terminal.press("C-c")
        self.assert_restored(terminal, 130)

    def test_a_termination_gives_the_terminal_back(self):
        self.stage.pull_cable()
        terminal = Tmux(self, URL)
        terminal.wait_for("\n Offline\n")
        pids = subprocess.run(["ip", "netns", "pids", self.stage.pair.near], capture_output=True, text=True).stdout
        for pid in pids.split():
            if os.readlink(f"/proc/{pid}/exe").endswith("/posts"):
                os.kill(int(pid), signal.SIGTERM)
        self.assert_restored(terminal, 143)

    def test_what_a_server_does_wrong_is_said_and_is_not_offline(self):
        terminal = Tmux(self, URL)
        terminal.wait_for("it answered 404", "Press r to try again.")
        for text, sentence in [
            ("<html>", "What the server sent is not JSON."),
            ("{}", "What the server sent is not a list of posts."),
            ('[{"title": "T"}]', "Post 1 of the list has no 'body'."),
            ("[]", "The list is empty"),
        ]:
            self.publish_text(text)
            terminal.press("r")
            terminal.wait_for(sentence)
        self.assertNotIn(b"ffline", terminal.output())

    def test_a_server_that_does_not_listen_is_not_offline(self):
        terminal = Tmux(self, f"http://{stage.namespaces.GATEWAY}:1/posts.json")
        self.assertNotIn("ffline", terminal.wait_for("cannot be reached", "Press r to try again."))

    def test_a_server_that_never_comes_to_an_end_is_given_up(self):
        self.stage.serve_without_end(8001)
        terminal = Tmux(self, f"http://{stage.namespaces.GATEWAY}:8001/")
        screen = terminal.wait_for("does not answer.", "Press r to try again.")
        self.assertNotIn("ffline", screen)

    def test_orders_to_the_terminal_in_a_post_are_shown_and_not_obeyed(self):
        self.publish("\x1b]0;owned\x07\x1b[5mblinking\u009b5m", "Second")
        terminal = Tmux(self, URL)
        terminal.wait_for("]0;owned", "[5mblinking", "Second")
        terminal.press("Enter")
        terminal.wait_for(" About ")
        for order in (b"\x1b]0;", b"\x1b[5m", "\u009b".encode()):
            self.assertNotIn(order, terminal.output())

    def start_on_bare_terminal(self, *environment):
        """The program on a terminal that only the test reads and writes; the other side of that, and the terminal."""
        controller, terminal = pty.openpty()
        self.addCleanup(os.close, terminal)
        before = termios.tcgetattr(terminal)
        command = self.stage.inside("env", *environment, POSTS, URL)
        program = self.stage.laboratory.spawn(command, stdin=terminal, stdout=terminal, stderr=terminal)
        output = b""
        while b"First" not in output:
            output += os.read(controller, 4096)
        return program, controller, terminal, before, output

    def test_a_bare_terminal_is_given_back_too(self):
        self.publish("First")
        program, controller, terminal, before, _ = self.start_on_bare_terminal("TERM=vt100", "LC_ALL=C")
        self.addCleanup(os.close, controller)
        self.assertNotEqual(termios.tcgetattr(terminal), before)
        os.write(controller, b"q")
        self.assertEqual(program.wait(stage.PATIENCE), 0)
        self.assertEqual(termios.tcgetattr(terminal), before)

    def test_a_terminal_that_hangs_up_ends_it(self):
        self.publish("First")
        program, controller, *_ = self.start_on_bare_terminal("TERM=vt100")
        os.close(controller)
        self.assertEqual(program.wait(stage.PATIENCE), 128 + signal.SIGHUP)

    def test_a_terminal_that_is_not_known_gets_lines(self):
        self.publish("First")
        for kind in ("TERM=nonsense", "TERM="):
            with self.subTest(kind):
                program, controller, terminal, before, output = self.start_on_bare_terminal(kind)
                self.addCleanup(os.close, controller)
                self.assertEqual(program.wait(stage.PATIENCE), 0)
                self.assertEqual(output, b"First\r\n")
                self.assertEqual(termios.tcgetattr(terminal), before)

    def test_waiting_costs_nothing(self):
        self.publish("First")
        program, controller, *_ = self.start_on_bare_terminal("TERM=vt100")
        self.addCleanup(os.close, controller)
        time.sleep(1)
        before = processor_time(program.pid)
        time.sleep(2)
        self.assertLess(processor_time(program.pid) - before, 0.1)

    def run_without_terminal(self, *arguments, environment=()):
        return subprocess.run(
            self.stage.inside("env", *environment, POSTS, *arguments), stdin=subprocess.DEVNULL, capture_output=True,
            text=True, timeout=stage.PATIENCE,
        )

    def test_without_a_terminal_titles_are_lines(self):
        self.publish("First", "Second\x1b[2J")
        ended = self.run_without_terminal(URL)
        self.assertEqual((ended.stdout, ended.stderr, ended.returncode), ("First\nSecond\ufffd[2J\n", "", 0))

    def test_without_a_terminal_a_missing_path_is_told_from_a_missing_server(self):
        ended = self.run_without_terminal(f"http://{stage.namespaces.GATEWAY}:1/")
        self.assertEqual((ended.stderr, ended.returncode), ("posts: 10.200.0.2 cannot be reached.\n", 1))
        self.stage.pull_cable()
        ended = self.run_without_terminal(URL)
        self.assertEqual(
            (ended.stderr, ended.returncode), ("posts: offline: no cable is plugged in and no Wi-Fi in reach\n", 1)
        )

    def test_a_wrong_command_line_ends_with_64(self):
        for arguments in ([], ["posts.json"], ["ftp://example.org/"], ["http://"], [URL, URL]):
            with self.subTest(arguments):
                ended = self.run_without_terminal(*arguments)
                self.assertEqual(ended.returncode, 64)
                self.assertIn("the address of a list of posts is needed", ended.stderr)


if __name__ == "__main__":
    unittest.main()
