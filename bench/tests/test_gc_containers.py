"""Stops that we read from GC logs, held against what the same JVM's collectors count: all collectors of each JDK that is built.

The program keeps little and collects on request, so that no stop holds two collections, whose beans would count both. It says at
what uptime it asked the beans, in a while without stops: what a collector does later is in the log alone.
"""

import subprocess

import pytest

from bench.tests.csv_files import read_rows
from jcarerun.images import catalogue, image
from jcarerun.images.commands import JDKS
from jcarerun.support import engine

pytestmark = pytest.mark.containers

COLLECTORS = ("Serial", "Parallel", "G1", "ConcMarkSweep", "Shenandoah", "Z")
# Concurrent work of these is counted beside their stops, and in a bean of its own; JDK 11's ZGC has that alone.
CYCLES, STOPS_OF_A_CYCLE = "Cycles", {"ZGC": 3}
PROGRAM = """\
import java.lang.management.*;
public class Garbage {
  static volatile byte[] last;
  public static void main(String[] args) throws InterruptedException {
    for (int i = 0; i < 100_000; i++) {
      last = new byte[10_000];
      if (i % 40_000 == 20_000) System.gc();
    }
    System.gc();
    String before, after;
    long uptime;
    do {
      before = counts();
      Thread.sleep(50);
      uptime = ManagementFactory.getRuntimeMXBean().getUptime();
      Thread.sleep(50);
      after = counts();
    } while (!before.equals(after));
    System.out.print(after + "uptime," + uptime + System.lineSeparator());
    Runtime.getRuntime().halt(0);
  }
  static String counts() {
    StringBuilder found = new StringBuilder();
    for (GarbageCollectorMXBean each : ManagementFactory.getGarbageCollectorMXBeans())
      found.append(each.getName()).append(',').append(each.getCollectionCount()).append(System.lineSeparator());
    return found.toString();
  }
}
"""


def log_options(java: int, file: str) -> list[str]:
    if java == 8:
        more = ("Details", "DateStamps", "TimeStamps", "ApplicationStoppedTime")
        return [f"-Xloggc:{file}", *(f"-XX:+PrintGC{word}" for word in more)]
    return [f"-Xlog:gc*,safepoint:file={file}:time,uptime,level,tags:filecount=0"]


def built() -> list[str]:
    """An environment of Linux for each JDK whose image is there."""
    known = [environment for environment in catalogue.read().environments.values() if environment.platform == "linux"]
    return list(
        {
            environment.jdk.id: environment.id for environment in known if image.record_path(environment.id).exists()
        }.values()
    )


@pytest.fixture(scope="module")
def program(tmp_path_factory):
    """The directory with the program's class, to which logs are written."""
    folder = tmp_path_factory.mktemp("garbage")
    (folder / "Garbage.java").write_text(PROGRAM)
    command = ["javac", "-Xlint:-options", "--release", "8", "-d", str(folder), str(folder / "Garbage.java")]
    subprocess.run(command, check=True)
    folder.chmod(0o777)
    return folder


def run(image_id: str, folder, *options: str) -> subprocess.CompletedProcess:
    own = engine.isolation("docker", folder, {}, "0", "1g")
    command = [
        "docker",
        "run",
        "--rm",
        *own,
        image_id,
        "java",
        "-Xmx256m",
        "-XX:+UnlockExperimentalVMOptions",
        *options,
    ]
    return subprocess.run(command, capture_output=True, text=True, stdin=subprocess.DEVNULL)


def stops(folder, logs: dict[str, int]) -> dict[str, int]:
    """Log to how many stops `make gc-pauses` finds in it up to an uptime in ms; fails where it says that some are lost."""
    image_id = image.ensure("docker", catalogue.read().analysis, JDKS)
    line = " && ".join(
        f"Rscript analysis/run.R gc_pauses --log {folder}/{log} --out {folder}/{log}.csv" for log in logs
    )
    command = engine.analysis_command("docker", image_id, ["sh", "-c", line], writable=[folder])
    said = subprocess.run(command, capture_output=True, text=True, stdin=subprocess.DEVNULL)
    assert said.returncode == 0, said.stderr
    found = {}
    for log, until_ms in logs.items():
        rows = read_rows(folder / f"{log}.csv")
        found[log] = sum(row["kind"] == "collection" and float(row["uptime_ms"]) < until_ms for row in rows)
    return found


@pytest.mark.parametrize("name", built())
def test_the_stops_of_a_log_are_as_many_as_its_collectors_count(name, program):
    environment = catalogue.read().find(name)
    image_id = image.ensure("docker", environment, JDKS)
    counted, asked_at = {}, {}
    for collector in COLLECTORS:
        use = f"-XX:+Use{collector}GC"
        if run(image_id, program, use, "-version").returncode != 0:
            continue  # this JDK has none of it
        # Else one stop holds a young collection and the full one that was asked for; later JDKs have no such option, nor do so.
        apart = "-XX:-ScavengeBeforeFullGC"
        more = [apart] if collector == "Parallel" and run(image_id, program, apart, "-version").returncode == 0 else []
        log = f"{name}-{collector}.log"
        said = run(image_id, program, use, *more, *log_options(environment.jdk.java, log), "-cp", ".", "Garbage")
        assert said.returncode == 0, said.stderr
        beans = dict(line.rsplit(",", 1) for line in said.stdout.splitlines() if "," in line)
        asked_at[log] = int(beans.pop("uptime"))
        counted[log] = sum(
            int(count) * STOPS_OF_A_CYCLE.get(bean, 1) for bean, count in beans.items() if not bean.endswith(CYCLES)
        )
    assert len(counted) >= 3 and min(counted.values()) >= 3
    assert stops(program, asked_at) == counted
