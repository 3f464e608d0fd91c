"""Chromium without a window, driven through two pipes by the DevTools protocol. Nothing but Python is needed."""

import base64
import json
import os
import select
import time

PATIENCE = 60


class Browser:
    """A browser with one page, run by a function that starts a command line."""

    def __init__(self, stage):
        orders, self._orders = os.pipe()
        self._answers, answers = os.pipe()
        self._rest, self._calls = b"", 0
        flags = [
            "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
            "--disable-background-networking", "--disable-component-update", "--remote-debugging-pipe",
            f"--user-data-dir={stage.folder}/chromium", "about:blank",
        ]
        # It expects them as its descriptors 3 and 4.
        script = f'exec "$@" 3<&{orders} 4>&{answers}'
        with open(stage.folder / "chromium.log", "wb") as log:
            stage.laboratory.spawn(
                stage.inside("bash", "-c", script, "bash", "chromium", *flags), pass_fds=(orders, answers),
                stdout=log, stderr=log,
            )
        os.close(orders)
        os.close(answers)
        [page] = [target for target in self.call("Target.getTargets")["targetInfos"] if target["type"] == "page"]
        self._session = self.call("Target.attachToTarget", targetId=page["targetId"], flatten=True)["sessionId"]

    def close(self):
        os.close(self._orders)
        os.close(self._answers)

    def call(self, method, **parameters):
        """The result of a method of the protocol."""
        self._calls += 1
        message = {"id": self._calls, "method": method, "params": parameters}
        if hasattr(self, "_session"):
            message["sessionId"] = self._session
        os.write(self._orders, json.dumps(message).encode() + b"\0")
        end = time.monotonic() + PATIENCE
        while True:
            while b"\0" in self._rest:
                frame, self._rest = self._rest.split(b"\0", 1)
                answer = json.loads(frame)
                if answer.get("id") == self._calls:
                    if "error" in answer:
                        raise AssertionError(f"{method}: {answer['error']['message']}")
                    return answer["result"]
            if not select.select([self._answers], [], [], max(0, end - time.monotonic()))[0]:
                raise AssertionError(f"{method}: Chromium did not answer within {PATIENCE} s")
            data = os.read(self._answers, 1 << 16)
            if not data:
                raise AssertionError(f"{method}: Chromium has ended")
            self._rest += data

    def open(self, address):
        self.call("Page.navigate", url=address)

    def look(self, scheme, width=1024, height=640):
        """Sets the size of the window and the color scheme that the user prefers."""
        self.call(
            "Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False
        )
        features = [{"name": "prefers-color-scheme", "value": scheme}]
        self.call("Emulation.setEmulatedMedia", features=features)

    def evaluate(self, expression):
        """The value of an expression of JavaScript in the page."""
        answer = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in answer:
            raise AssertionError(f"{expression}: {answer['exceptionDetails']}")
        return answer["result"].get("value")

    def text(self):
        """What can be seen to be written on the page."""
        visible = "[...document.querySelectorAll('body > :not(.unseen)')]"
        return self.evaluate(f"{visible}.map(({{ innerText }}) => innerText).join('\\n').trim()")

    def screenshot(self, path):
        path.write_bytes(base64.b64decode(self.call("Page.captureScreenshot", format="png")["data"]))
