"""Algorithms by the names that people use, and those of an experiment file held against what its providers offer.

In: a name, and what providers say they offer; or an experiment file. Out: a benchmark's parameters. Raises UserError with the
nearest names. Names of modes and paddings: the Java Security Standard Algorithm Names (JDK 21, "Cipher Algorithm Modes" and
"Paddings"), and those that Bouncy Castle's JCE adds. Which provider has which is asked in the round.
"""

import difflib
import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from jcarerun.errors import UserError
from jcarerun.plan.providers import Provider
from jcarerun.support.yamlfile import Checker, load_checked

FILE = Path("bench/algorithms.yaml")
SCHEMA = Path("bench/schemas/algorithms.schema.yaml")
REMEDY = "`jca-rerun list algorithms` lists all"

# Names of modes and constructions that notice a changed cipher text.
_AUTHENTICATED = re.compile(r"GCM|CCM|EAX|OCB|SIV|CWC|POLY1305|AEAD", re.IGNORECASE)
_MOST_NAMED = 3

# Lengths of keys in bits of ciphers that take no 128.
_KEY_BITS = {"DES": 56, "DESede": 168, "ChaCha20": 256, "ChaCha7539": 256, "Salsa20": 256, "XSalsa20": 256, "HC256": 256,
             "GOST28147": 256, "GOST3412-2015": 256, "Threefish-256": 256, "Threefish-512": 512, "Threefish-1024": 1024,
             "Grainv1": 80, "Skipjack": 80}  # fmt: skip
_MAC_BITS = {"Poly1305": 256, "SHA1": 160, "SHA384": 384, "SHA512": 512}

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


@dataclass(frozen=True)
class Kind:
    """What is measured of an algorithm, as bench/algorithms.yaml says."""

    name: str
    what: str
    operations: dict[str, str]
    usual: tuple[str, ...]
    params: dict
    bytes: int | None
    expected_us: float
    services: tuple[str, ...]
    workload: dict


@dataclass(frozen=True)
class Algorithm:
    """An algorithm: its name, kind and parameters. authenticated: of a cipher, whether it notices a changed text."""

    name: str
    kind: Kind
    params: dict = field(hash=False)
    authenticated: bool = False


@cache
def kinds() -> dict[str, Kind]:
    """Every kind by its name."""
    return {
        name: Kind(
            name, kind["what"], kind["operations"], tuple(kind.get("usual", kind["operations"])), kind.get("params", {}),
            kind.get("bytes"), kind["expected_us"], tuple(kind.get("services", ())), kind.get("workload", {}),
        )
        for name, kind in load_checked(FILE, SCHEMA)["kinds"].items()
    }  # fmt: skip


@cache
def named() -> dict[str, Algorithm]:
    """Every algorithm of the file by its name."""
    entries = load_checked(FILE, SCHEMA)["algorithms"]
    found = {}
    for name, entry in entries.items():
        own = entries[entry["same"]] if "same" in entry else entry
        kind = kinds()[own["kind"]]
        found[name] = Algorithm(name, kind, {**kind.params, **own["params"]}, own.get("authenticated", False))
    return found


def _key(name: str) -> str:
    return re.sub(r"[^a-z0-9]", "", name.lower())


def is_authenticated(name: str) -> bool:
    """Whether a cipher's name says that it is an authenticated one."""
    return bool(_AUTHENTICATED.search(name))


def near(word: str, names: Iterable[str]) -> list[str]:
    """The names nearest to a word. Where an authenticated cipher is meant or among them, no other is: a slip costs no safety."""
    by_key: dict[str, str] = {}
    for name in names:
        by_key.setdefault(_key(name), name)
    close = difflib.get_close_matches(_key(word)[:100], by_key, n=8)
    found = [by_key[key] for key in close] or [
        name for key, name in by_key.items() if len(word) > 2 and _key(word) in key
    ]
    safe = [name for name in found if is_authenticated(name)]
    return (safe if safe or is_authenticated(word) else found)[:_MOST_NAMED]


