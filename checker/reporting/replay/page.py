"""The page: one HTML file with its data, styles and scripts in it, that asks no network for anything."""

from __future__ import annotations

import base64
import hashlib
import html
from importlib import resources
from string import Template

from fairdeal.checker.reporting.replay.recording import Recorded, as_json
from fairdeal.checker.reporting.reporter import release

SCRIPTS = ("cards.js", "states.js", "clocks.js", "table.js", "findings.js", "log.js", "player.js")
"""In the order in which they run; each uses those before it."""

STYLES = ("page.css", "cards.css")


def page(recorded: Recorded, name: str) -> str:
    """The whole page; ``name`` is what the log is called.

    Its content security policy allows these very scripts and styles by their hashes, and nothing else: no request, no
    form, no markup made from text.
    """
    styles, scripts = [_asset(each) for each in STYLES], [_asset(each) for each in SCRIPTS]
    policy = "; ".join(
        (
            "default-src 'none'",
            f"style-src {' '.join(map(_hash, styles))}",
            f"script-src {' '.join(map(_hash, scripts))}",
            "img-src data:",
            "base-uri 'none'",
            "form-action 'none'",
            "require-trusted-types-for 'script'",
            "trusted-types 'none'",
        )
    )
    return Template(_asset("page.html")).substitute(
        policy=html.escape(policy, quote=True).replace("&#x27;", "'"),
        title=html.escape(f"{name} · fairdeal replay"),
        styles="\n".join(f"<style>{each}</style>" for each in styles),
        data=as_json(recorded, log=name, fairdeal=release()),
        scripts="\n".join(f"<script>{each}</script>" for each in scripts),
    )


def _asset(name: str) -> str:
    return resources.files(__package__).joinpath(name).read_text(encoding="utf-8")


def _hash(text: str) -> str:
    """The source expression that allows one inline script or style."""
    digest = hashlib.sha256(text.encode()).digest()
    return f"'sha256-{base64.b64encode(digest).decode()}'"
