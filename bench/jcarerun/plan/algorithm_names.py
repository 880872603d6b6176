"""Algorithms by the names that people use: from bench/algorithms.yaml, or the names that providers give them.

In: a name, and what providers say they offer. Out: a benchmark's parameters. Raises UserError with the nearest names.
"""

import difflib
import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from jcarerun.errors import UserError
from jcarerun.support.yamlfile import load_checked

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
