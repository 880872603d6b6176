"""Parts of jars that aren't ours, as JMH would have written them: for tests."""

import struct

RUNNER = "org/openjdk/jmh/runner/Runner.class"


def listed(method: str, params: str = "E", threads: str = "E", args: str = "E") -> str:
    """A line of JMH's list for a benchmark of org.example.Crypto."""
    made = f"org.example.jmh_generated.Crypto_{method}_jmhTest"
    return (
        f"JMH S 18 org.example.Crypto S {len(made)} {made} S {len(method)} {method} S 10 Throughput {threads} A 1 1 1 "
        f"E E E E E E E E E E {args} E E {params} E E E \n"
    )


def class_file(java: int) -> bytes:
    return struct.pack(">IHH", 0xCAFEBABE, 0, java + 44)
