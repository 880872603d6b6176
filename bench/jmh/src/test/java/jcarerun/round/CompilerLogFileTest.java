package jcarerun.round;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.StringReader;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;

/** Of which compiler a tree of calls in a compilation log is. */
class CompilerLogFileTest {
  private static final String SECOND = "  10    1       4       a.B::run (9 bytes)\n";
  private static final String FIRST = "  12    3       3       a.B::run (9 bytes)\n";
  private static final String NATIVE =
      "  11    2     n 0       java.lang.invoke.MethodHandle::invokeBasic(LLLL)I (native)   \n";
  private static final String CALL = "                              @ 3   a.B::go (7 bytes)   inline (hot)\n";

  private static String kept(String log) throws IOException {
    StringWriter out = new StringWriter();
    CompilerLogFile.copy(new BufferedReader(new StringReader(log)), out);
    return out.toString();
  }

  @Test
  void whatTheFirstCompilerMadeOfCallsIsLeftOut() throws IOException {
    assertEquals(SECOND + CALL + FIRST, kept(SECOND + CALL + FIRST + CALL));
  }

  @Test
  void aNativeWrapperLeavesTheSecondCompilersCalls() throws IOException {
    assertEquals(SECOND + NATIVE + CALL, kept(SECOND + NATIVE + CALL));
  }

  @Test
  void aNativeWrapperBringsNoCallsOfTheFirstCompiler() throws IOException {
    assertEquals(FIRST + NATIVE, kept(FIRST + NATIVE + CALL));
  }
}
