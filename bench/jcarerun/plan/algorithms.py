"""Holds the algorithms of an experiment file against what its providers offer, and transformations against what there is at all.

Names of modes and paddings: the Java Security Standard Algorithm Names (JDK 21, "Cipher Algorithm Modes" and "Paddings"), and
those that Bouncy Castle's JCE adds. Which provider has which is asked in the round.
"""

import re
from pathlib import Path

from jcarerun.plan import algorithm_names
from jcarerun.plan.providers import Provider
from jcarerun.support.yamlfile import Checker

MODES = (
    "NONE", "CBC", "CCM", "CFB", "CTR", "CTS", "ECB", "GCM", "KW", "KWP", "OFB", "PCBC",
    "EAX", "GCM-SIV", "GCFB", "GOFB", "OCB", "OpenPGPCFB", "PGPCFB", "SIC",
)  # fmt: skip
PADDINGS = (
    "NoPadding", "ISO10126Padding", "OAEPPadding", "PKCS1Padding", "PKCS5Padding", "SSL3Padding",
    "ISO10126-2Padding", "ISO7816-4Padding", "ISO9796-1Padding", "PKCS7Padding", "TBCPadding", "WithCTS", "X9.23Padding",
    "X923Padding", "ZeroBytePadding",
)  # fmt: skip

_OFFERED = (
    "algorithm that any entry of bench/providers.yaml offers (with `not_offered: mark` each round asks the providers)"
)


def check(path: Path, data: dict, providers: dict[str, Provider]) -> None:
    """Raise UserError for the first algorithm that could not be measured. `providers`: those of providers.yaml by id."""
    checker = _Algorithms(path, data, providers)
    checker.transformations()
    # Rounds that ask the providers themselves mark what one lacks, as native libraries must be asked.
    if data.get("not_offered") != "mark":
        checker.offered()


class _Algorithms(Checker):
    """An experiment's algorithms under examination."""

    def __init__(self, path: Path, data: dict, providers: dict[str, Provider]):
        super().__init__(path)
        self.data = data
        self.providers = providers
        self.factors = data.get("factors", {})

    def transformations(self) -> None:
        """A transformation is a name, or name/mode/padding with a mode and a padding that there are."""
        given = {
            f"workloads.{name}.params": workload.get("params", {}) for name, workload in self.data["workloads"].items()
        }
        given |= {
            f"factors.{name}.{level}": params
            for name, levels in self.factors.items()
            for level, params in levels.items()
        }
        for place, params in given.items():
            if "transformation" not in params:
                continue
            place, parts = f"{place}.transformation", str(params["transformation"]).split("/")
            if len(parts) not in (1, 3):
                raise self.refuse(
                    place, f"{params['transformation']!r} must be algorithm/mode/padding, or an algorithm alone"
                )
            if len(parts) == 3:
                # CFB8, OFB64: feedback of that many bits; OAEPWithSHA-256AndMGF1Padding: a digest.
                mode = re.sub(r"(?<=FB)\d+$", "", parts[1])
                padding = re.sub(r"(?i)^OAEPWith.+AndMGF1Padding$", "OAEPPadding", parts[2])
                self.mode(place, mode)
                self.known(place, [padding.upper()], [each.upper() for each in PADDINGS], "padding of any provider")

    def mode(self, place: str, mode: str) -> None:
        """A mode must be one of some provider; for an authenticated one no other is suggested."""
        if mode.upper() not in (each.upper() for each in MODES):
            near = algorithm_names.near(mode, MODES)
            remedy = f"did you mean {' or '.join(map(repr, near))}?" if near else f"known: {', '.join(MODES)}"
            raise self.refuse(place, f"{mode!r} is no mode of operation of any provider; {remedy}")

    def offered(self) -> None:
        """Every algorithm must be offered: by some provider at all, and by each that it is crossed with."""
        for provider in self.data["providers"]:
            if provider in self.providers and self.providers[provider].native:
                raise self.refuse(
                    "providers",
                    f"{provider!r} is a native library, which only workloads can run that ask what is offered; "
                    "remove it, or add `not_offered: mark` and use such workloads",
                )
        offered = sorted({algorithm for provider in self.providers.values() for algorithm in provider.offers})
        for factor, levels in self.factors.items():
            crossed = [each for each in self.data["workloads"].values() if factor in each.get("factors", [])]
            met = {name for each in crossed for name in each.get("providers", self.data["providers"])}
            for level, params in levels.items():
                key = "transformation" if "transformation" in params else "algorithm"
                if key not in params:
                    continue
                algorithm = str(params[key]).split("/")[0]
                place = f"factors.{factor}.{level}.{key}"
                self.known(place, [algorithm], offered, _OFFERED)
                for provider in [name for name in self.data["providers"] if name in met]:
                    if provider in self.providers and algorithm not in self.providers[provider].offers:
                        raise self.refuse(
                            place,
                            f"provider {provider!r} does not offer {algorithm!r}; remove one of the two, or "
                            "add it to the provider's `offers` if it does",
                        )
