package jcarerun.kit;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.math.BigDecimal;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** JSON as any reader takes it. */
class JsonTest {
  @Test
  void membersKeepTheirOrderAndAreIndented() {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("b", 1);
    map.put("a", Arrays.asList("x", null, true));
    map.put("none", Collections.emptyMap());
    map.put("empty", Collections.emptyList());
    assertEquals("{\n \"b\": 1,\n \"a\": [\n  \"x\",\n  null,\n  true\n ],\n \"none\": {},\n \"empty\": []\n}\n",
        Json.document(map));
  }

  @ParameterizedTest
  @CsvSource({"plain,plain", "'a\"b','a\\\"b'", "C:\\x,C:\\\\x", "'a\nb','a\\u000ab'", "\u00e9,\\u00e9",
    "\ud83d\ude00,\\ud83d\\ude00", "'\u007f','\\u007f'"})
  void textIsAscii(String text, String written) {
    assertEquals('"' + written + "\"\n", Json.document(text));
  }

  @Test
  void numbersAreNeverWrittenAsJsonDoesNotHaveThem() {
    assertEquals("12.500\n", Json.document(new BigDecimal("12.500")));
    assertEquals("123456789012345\n", Json.document(123456789012345L));
    assertEquals("10000000\n", Json.document(1e7));
    assertEquals("0.000012\n", Json.document(1.2e-5));
    assertEquals("null\n", Json.document(Double.NaN));
    assertEquals("null\n", Json.document(Double.POSITIVE_INFINITY));
  }
}
