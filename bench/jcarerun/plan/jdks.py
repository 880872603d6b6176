"""JDKs and environments by what people call them: `25`, `temurin-25`, an id of envs/environments.yaml."""

import re
from collections.abc import Iterable

from jcarerun.errors import UserError
from jcarerun.images.catalogue import Catalogue
from jcarerun.support.yamlfile import nearest

# The environments that stand for a JDK where nobody says on which system.
SERIES = "jdk-series"
_JAVA = re.compile(r"(?:jdk-?|java-?)?([1-9][0-9]?)", re.IGNORECASE)


def _java(word: str) -> str:
    found = _JAVA.fullmatch(word)
    return found[1] if found else ""


def ids(catalogue: Catalogue, word: object, among: Iterable[str] = ()) -> list[str]:
    """The JDKs that a word may stand for: an id itself, a Java version such as 25, or the beginning of an id such as temurin-25.

    among: environments whose JDKs are preferred, those of an experiment. Empty where no JDK is called so.
    """
    word = str(word)
    known = {each.jdk.id: each.jdk for each in catalogue.environments.values() if each.jdk}
    if word in known:
        return [word]
    java = _java(word)
    found = [name for name, jdk in known.items() if str(jdk.java) == java or name.startswith((f"{word}.", f"{word}-"))]
    used = {each.jdk.id for name in among if (each := catalogue.environments.get(name)) and each.jdk}
    preferred = [name for name in found if name in used]
    return preferred or found


def environment(catalogue: Catalogue, word: object) -> str:
    """The environment that stands for a JDK: preferably of the series on one system. Raises UserError without any."""
    word = str(word)
    if word in catalogue.environments:
        return word
    names = ids(catalogue, word)
    here = [
        (name, each)
        for name, each in catalogue.environments.items()
        if each.jdk and each.jdk.id in names and not each.elsewhere
    ]
    if not here:
        versions = sorted({each.jdk.java for each in catalogue.environments.values() if each.jdk})
        raise UserError(
            f"jdk {word}: there is none; choose from {', '.join(map(str, versions))}, or name an environment; "
            f"{nearest(word, catalogue.environments)}"
        )
    # Windows' JVM and a system with native libraries come after a plain Linux.
    return min(
        here, key=lambda pair: (SERIES not in pair[1].tags, pair[1].platform != "linux" or bool(pair[1].packages))
    )[0]
