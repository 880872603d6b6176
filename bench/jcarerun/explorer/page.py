"""Puts the page together: markup, styles, libraries, code and blocks of data in one file that asks for nothing else.

Libraries are taken from `vendor` only where their bytes are those of `vendor.json`. The page's policy lets no script
run but those, by their hash, and lets nothing be loaded or sent.
"""

from __future__ import annotations

import base64
import gzip
import hashlib
import html
import json
from pathlib import Path

from jcarerun.errors import UserError

HERE = Path(__file__).resolve().parents[3] / "report/explorer"
VENDOR = HERE / "vendor"
# In the order in which they need each other.
APP = ("words", "run", "choices", "pictures", "grid", "claims", "details", "choose", "compare", "trends", "data", "main")


def libraries() -> dict[str, str]:
    """File to text of every library, checked. Raises UserError for one that has other bytes than its pin."""
    found = {}
    for each in json.loads((VENDOR / "vendor.json").read_text(encoding="utf-8")):
        content = (VENDOR / each["file"]).read_bytes()
        if hashlib.sha256(content).hexdigest() != each["sha256"]:
            raise UserError(
                f"{VENDOR / each['file']}: has other bytes than {each['package']} {each['version']}; restore it"
            )
        found[each["file"]] = content.decode()
    return found


def scripts() -> list[str]:
    """The scripts of the page: the libraries, then its own code, whose files see each other and nobody else sees."""
    own = "\n".join((HERE / "app" / f"{name}.js").read_text(encoding="utf-8") for name in APP)
    theirs = [text for file, text in libraries().items() if file.endswith(".js")]
    return [*theirs, f'"use strict";\n(() => {{\n{own}\n}})();']


def make(blocks: dict[str, str], title: str) -> str:
    """The page with these blocks: `main` and the others packed, each in an element of its own."""
    code = scripts()
    styles = [text for file, text in libraries().items() if file.endswith(".css")]
    styles.append((HERE / "style.css").read_text(encoding="utf-8"))
    digests = (base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() for text in code)
    hashes = " ".join(f"'sha256-{digest}'" for digest in digests)
    # Both libraries set styles on what they draw, so these can't be listed; a style can't send anything here.
    policy = f"default-src 'none'; script-src {hashes}; style-src 'unsafe-inline'; img-src data:"
    policy += "; base-uri 'none'; form-action 'none'"
    packed = {name: base64.b64encode(gzip.compress(text.encode(), mtime=0)).decode() for name, text in blocks.items()}
    parts = {
        "TITLE": html.escape(title),
        "POLICY": policy,
        "STYLES": "\n".join(f"<style>{text}</style>" for text in styles),
        "BLOCKS": "\n".join(
            f'<script type="application/gzip" data-block="{name}">{text}</script>' for name, text in packed.items()
        ),
        "SCRIPTS": "\n".join(f"<script>{text}</script>" for text in code),
    }
    page = (HERE / "page.html").read_text(encoding="utf-8")
    for name, text in parts.items():
        page = page.replace(f"@{name}@", text, 1)
    return page
