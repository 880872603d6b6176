"""Chromium without a window, driven over its DevTools protocol: by a pipe, so that no port is opened and no client is needed."""

from __future__ import annotations

import base64
import json
import os
import shutil
import subprocess
import time
from pathlib import Path
from typing import Any

NAMES = ("chromium", "chromium-browser", "google-chrome-stable", "google-chrome")
KEYS = {"Enter": (13, "\r"), "Tab": (9, "\t"), "ArrowDown": (40, ""), "ArrowUp": (38, ""), "ArrowRight": (39, "")}


def program() -> str | None:
    """The browser of this machine, or None."""
    return next(filter(None, map(shutil.which, NAMES)), None)


class Browser:
    """One tab. Every command waits for its answer; nothing answers within a minute: TimeoutError."""

    def __init__(self, profile: Path):
        ours, theirs = os.pipe(), os.pipe()
        for descriptor in (ours[0], theirs[1]):
            os.set_inheritable(descriptor, True)
        command = [program(), "--headless", "--remote-debugging-pipe", f"--user-data-dir={profile}", "--no-first-run"]
        command += ["--disable-gpu", "--disable-dev-shm-usage", "--window-size=1400,1000", "--disable-quic"]
        command += ["--disable-background-networking", "--disable-component-update", "--disable-sync"]
        if os.geteuid() == 0:
            command.append("--no-sandbox")  # which it can't make for itself as root
        # Chromium reads commands from descriptor 3 and answers on 4.
        shell = f'exec "$@" 3<&{ours[0]} 4>&{theirs[1]}'
        self.process = subprocess.Popen(
            ["/bin/bash", "-c", shell, "bash", *command, "about:blank"], close_fds=False, stderr=subprocess.DEVNULL
        )
        os.close(ours[0])
        os.close(theirs[1])
        self._to, self._from = ours[1], theirs[0]
        self._rest, self._last, self.events, self._session = b"", 0, [], None
        target = next(t for t in self._call("Target.getTargets")["targetInfos"] if t["type"] == "page")
        self._session = self._call("Target.attachToTarget", targetId=target["targetId"], flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Network", "Log", "DOM"):
            self._call(f"{domain}.enable")

    def _call(self, method: str, **parameters: Any) -> dict:
        self._last += 1
        message = {"id": self._last, "method": method, "params": parameters}
        if self._session:
            message["sessionId"] = self._session
        self._write(message)
        while True:
            answer = self._next()
            if answer.get("id") == self._last:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']}")
                return answer["result"]
            self.events.append(answer)

    def _write(self, message: dict) -> None:
        left = json.dumps(message).encode() + b"\0"
        while left:
            left = left[os.write(self._to, left) :]

    def _next(self) -> dict:
        while b"\0" not in self._rest:
            part = os.read(self._from, 1 << 20)
            if not part:
                raise RuntimeError("the browser ended")
            self._rest += part
        message, self._rest = self._rest.split(b"\0", 1)
        return json.loads(message)

    def run(self, script: str) -> Any:
        """What an expression of JavaScript gives in the page, a promise's value where it gives one. Raises what it throws."""
        answer = self._call("Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in answer:
            raise RuntimeError(answer["exceptionDetails"].get("exception", {}).get("description", str(answer)))
        return answer["result"].get("value")

    def wait(self, condition: str) -> Any:
        """The first value of an expression that holds."""
        end = time.monotonic() + 60
        while not (value := self.run(condition)):
            if time.monotonic() > end:
                says = self.run("document.body.innerText")[:500]
                raise TimeoutError(f"{condition} does not come true; the page says: {says}")
            time.sleep(0.05)
        return value

    def open(self, address: str) -> None:
        """Go to an address."""
        self._call("Page.navigate", url="about:blank")
        self.events.clear()
        self._call("Page.navigate", url=address)

    def press(self, key: str) -> None:
        """Press a key and let it go."""
        code, text = KEYS[key]
        for kind in ("keyDown", "keyUp"):
            sent = text if kind == "keyDown" else ""
            self._call("Input.dispatchKeyEvent", type=kind, key=key, code=key, windowsVirtualKeyCode=code, text=sent)

    def type(self, text: str) -> None:
        """Type a text into what has the focus."""
        for letter in text:
            self._call("Input.dispatchKeyEvent", type="keyDown", key=letter, text=letter)
            self._call("Input.dispatchKeyEvent", type="keyUp", key=letter)

    def choose(self, selector: str, *files: Path) -> None:
        """Choose files in an <input>."""
        root = self._call("DOM.getDocument")["root"]["nodeId"]
        node = self._call("DOM.querySelector", nodeId=root, selector=selector)["nodeId"]
        self._call("DOM.setFileInputFiles", nodeId=node, files=[str(file) for file in files])

    def look(self, width: int, dark: bool = False) -> None:
        """Set the width of the window, and which colours the system prefers."""
        self._call(
            "Emulation.setDeviceMetricsOverride", width=width, height=1000, deviceScaleFactor=1, mobile=width < 600
        )
        preference = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self._call("Emulation.setEmulatedMedia", features=[preference])

    def download_to(self, folder: Path) -> None:
        """Write what the page offers as a download to a directory."""
        self._call("Browser.setDownloadBehavior", behavior="allow", downloadPath=str(folder))

    def pdf(self) -> bytes:
        """The page as it is printed."""
        return base64.b64decode(self._call("Page.printToPDF")["data"])

    def accessible(self) -> list[dict]:
        """The nodes of the accessibility tree that a screen reader is told."""
        nodes = self._call("Accessibility.getFullAXTree")["nodes"]
        told = [
            {name: node.get(name, {}).get("value", "") for name in ("role", "name")}
            for node in nodes
            if not node["ignored"]
        ]
        return told

    def close(self) -> None:
        """End it."""
        os.close(self._to)
        os.close(self._from)
        self.process.terminate()
        self.process.wait(30)
