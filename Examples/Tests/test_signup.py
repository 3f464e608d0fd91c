"""The example `signup` in tmux, while cables are pulled, and its service on the other side of the cable."""

import shlex
import signal
import subprocess
import unittest

import stage

SIGNUP = stage.PROGRAMS / "signup"
SERVER = stage.PROGRAMS / "signup-server"
URL = f"http://{stage.namespaces.GATEWAY}:8081"


class Form:
    """A terminal of 76 × 18 characters, in which a shell runs the program and then tells how it ended."""

    count = 0

    def __init__(self, test, *arguments, environment=()):
        Form.count += 1
        self.socket = test.stage.folder / f"tmux{Form.count}"
        self.log = test.stage.folder / f"output{Form.count}"
        program = shlex.join(test.stage.inside("env", *environment, SIGNUP, *arguments))
        modes = f"stty -g >{self.log}"
        script = f"sleep 0.1; echo before; {modes}.before; {program}; echo ended with $?; {modes}.after; cat"
        self.run("-f", "/dev/null", "new-session", "-d", "-x", "76", "-y", "18", script)
        self.run("pipe-pane", "-o", f"cat >{self.log}")
        # Without a delay, Esc and the key after it would be one key.
        self.run("set-option", "-s", "escape-time", "0")
        test.addCleanup(self.run, "kill-server")
        self.wait_for("User name: _")

    def run(self, *arguments):
        command = ["tmux", "-S", str(self.socket), *arguments]
        return subprocess.run(command, check=True, capture_output=True, text=True, timeout=10).stdout

    def press(self, *keys):
        self.run("send-keys", *keys)

    def type(self, name):
        self.run("send-keys", "-l", name)
        self.wait_for(f"User name: {name}_")

    def screen(self):
        return self.run("capture-pane", "-p")

    def output(self):
        """Everything that was sent to the terminal so far."""
        return self.log.read_text(errors="replace")

    def wait_for(self, *texts):
        """Waits until all of the texts are on the screen; the screen."""
        stage.wait_until(
            lambda: all(text in self.screen() for text in texts),
            lambda: f"{texts} did not come; the screen:\n{self.screen()}",
        )
        return self.screen()


