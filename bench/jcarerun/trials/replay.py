"""A container engine that measures nothing: it speaks docker's command line and gives recorded rounds at once.

Run as the `docker` of a PATH. JCA_REPLAY names its directory, which stands for the daemon: images/<id> for each image,
containers/<name> for each container that there is, recorded/<experiment>/<environment>/<round> for what a round's forks left,
log for what it was asked; and, where it exists, `gone`: nothing answers.

As with a real engine, a container outlives the client that started it, and ends when its standard input does.
"""

import csv
import json
import os
import select
import shutil
import signal
import sys
import tarfile
import time
from contextlib import suppress
from pathlib import Path

# A container waits this long for somebody to look at it, as a real one would still be measuring.
PATIENCE_S = 30
# The last file that a round's runner writes before its first fork.
LAST = "limits.txt"


def home() -> Path:
    """The engine's directory."""
    return Path(os.environ["JCA_REPLAY"])


def container(name: str) -> Path:
    """Where a container is on record."""
    return home() / "containers" / name


def end(name: str) -> None:
    """End a container at once."""
    with suppress(OSError, ValueError):
        found = json.loads(container(name).read_text())
        os.kill(found["pid"], signal.SIGKILL)
    container(name).unlink(missing_ok=True)


def end_all() -> None:
    """What becomes of every container when the daemon stops."""
    for each in (home() / "containers").iterdir():
        end(each.name)


def _ended_with_input() -> bool:
    ready, _, _ = select.select([0], [], [], 0)
    return bool(ready) and not os.read(0, 1)


def _measure(name: str, folder: Path) -> int:
    """What the forks of a round did, in the container's process."""
    recorded = home() / "recorded" / os.environ["JCA_REPLAY_ROUND"]
    forks = sorted(path.stem for path in (recorded / "jmh").glob("*.json"))
    # What a round's runner finds out before it says that it has begun comes first.
    for source in sorted(
        recorded.rglob("*"),
        key=lambda path: (path.name != "jvm" and path.parent.name != "jvm", path.name != LAST, path),
    ):
        target = folder / source.relative_to(recorded)
        if source.is_dir():
            target.mkdir(exist_ok=True)
        elif not target.exists():
            if _ended_with_input():
                return 143
            shutil.copyfile(source, target)
        if source.name == LAST:
            print(f"progress 0 {len(forks)}", flush=True)
            _wait_until_inspected(name)
    for number, _ in enumerate(forks, start=1):
        print(f"progress {number} {len(forks)}", flush=True)
    return 0


def _wait_until_inspected(name: str) -> None:
    end = time.monotonic() + PATIENCE_S
    while time.monotonic() < end and not _ended_with_input():
        if container(name).with_suffix(".seen").exists():
            return
        time.sleep(0.002)


def _run(words: list[str]) -> int:
    named = dict(word.removeprefix("--").split("=", 1) for word in words if word.startswith("--") and "=" in word)
    # A mount is a line of CSV to an engine.
    lines = csv.reader(word.removeprefix("--mount=") for word in words if word.startswith("--mount="))
    mounts = [dict(field.partition("=")[::2] for field in line) for line in lines]
    folder = next(Path(mount["source"]) for mount in mounts if mount["target"] == "/round")
    image = next(word for word in words if word.startswith("sha256:"))
    if not (home() / "images" / image).exists():
        return _complain(f"Unable to find image '{image}' locally", 125)
    os.environ["JCA_REPLAY_ROUND"] = "/".join(folder.parent.parts[-3:]).replace(".part-", "")
    name = named["name"]
    record = {"image": image, "label": named["label"], "options": named}
    pid = os.fork()
    if pid == 0:
        os.setsid()
        _write(name, {**record, "pid": os.getpid()})
        status = 1
        try:
            status = _measure(name, folder)
        except OSError as error:
            _complain(str(error))
        finally:
            container(name).with_suffix(".seen").unlink(missing_ok=True)
            container(name).unlink(missing_ok=True)
            os._exit(status)
    _, status = os.waitpid(pid, 0)
    container(name).with_suffix(".seen").unlink(missing_ok=True)
    return os.waitstatus_to_exitcode(status) if os.WIFEXITED(status) else 137


def _write(name: str, record: dict) -> None:
    part = home() / f".{name}"
    part.write_text(json.dumps(record))
    part.rename(container(name))


def _inspect(name: str) -> int:
    if not container(name).exists():
        return _complain(f"No such container: {name}")
    found = json.loads(container(name).read_text())
    options = found["options"]
    print(json.dumps([{
        "Image": found["image"], "Config": {"User": options["user"]},
        "HostConfig": {"NetworkMode": options["network"], "CpusetCpus": options["cpuset-cpus"]},
    }]))  # fmt: skip
    container(name).with_suffix(".seen").touch()
    return 0


def _load() -> int:
    """Take an image's archive, as `docker load` does: its id is the SHA-256 of its configuration."""
    with tarfile.open(fileobj=sys.stdin.buffer, mode="r|") as archive:
        for member in archive:
            if member.name == "manifest.json":
                config = json.loads(archive.extractfile(member).read())[0]["Config"]
                (home() / "images" / f"sha256:{config.removesuffix('.json')}").touch()
    return 0


def _complain(words: str, status: int = 1) -> int:
    print(f"replay: {words}", file=sys.stderr)
    return status


def _containers(label: str) -> list[str]:
    found = [path for path in (home() / "containers").iterdir() if path.suffix != ".seen"]
    with suppress(OSError, ValueError):  # of one that has just ended
        return [path.name for path in found if json.loads(path.read_text())["label"] == label]
    return []


def main(words: list[str]) -> int:
    """Do what a command line of docker's says; its exit status."""
    with (home() / "log").open("a") as log:
        log.write(" ".join(words[:2]) + "\n")
    if (home() / "gone").exists():
        return _complain("Cannot connect to the daemon. Is it running?")
    match words:
        case ["info", *_] | ["version", *_]:
            print("replay")
        case ["image", "inspect", *_, image]:
            return 0 if (home() / "images" / image).exists() else _complain(f"No such image: {image}")
        case ["ps", *_, label]:
            print("\n".join(_containers(label.removeprefix("label="))))
        case ["rm", "--force", *names]:
            for name in names:
                end(name)
        case ["container", "inspect", name]:
            return _inspect(name)
        case ["run", *options]:
            return _run(options)
        case ["load", *_]:
            return _load()
        case _:
            return _complain(f"{' '.join(words)}: not known")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
