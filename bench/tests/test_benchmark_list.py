"""JMH's own list of a jar's benchmarks, as the versions from 1.21 on write it."""

import pytest

from jcarerun.subject import benchmark_list

# Lines of jmh-samples, by JMH 1.21 and by 1.37, which packs the values of parameters.
OLD = (
    "JMH S 43 org.openjdk.jmh.samples.JMHSample_27_Params S 67 "
    "org.openjdk.jmh.samples.generated.JMHSample_27_Params_bench_jmhTest "
    "S 5 bench S 11 AverageTime E A 1 1 1 E I 1 5 T 3 1 s E I 1 5 T 3 1 s E I 1 1 E E E E E "
    "M 2 3 arg 5 1 1 2 31 2 65 3 101 3 103 "
    "9 certainty 7 1 0 1 1 1 2 1 4 1 8 2 16 2 32 U 11 NANOSECONDS E E "
)
NEW = (
    "JMH S 43 org.openjdk.jmh.samples.JMHSample_27_Params S 71 "
    "org.openjdk.jmh.samples.jmh_generated.JMHSample_27_Params_bench_jmhTest S 5 bench S 11 AverageTime E A 1 1 1 E "
    "I 1 5 T 3 1 s E I 1 5 T 3 1 s E I 1 1 E E E E E "
    "M 2 3 arg 5 8 xAA===== 8 zAQMAA== 8 2AQNAA== 8 xAAMAEDA 8 xAAMAMDA 9 certainty 7 8 wAA===== "
    "8 xAA===== 8 yAA===== 8 0AA===== 8 4AA===== 8 xAgNAA== "
    "8 zAgMAA== U 11 NANOSECONDS E E "
)
GROUP = (
    "JMH S 47 org.openjdk.jmh.benchmarks.LevelInvocationBench S 81 "
    "org.openjdk.jmh.benchmarks.jmh_generated.LevelInvocationBench_group_setup_jmhTest S 11 group_setup S 11 AverageTime E "
    "A 2 1 1 1 1 L 2 13 group_setup_1 13 group_setup_2 I 1 5 T 3 1 s E I 2 10 T 5 20 ms E E E E E E E E U 11 NANOSECONDS E E "
)
ARGUMENTS = (
    "JMH S 5 a.One S 5 a.Gen S 3 run S 10 Throughput I 1 4 A 1 1 1 E E E E E E E E E E L 1 6 -Xmx1g L 1 6 -Xms1g "
    "L 1 11 -Dx=a b c d "
    "E E E E "
)


@pytest.mark.parametrize("line", [OLD, NEW])
def test_parameters_and_their_values_are_read_of_old_and_new_versions(line):
    (found,) = benchmark_list.read(line + "\n").values()
    assert found.name == "org.openjdk.jmh.samples.JMHSample_27_Params.bench"
    assert found.params == {"arg": ("1", "31", "65", "101", "103"), "certainty": ("0", "1", "2", "4", "8", "16", "32")}
    assert (found.modes, found.threads, found.measurement_ms) == (("AverageTime",), None, (5, 1000))


def test_a_group_has_the_threads_of_all_its_methods():
    (found,) = benchmark_list.read(GROUP).values()
    assert (found.threads, found.grouped, found.measurement_ms) == (2, True, (10, 20))


def test_a_benchmark_keeps_its_own_jvm_arguments_and_threads():
    (found,) = benchmark_list.read(ARGUMENTS).values()
    assert found.jvm_args == ("-Xmx1g", "-Dx=a b c d")
    assert found.threads == 4


def test_a_benchmark_of_several_modes_is_one():
    both = OLD + "\n" + OLD.replace("S 11 AverageTime", "S 10 Throughput")
    (found,) = benchmark_list.read(both).values()
    assert found.modes == ("AverageTime", "Throughput")


def test_a_value_may_be_empty():
    (found,) = benchmark_list.read(
        NEW.replace("3 arg 5 8 xAA===== 8 zAQMAA== 8 2AQNAA== 8 xAAMAEDA 8", "3 arg 2 0  8")
    ).values()
    assert found.params["arg"] == ("", "103")


def test_a_parameter_without_values_has_none():
    line = OLD.replace("3 arg 5 1 1 2 31 2 65 3 101 3 103", "3 arg 1 22 blank_blank_blank_2014")
    (found,) = benchmark_list.read(line).values()
    assert found.params["arg"] == ()


SHIFTED = NEW.replace("M ", "S 4 sign M ", 1)  # parameters that are a text were a stack trace


@pytest.mark.parametrize("text", ["nonsense", "JMH S 3 a.B", "JMH S x a", "JMH Q 1 a " * 20, SHIFTED])
def test_another_text_is_refused(text):
    with pytest.raises(ValueError, match="line 1 is none of JMH"):
        benchmark_list.read(text)
