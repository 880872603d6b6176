package jcarerun.round;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** forks.tsv, read and refused. A space stands for a tab. */
class ForkPlanTest {
  private static List<ForkPlan> read(String... lines) {
    return ForkPlan.read(Arrays.asList(String.join("\n", lines).replace(' ', '\t').split("\n")));
  }

  @Test
  void aLineIsANumberAndArguments() {
    ForkPlan plan = read("1 SelfTest.run -f 1 -p outcome=pass").get(0);
    assertEquals("001", plan.id());
    assertEquals(Arrays.asList("SelfTest.run", "-f", "1", "-p", "outcome=pass"), plan.args);
    assertTrue(plan.name.startsWith("SelfTest.run ") && plan.name.contains("outcome=pass"), plan.name);
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', value = {
    "x SelfTest.run -f 1                   | must start with the fork's number, is 'x'",
    "3 SelfTest.run -f 1                   | fork number must be 2, is 3",
    "2                                     | must have arguments for JMH",
    "2 SelfTest.run  -f 1                  | none of them empty",
    "2 SelfTest.run                        | must have -f 1",
    "2 SelfTest.run -f 2                   | must have -f 1",
    "2 NoSuch -f 1                         | must select one benchmark, [NoSuch] selects 0",
    "2 FileCipher -f 1                     | must select one benchmark, [FileCipher] selects 2",
    "2 -f 1                                | must select one benchmark",
    "2 SelfTest.run -f 1 -p no=1           | has no parameter no; it has [",
    "2 SelfTest.run -f 1 -p outcome=a,b    | must have one value for -p outcome",
    "2 FileCipher.encrypt -f 1             | must have one value for -p content",
    "2 SelfTest.run -f 1 -i three          | three",
    "2 SelfTest.run -f 1 -nosuch           | is not a recognized option",
    "2 SelfTest.run -f 1 -rff a            | -rff is the round's own to give",
    "2 SelfTest.run -f 1 -jvmArgsAppend -X | -jvmArgsAppend is the round's own to give",
  })
  void aWrongLineIsNamed(String line, String problem) {
    String message = assertThrows(IllegalArgumentException.class, () -> read("1 SelfTest.run -f 1", line)).getMessage();
    assertTrue(message.startsWith("forks.tsv, line 2: ") && message.contains(problem), message);
    assertEquals(1, message.split("\n").length, message);
  }

  @Test
  void aFileWithoutForksIsRefused() {
    String message = assertThrows(IllegalArgumentException.class,
        () -> ForkPlan.read(Collections.emptyList())).getMessage();
    assertTrue(message.contains("forks.tsv is empty"), message);
  }
}