def find(word: str, offered: Iterable[tuple[str, str]] | None = None) -> Algorithm | None:
    """The algorithm of that name; None where bench/algorithms.yaml has none and `offered` is not given.

    offered: services and algorithms of providers. Raises UserError for a name that nobody has, and for an algorithm that needs
    more than the benchmarks can give it.
    """
    by_key = {_key(name): algorithm for name, algorithm in named().items()}
    for algorithm in named().values():  # SHA256withECDSA, AES/GCM/NoPadding
        jca = str(algorithm.params.get("transformation", algorithm.params.get("algorithm")))
        by_key.setdefault(_key(jca), algorithm)
    if found := by_key.get(_key(word)):
        return found
    if re.fullmatch(r"[^/]+/[^/]+/[^/]+", word):
        return _cipher(word)
    if offered is None:
        return None
    offered = list(offered)
    services = {_key(algorithm): (service, algorithm) for service, algorithm in offered if _kind_of(service)}
    if _key(word) in services:
        return _of_service(*services[_key(word)])
    nearest = near(word, [*named(), *(algorithm for service, algorithm in offered if _kind_of(service))])
    remedy = f"did you mean {' or '.join(nearest)}? {REMEDY}" if nearest else REMEDY
    raise UserError(f"algorithm {word}: no provider has one of that name; {remedy}")


def _kind_of(service: str) -> Kind | None:
    return next((kind for kind in kinds().values() if service in kind.services), None)


def _of_service(service: str, name: str) -> Algorithm:
    kind = _kind_of(service)
    if kind.name == "cipher":
        return _cipher(name)
    if kind.name == "signature":
        return _signature(name)
    if kind.name == "mac":
        bits = next((bits for part, bits in _MAC_BITS.items() if part in name), 256 if "Hmac" in name else 128)
        return Algorithm(name, kind, {**kind.params, "algorithm": name, "bits": bits})
    if kind.name == "derivation" and not name.startswith(("PBKDF2With", "HKDF-")):
        raise UserError(f"algorithm {name}: needs parameters that no benchmark gives yet; {REMEDY}")
    if kind.name == "agreement":
        raise UserError(f"algorithm {name}: no fixed keys are there for it; give DH, ECDH, X25519 or X448")
    return Algorithm(name, kind, {**kind.params, "algorithm": name})


def _cipher(name: str) -> Algorithm:
    """A cipher by its transformation. A block cipher's name alone stands for CBC mode, as it would for ECB in the JCA."""
    algorithm = name.split("/")[0]
    if algorithm.startswith(("RSA", "ElGamal")):
        kind, keys = kinds()["public-key-cipher"], "RSA" if algorithm.startswith("RSA") else "DH"
        return Algorithm(name, kind, {**kind.params, "transformation": name, "keys": keys, "bits": 2048})
    kind = kinds()["cipher"]
    params = {**kind.params, "transformation": name, "bits": _key_bits(algorithm)}
    return Algorithm(name, kind, params, is_authenticated(name))


def _key_bits(algorithm: str) -> int:
    """The length of a cipher's key, however its provider writes the name."""
    return next((bits for name, bits in _KEY_BITS.items() if _key(name) == _key(algorithm)), 128)


def _signature(name: str) -> Algorithm:
    kind = kinds()["signature"]
    found = re.search(r"with(?:PLAIN-)?(RSA|DSA|ECDSA|ECDDSA)(?:inP1363Format|andMGF1|/.*)?$", name, re.IGNORECASE)
    own = found[1].upper() if found else ""
    keys, bits = {"RSA": ("RSA", 2048), "DSA": ("DSA", 2048), "ECDSA": ("EC", 256), "ECDDSA": ("EC", 256)}.get(
        own, (name, 0)
    )
    return Algorithm(name, kind, {**kind.params, "algorithm": name, "keys": keys, "bits": bits})


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
            nearest = near(mode, MODES)
            remedy = f"did you mean {' or '.join(map(repr, nearest))}?" if nearest else f"known: {', '.join(MODES)}"
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
