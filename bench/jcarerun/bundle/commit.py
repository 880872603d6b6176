"""The state of the code that a bundle is made by and checked by: a commit of git, and whether what matters differs from it."""

import subprocess

from jcarerun.errors import UserError

# What decides a report's bytes, or says what a bundle says of the project. Results that are kept in the repository, pictures and
# tests do not.
CODE = (
    "Snakefile", "analysis", "bench", "data/published", "envs", "report", "pyproject.toml", "uv.lock", "LICENSE",
    "CITATION.cff", "codemeta.json", ":(exclude)report/results", ":(exclude)report/pictures", ":(exclude,glob)**/tests/**",
)  # fmt: skip


def _git(*words: str) -> subprocess.CompletedProcess:
    try:
        return subprocess.run(["git", *words], capture_output=True, text=True, stdin=subprocess.DEVNULL)
    except FileNotFoundError:
        raise UserError("git: there is no such command here; install git, by which a bundle names its code") from None


def here() -> str:
    """The commit of this checkout. Raises UserError where it is none, or its code has changes that are not committed."""
    found = _git("rev-parse", "--verify", "HEAD^{commit}")
    if found.returncode:
        raise UserError(
            f"{found.stderr.strip().splitlines()[-1]}: a bundle names the commit of its code; work in a clone"
        )
    if changed := _git("status", "--porcelain", "--", *CODE).stdout.splitlines():
        raise UserError(
            f"{changed[0][3:]}: differs from the commit ({len(changed)} such in all), so nobody could make the same bytes; "
            "commit it, or put it back"
        )
    return found.stdout.strip()


def hold(wanted: str) -> None:
    """Raise UserError unless this checkout's code is that of a commit: it, or one after which nothing changed that matters."""
    own = here()
    if own == wanted or not _git("diff", "--quiet", wanted, own, "--", *CODE).returncode:
        return
    known = not _git("cat-file", "-e", f"{wanted}^{{commit}}").returncode
    how = f"git checkout {wanted}" if known else f"git fetch, then git checkout {wanted}"
    raise UserError(
        f"the bundle was made by commit {wanted[:12]}, this checkout is at {own[:12]}: {how}, or go on with ANYWAY=yes, by "
        "this checkout's code"
    )
