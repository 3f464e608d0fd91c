"""What Chromium makes of the page of the example `offline-page`."""

import os
import pathlib
import re
import signal
import unittest

import chromium
import stage
from offline_page import ADDRESS, ServerTestCase

# Where to put pictures of the page in each of its states, for people to look at.
PICTURES = os.environ.get("PICTURES")


class BrowserTests(ServerTestCase):
    def browse(self, *arguments):
        self.start(*arguments)
        self.browser = chromium.Browser(self.stage)
        self.addCleanup(self.browser.close)
        self.browser.look("light")
        self.browser.open(ADDRESS)

    def wait_for(self, *patterns):
        """Waits until the page has all of the texts; its text."""
        stage.wait_until(
            lambda: all(re.search(pattern, self.browser.text()) for pattern in patterns),
            lambda: f"{patterns} did not come; the page:\n{self.browser.text()}",
        )
        return self.browser.text()

    def check_look(self, state):
        """Whether texts stand out enough in light and dark (WCAG AA), and nothing needs scrolling sideways."""
        for scheme in ("light", "dark"):
            for width, height in ((1024, 640), (320, 568)):
                self.browser.look(scheme, width, height)
                self.assertLessEqual(self.browser.evaluate("document.documentElement.scrollWidth"), width, state)
                if PICTURES:
                    self.browser.screenshot(pathlib.Path(PICTURES) / f"{state}-{scheme}-{width}.png")
            for element, contrast in self.browser.evaluate(CONTRASTS):
                self.assertGreaterEqual(contrast, 4.5, f"{element} in {scheme}, {state}")
        self.browser.look("light")

    def test_the_page_follows_the_path_and_then_its_server(self):
        self.browse()
        text = self.wait_for("Online", r"v0 \(wired Ethernet\)", "10.200.0.1/24", "10.200.0.2")
        self.assertNotIn("Offline", text)
        self.check_look("online")

        self.stage.pull_cable()
        text = self.wait_for("^Offline", r"No cable is plugged in, and no Wi-Fi is in reach\.", r"Since \d+:\d\d")
        self.assertNotIn("v0 (wired Ethernet)", text)
        self.assertNotIn("10.200.0", text)
        self.assertEqual(self.browser.evaluate("document.title"), "Offline")
        said = self.browser.evaluate("document.querySelector('[aria-live]').textContent")
        self.assertEqual(said, "Offline. No cable is plugged in, and no Wi-Fi is in reach.")
        self.check_look("offline")

        # Our own failure is not the network's: what was true then is not said any more.
        self.assertEqual(self.stop(signal.SIGKILL), -signal.SIGKILL)
        self.assertNotIn("Offline", self.wait_for("This page has lost its server"))
        self.check_look("lost")

        self.stage.plug_cable()
        self.start()
        self.assertNotIn("lost", self.wait_for("Online", "v0"))
        # Nor is it said that the network is there when nobody knows.
        self.stop()
        self.assertNotIn("Online", self.wait_for("This page has lost its server"))

    def test_a_server_that_hangs_is_lost(self):
        self.browse()
        self.wait_for("Online")
        os.kill(self.server.pid, signal.SIGSTOP)
        self.wait_for("This page has lost its server")
        os.kill(self.server.pid, signal.SIGCONT)
        stage.wait_until(lambda: "lost" not in self.browser.text(), self.browser.text)

    def test_nothing_flickers(self):
        self.browse()
        self.wait_for("Online")
        self.browser.evaluate(
            "titles = []; new MutationObserver(() => titles.push(document.title))"
            ".observe(document.querySelector('title'), { childList: true }); 0"
        )
        for _ in range(5):
            self.stage.pair.configure(f"route del default\nroute add default via {stage.namespaces.GATEWAY}")
        # A restart of the server is nobody's business either.
        self.stop()
        self.start()
        self.stage.pull_cable()
        self.wait_for("Offline", "No cable")
        self.stage.plug_cable()
        self.wait_for("Online")
        titles = self.browser.evaluate("titles")
        self.assertEqual(titles, ["Offline", "Online"])

    def test_content_is_shown_while_online_and_loaded_anew_on_return(self):
        (self.stage.website / "board.html").write_text("<!doctype html><title>Board</title><h1>Departures</h1>")
        self.browse("--content", f"{stage.SERVER}/board.html")
        stage.wait_until(lambda: self.stage.requests() == 1, lambda: "the content is not asked for")
        visible = "getComputedStyle(document.getElementById('site')).display !== 'none'"
        self.assertTrue(self.browser.evaluate(visible))
        frame = self.browser.evaluate("(({ offsetWidth, offsetHeight }) => [offsetWidth, offsetHeight])(frame)")
        self.assertEqual(frame, [1024, 640])
        self.check_look("content")
        self.stage.pull_cable()
        self.wait_for("Offline")
        self.assertFalse(self.browser.evaluate(visible))
        self.stage.plug_cable()
        stage.wait_until(lambda: self.stage.requests() == 2, lambda: "the content is not loaded anew")
        stage.wait_until(lambda: self.browser.evaluate(visible), lambda: "the content is not shown")
        # A site that is there stays, with a notice, when our server is gone.
        self.stop()
        self.wait_for("^This page has lost its server: whether the network is still there is not known")
        self.assertTrue(self.browser.evaluate(visible))
        self.check_look("content-lost")
        self.start("--content", f"{stage.SERVER}/board.html")
        stage.wait_until(lambda: "lost" not in self.browser.text(), self.browser.text)
        self.assertEqual(self.stage.requests(), 2)

    def press(self, title):
        """Presses the button of that title, as a user does with the mouse."""
        place = self.browser.evaluate(
            "(({ x, y, width, height }) => [x + width / 2, y + height / 2])([...document.querySelectorAll('button')]"
            f".find(({{ textContent }}) => textContent === {title!r}).getBoundingClientRect())"
        )
        for kind in ("mousePressed", "mouseReleased"):
            self.browser.call(
                "Input.dispatchMouseEvent", type=kind, x=place[0], y=place[1], button="left", clickCount=1
            )

    def buttons(self):
        return self.browser.evaluate(
            "[...document.querySelectorAll('button')].filter((button) => button.checkVisibility())"
            ".map(({ textContent }) => textContent)"
        )

    def wait_for_buttons(self, *titles):
        stage.wait_until(lambda: self.buttons() == list(titles), lambda: f"the buttons are {self.buttons()}")

    def test_an_offline_page_gives_the_diagnosis(self):
        self.stage.pull_cable()
        self.browse()
        self.wait_for("Offline", "Diagnosis: v0, the only interface, has no carrier: a cable is out")
        self.assertEqual(self.buttons(), [])
        self.stage.plug_cable()
        self.assertNotIn("Diagnosis", self.wait_for("Online"))

    def test_an_error_has_a_button_for_each_way_on_which_runs_its_action(self):
        done = self.stage.folder / "done"
        self.browse("--offer", f"Report it=echo reported >>{done}", "--offer", "Try in vain=exit 3")
        self.wait_for("Online")
        self.assertEqual(self.buttons(), [])
        self.stage.pull_cable()
        self.wait_for("This may bring the network back:")
        self.wait_for_buttons("Report it", "Try in vain", "Not Now")
        said = self.browser.evaluate("document.querySelector('[aria-live]').textContent")
        self.assertIn("This may bring the network back:", said)
        self.check_look("problem")

        # An action that fails is an error of its own, with the same ways on.
        self.press("Try in vain")
        self.wait_for('"Try in vain" did not work.', r"The command ended with status 3\.", "Tell the operator")
        self.wait_for_buttons("Report it", "Try in vain", "Not Now")
        self.assertFalse(done.exists())
        self.check_look("failed-offer")

        self.press("Report it")
        stage.wait_until(lambda: done.exists(), lambda: "the command was not run")
        self.wait_for_buttons()
        self.stage.plug_cable()
        self.wait_for("Online")
        self.assertEqual(done.read_text(), "reported\n")

        # A new loss is a new error, and the return of the network takes it away.
        self.stage.pull_cable()
        self.wait_for_buttons("Report it", "Try in vain", "Not Now")
        self.press("Not Now")
        self.wait_for_buttons()
        self.assertIn("Offline", self.browser.text())
        self.stage.plug_cable()
        self.wait_for("Online")
        self.stage.pull_cable()
        self.wait_for_buttons("Report it", "Try in vain", "Not Now")
        self.stage.plug_cable()
        self.wait_for("Online")
        self.wait_for_buttons()
        self.assertEqual(done.read_text(), "reported\n")

    def test_a_command_that_brings_the_network_back_needs_nothing_more(self):
        self.stage.pair.run("ip", "link", "set", "v0", "down")
        command = (
            f"ip link set v0 up; ip address replace {stage.namespaces.NEAR_ADDRESS}/24 dev v0; "
            f"ip route replace default via {stage.namespaces.GATEWAY}"
        )
        self.browse("--offer", f"Switch it on={command}")
        self.wait_for("Offline", "No network device is switched on")
        self.wait_for_buttons("Switch it on", "Not Now")
        self.press("Switch it on")
        self.wait_for("Online", "v0")
        self.wait_for_buttons()

    def test_names_that_cannot_be_looked_up_are_a_notice(self):
        (self.stage.folder / "resolv.conf").write_text("")
        self.browse()
        self.wait_for(r"Names of servers cannot be looked up\.", "Partly online")
        self.check_look("degraded")


# Pairs of what is visible with a text of its own, and the contrast of that to what is behind it.
CONTRASTS = """
(() => {
  const parse = (color) => color.match(/[\\d.]+/g).map(Number);
  const luminance = ([r, g, b]) => [r, g, b].map((value) => value / 255)
    .map((value) => value <= 0.03928 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4)
    .reduce((sum, value, index) => sum + value * [0.2126, 0.7152, 0.0722][index], 0);
  const behind = (element) => {
    for (let one = element; one; one = one.parentElement) {
      const color = parse(getComputedStyle(one).backgroundColor);
      if (color.length === 3 || color[3] > 0) return color;
    }
    return [255, 255, 255];
  };
  return [...document.body.querySelectorAll("h1, p, dt, dd, time, button")]
    .filter((element) => element.checkVisibility() && element.textContent.trim() && !element.matches(".unseen"))
    .map((element) => {
      const [a, b] = [parse(getComputedStyle(element).color), behind(element)].map(luminance);
      return [element.id || element.tagName, (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05)];
    });
})()
"""


if __name__ == "__main__":
    unittest.main()
