package jcarerun.probe;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** What HotSpot has compiled by now. */
class CodeListTest {
  private static int grow(int by) {
    int sum = 0;
    for (int i = 0; i < by; i++) {
      sum += i ^ by;
    }
    return sum;
  }

  @Test
  void whatIsCalledOftenComesIntoTheListAndStays() {
    String method = CodeListTest.class.getName() + "::grow";
    CodeList before = CodeList.now();
    assertTrue(before.isAvailable());
    assertFalse(before.has(method));
    int sum = 0;
    for (int call = 0; call < 50_000_000 && !(call % 100_000 == 0 && CodeList.now().has(method)); call++) {
      sum += grow(call % 100);
    }
    CodeList after = CodeList.now();
    assertTrue(after.has(method), "sum " + sum);
    assertTrue(after.keeps(after));
    assertFalse(before.keeps(after));
    assertFalse(after.has(CodeListTest.class.getName() + "::gro"));
  }
}