class SignUpTests(stage.StageTestCase):
    def setUp(self):
        super().setUp()
        self.log = self.stage.folder / "asked"
        self.start_service()

    def start_service(self):
        far = ["ip", "netns", "exec", self.stage.pair.far]
        with open(self.log, "wb") as log:
            self.service = self.stage.laboratory.spawn(
                [*far, SERVER, stage.namespaces.GATEWAY, "8081", "1"], stdout=log, stderr=log
            )
        stage.wait_until(lambda: "http://" in self.log.read_text(), lambda: self.log.read_text())

    def asked(self, text):
        """How many requests the service has had for it."""
        return sum(line.startswith(text) for line in self.log.read_text().splitlines())

    def wait_until_asked(self, text, count=1):
        stage.wait_until(lambda: self.asked(text) >= count, lambda: f"{text}: {self.log.read_text()}")

    def test_a_name_is_checked_once_for_all_its_letters(self):
        form = Form(self, URL)
        form.type("zebra")
        form.wait_for("zebra_   available", "[ Sign up ]")
        self.assertEqual(self.asked("GET "), 1)
        form.press("Enter")
        form.wait_for("Welcome, zebra!")
        self.assertIn("Signing up …", form.output())
        form.press("Enter")
        form.wait_for("ended with 0")

    def test_a_refused_name_has_its_reason_beside_the_field_and_is_not_sent(self):
        form = Form(self, URL)
        form.type("admin")
        screen = form.wait_for("admin_   This user name is reserved.")
        self.assertNotIn("[ Sign up ]", screen)
        form.press("Enter", "C-u")
        form.wait_for("User name: _")
        form.type("page")
        form.wait_for("page_   taken")
        self.assertEqual(self.asked("PUT "), 0)

    def test_a_pulled_cable_is_silent_while_typing_and_shown_when_sent(self):
        form = Form(self, URL)
        self.stage.pull_cable()
        form.type("zebra")
        form.press("Enter")
        form.wait_for("There is no network connection.", "  1  Try Again", "  2  Sign Up When Connected", "  3  Cancel")
        # Before that, nothing was said.
        before = form.output().split("There is no network connection.")[0]
        self.assertNotIn("network", before)
        self.assertEqual(self.asked("GET ") + self.asked("PUT "), 0)
        # The user decides to wait, and nothing more is to be done.
        form.press("2")
        form.wait_for("Waiting for the network …")
        self.stage.plug_cable()
        form.wait_for("Welcome, zebra!")
        self.assertEqual(self.asked("PUT "), 1)

    def test_a_name_that_was_typed_without_a_network_is_checked_when_it_is_back(self):
        form = Form(self, URL)
        self.stage.pull_cable()
        form.type("zebra")
        self.stage.plug_cable()
        form.wait_for("zebra_   available")

    def test_a_wait_for_the_network_can_be_given_up(self):
        form = Form(self, URL)
        self.stage.pull_cable()
        form.type("zebra")
        form.press("Enter")
        form.wait_for("2  Sign Up When Connected")
        form.press("2")
        form.wait_for("Waiting for the network …", "Esc give up")
        form.press("Escape")
        form.wait_for("Given up.", "[ Sign up ]")

    def test_a_cable_that_is_pulled_while_the_form_is_sent_ends_the_wait(self):
        form = Form(self, URL)
        form.type("silent")
        form.press("Enter")
        self.wait_until_asked("PUT ")
        self.stage.pull_cable()
        form.wait_for("The network connection was lost.", "Sign Up When Connected")
        form.press("Escape")
        self.stage.plug_cable()
        form.wait_for("[ Sign up ]")
        form.press("C-u")
        form.type("zebra")
        form.wait_for("zebra_   available")

    def test_an_older_answer_never_overwrites_a_newer_one(self):
        form = Form(self, URL)
        form.type("slowpage")
        self.wait_until_asked("GET /isUserNameAvailable?userName=slowpage")
        form.press("C-u")
        form.wait_for("User name: _")
        form.type("admin")
        form.wait_for("admin_   This user name is reserved.")
        form.press("C-u")
        form.wait_for("User name: _")
        form.type("slower")
        # Its answer takes two seconds: the one to the first name would have come long before.
        form.wait_for("slower_   available")
        self.assertNotIn("admin_   available", form.output())

    def test_a_service_under_maintenance_is_asked_again_when_it_says_so(self):
        form = Form(self, URL)
        form.type("maintenance")
        form.press("Enter")
        form.wait_for("The server has failed. Trying again in ", "Esc give up")
        form.wait_for("Welcome, maintenance!")
        self.assertEqual(self.asked("PUT "), 3)

    def test_a_service_that_stays_under_maintenance_is_asked_three_times(self):
        form = Form(self, URL)
        form.type("maintenance!")
        form.press("Enter")
        form.wait_for('The server says: "The server is under maintenance.".', "Try again in 1 second.", "1  Try Again")
        self.assertEqual(self.asked("PUT "), 3)

    def test_an_attempt_can_be_given_up(self):
        form = Form(self, URL)
        form.type("silent")
        form.press("Enter")
        self.wait_until_asked("PUT ")
        form.press("Escape")
        form.wait_for("Given up.", "[ Sign up ]")

    def test_a_broken_service_is_asked_once_and_its_words_are_shown(self):
        form = Form(self, URL)
        form.type("servererror")
        form.wait_for("servererror_   The server has failed.", "[ Sign up ]")
        form.press("Enter")
        screen = form.wait_for("The server has failed.", "The server has lost its mind.", "Try again later.")
        # The same request would fail again.
        self.assertNotIn("Try Again", screen)
        self.assertEqual(self.asked("PUT "), 1)
        form.press("Enter")
        form.wait_for("[ Sign up ]")

    def test_a_service_that_is_gone_is_named_and_can_be_tried_again(self):
        form = Form(self, URL)
        self.service.terminate()
        self.service.wait()
        form.type("zebra")
        form.press("Enter")
        form.wait_for(f'The server "{stage.namespaces.GATEWAY}" cannot be reached.', "Trying again in ")
        form.wait_for(f'The server "{stage.namespaces.GATEWAY}" cannot be reached.', "1  Try Again")
        self.start_service()
        form.press("1")
        form.wait_for("Welcome, zebra!")

    def test_a_page_to_sign_in_is_opened_by_the_user_alone(self):
        opened = self.stage.folder / "opened"
        browser = self.stage.folder / "bin/xdg-open"
        browser.parent.mkdir()
        browser.write_text(f'#!/bin/sh\necho "$@" >{opened}\n')
        browser.chmod(0o755)
        form = Form(self, URL, environment=[f"PATH={browser.parent}:/usr/bin:/bin"])
        form.type("portal")
        form.press("Enter")
        form.wait_for("This network wants you to sign in first.", "1  Try Again", "2  Open the Page", "3  Cancel")
        self.assertFalse(opened.exists())
        form.press("2")
        # With the page open, the next attempt finds the user signed in.
        form.wait_for("Welcome, portal!")
        self.assertEqual(opened.read_text(), f"{URL}/users?userName=portal\n")

    def test_without_a_browser_the_page_is_named(self):
        form = Form(self, URL, environment=[f"PATH={self.stage.folder}"])
        form.type("portal")
        form.press("Enter")
        form.wait_for("2  Open the Page")
        form.press("2")
        form.wait_for("No browser was found.", f"{URL}/users?userName=portal", "1  Try Again")
        form.press("1")
        form.wait_for("Welcome, portal!")

    def test_an_answer_that_cannot_be_read_asks_for_an_update(self):
        form = Form(self, URL)
        # The page may come before anybody has looked at the form.
        form.run("send-keys", "-l", "illegalresponse")
        form.wait_for("The answer of the server is not as expected.", "Look for an update of this program.", "1  Close")
        form.press("Escape")
        form.wait_for("User name: illegalresponse_", "[ Sign up ]")
        form.press("Enter")
        form.wait_for("Look for an update of this program.")

    def test_leaving_gives_the_terminal_back(self):
        for keys, status in ((["Escape"], 0), (["C-c"], 128 + signal.SIGINT)):
            with self.subTest(keys):
                form = Form(self, URL)
                form.press(*keys)
                screen = form.wait_for(f"ended with {status}")
                self.assertIn("before\n", screen)
                state = form.run("display-message", "-p", "#{alternate_on} #{cursor_flag}")
                self.assertEqual(state.strip(), "0 1")
                before, after = (form.log.with_name(f"{form.log.name}.{when}") for when in ("before", "after"))
                stage.wait_until(lambda: after.exists() and after.read_text(), lambda: "the shell did not go on")
                self.assertEqual(before.read_text(), after.read_text())

    def test_leaving_while_an_error_is_shown_says_nothing_more(self):
        form = Form(self, URL)
        form.type("servererror")
        form.press("Enter")
        form.wait_for("The server has lost its mind.")
        form.press("C-c")
        screen = form.wait_for(f"ended with {128 + signal.SIGINT}")
        self.assertEqual(screen.split(), ["before", "ended", "with", str(128 + signal.SIGINT)])

    def run_without_terminal(self, *arguments):
        return subprocess.run(
            self.stage.inside(SIGNUP, *arguments), stdin=subprocess.DEVNULL, capture_output=True, text=True,
            timeout=stage.PATIENCE,
        )

    def test_without_a_terminal_there_is_one_line_and_a_status(self):
        ended = self.run_without_terminal(URL, "zebra")
        self.assertEqual((ended.stdout, ended.stderr, ended.returncode), ("Welcome, zebra!\n", "", 0))
        lines = {
            "page": (65, "signup: This user name is taken. Check the input, and try again.\n"),
            "illegalresponse": (
                76,
                'signup: The answer of the server is not as expected. The member "userName" is missing. '
                "Look for an update of this program.\n",
            ),
        }
        for name, (status, line) in lines.items():
            ended = self.run_without_terminal(URL, name)
            self.assertEqual((ended.stdout, ended.stderr, ended.returncode), ("", line, status))
        self.stage.pull_cable()
        ended = self.run_without_terminal(URL, "zebra")
        self.assertTrue(ended.stderr.startswith("signup: There is no network connection."), ended.stderr)
        self.assertEqual((ended.stderr.count("\n"), ended.returncode), (1, 69))

    def test_a_wrong_command_line_ends_with_64(self):
        for arguments in ([], ["zebra"], ["ftp://example.org/"], [URL, "a", "b"], [URL]):
            with self.subTest(arguments):
                ended = self.run_without_terminal(*arguments)
                self.assertEqual(ended.returncode, 64)
                self.assertTrue(ended.stderr.startswith("signup: "))


if __name__ == "__main__":
    unittest.main()
