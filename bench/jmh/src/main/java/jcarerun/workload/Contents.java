package jcarerun.workload;

import java.nio.charset.StandardCharsets;
import java.util.Random;

/** What is encrypted or hashed: bytes that are the same in every fork; the fixed ones also in native code. */
final class Contents {
  /** Printable characters, the same in native code; keys are then fixed too. */
  static final String FIXED = "fixed";

  private static final long FACTOR = 6364136223846793005L;
  private static final long STEP = 1442695040888963407L;

  private static final long SEED = 20130801L;

  private static final String[] WORDS = {
    "the", "of", "and", "a", "to", "in", "is", "that", "it", "was", "for", "on", "with", "as", "be", "at", "by",
    "this", "had", "not", "from", "or", "have", "an", "they", "which", "one", "were", "all", "their", "when", "there",
    "water", "letter", "number", "people", "between", "country", "through", "question", "morning", "together",
  };

  private Contents() {}

  static boolean isFixed(String content) {
    return content.equals(FIXED);
  }

  /**
   * Makes a text.
   *
   * @param content {@code fixed}; {@code random} for random bytes; {@code text} for words that look like English;
   *     {@code message} for the 11 bytes of "hello world", whatever the length asked for
   */
  static byte[] make(String content, int bytes) {
    if (content.equals("message")) {
      return "hello world".getBytes(StandardCharsets.US_ASCII);
    }
    if (isFixed(content)) {
      return fixed(bytes);
    }
    if (bytes <= 0) {
      throw new IllegalArgumentException("bytes must be positive, is " + bytes);
    }
    byte[] made = new byte[bytes];
    Random random = new Random(SEED);
    if (content.equals("random")) {
      random.nextBytes(made);
    } else if (content.equals("text")) {
      writeWords(made, random);
    } else {
      throw new IllegalArgumentException("content must be fixed, random, text or message, is " + content);
    }
    return made;
  }

  /**
   * Random text: printable ASCII from a linear congruence that starts at 1, modulo 2 to the power of 64, the upper 31
   * bits of each state modulo 95.
   */
  static byte[] fixed(int bytes) {
    if (bytes <= 0) {
      throw new IllegalArgumentException("bytes must be positive, is " + bytes);
    }
    byte[] made = new byte[bytes];
    long state = 1;
    for (int i = 0; i < bytes; i++) {
      state = state * FACTOR + STEP;
      made[i] = (byte) (' ' + (state >>> 33) % 95);
    }
    return made;
  }

  /** Fixed bytes, the same in every language: {@code first}, {@code first + 1}, ... modulo 256. */
  static byte[] counted(int first, int bytes) {
    byte[] made = new byte[bytes];
    for (int i = 0; i < bytes; i++) {
      made[i] = (byte) (first + i);
    }
    return made;
  }

  private static void writeWords(byte[] made, Random random) {
    int at = 0;
    for (int count = 1; at < made.length; count++) {
      // Squaring favours the front of the list, where the short and frequent words are.
      double place = random.nextDouble();
      String word = WORDS[(int) (place * place * WORDS.length)] + (count % 12 == 0 ? ".\n" : " ");
      for (int i = 0; i < word.length() && at < made.length; i++) {
        made[at++] = (byte) word.charAt(i);
      }
    }
  }
}
