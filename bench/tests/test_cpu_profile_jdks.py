"""Every JDK that is built obeys every CPU profile: its flags are read back in the container in which it would be measured."""

import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from envs.tests import checkout as checkouts
from jcarerun.images import catalogue, image
from jcarerun.plan import cpu_profiles
from jcarerun.run import limits
from jcarerun.support import engine as engines

pytestmark = pytest.mark.containers

CATALOGUE = catalogue.read()
SMOKE = [name for name, entry in CATALOGUE.environments.items() if "smoke" in entry.tags]
BUILT = [name for name in CATALOGUE.environments if image.record_path(name).is_file()]
PROFILES = cpu_profiles.read()


@pytest.fixture(scope="module")
def checkout(tmp_path_factory):
    """A scratch checkout in which the smoke environment is built, whatever else is."""
    made = checkouts.make(tmp_path_factory.mktemp("checkout"))
    run = made.snakemake(targets=tuple(str(image.record_path(name)) for name in SMOKE))
    assert run.returncode == 0, run.stderr[-3000:]
    return made


@pytest.fixture
def flags(checkout, tmp_path):
    """Gives the flags of an environment's JVM under some options, from a container as rounds have it."""
    tmp_path.chmod(0o777)

    def flags(environment: str, options: tuple[str, ...]) -> dict[str, str]:
        code = (
            "import sys; from jcarerun.run.run_round import WHEELS; from jcarerun.images import catalogue, image; "
            "print(image.ensure('docker', catalogue.read().find(sys.argv[1]), WHEELS))"
        )
        found = checkout.run("python", "-c", code, environment)
        if "can't be made again" in found.stderr and environment not in SMOKE:
            pytest.skip(f"{environment} was built from other files than today's, and its image is gone")
        assert found.returncode == 0, found.stderr
        argv = ["java", *options, "-XX:+UnlockDiagnosticVMOptions", "-XX:+PrintFlagsFinal", "-version"]
        isolation = engines.isolation("docker", tmp_path, {}, "0", "1024m")
        command = engines.measuring_command("docker", found.stdout.strip(), f"flags-{environment}", isolation, argv)
        run = subprocess.run(command, capture_output=True, text=True)
        assert run.returncode == 0, run.stderr
        return limits.flags(run.stdout)

    return flags


@pytest.mark.parametrize("profile", [name for name, entry in PROFILES.items() if entry.forbidden_flags])
@pytest.mark.parametrize("environment", sorted({*SMOKE, *BUILT}))
def test_nothing_forbidden_is_on(environment, profile, flags):
    found = flags(environment, PROFILES[profile].jvm_options)
    assert len(found) > 500
    assert limits.forbidden_on(found, PROFILES[profile].forbidden_flags) == []


@pytest.mark.parametrize("environment", SMOKE)
def test_a_profile_that_hides_too_little_is_found_out(environment, flags):
    """Each switch that is left out shows, where the machine has what it hides."""
    core2 = PROFILES["core2"]
    has = Path("/proc/cpuinfo").read_text().split()
    switches = {
        "-XX:-UseAES": "aes",
        "-XX:-UsePopCountInstruction": "popcnt",
        "-XX:-UseCountLeadingZerosInstruction": "abm",
    }
    for option, feature in switches.items():
        doctored = replace(core2, jvm_options=tuple(word for word in core2.jvm_options if word != option))
        assert doctored != core2
        assert bool(limits.forbidden_on(flags(environment, doctored.jvm_options), core2.forbidden_flags)) == (
            feature in has
        )
