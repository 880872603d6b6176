package jcarerun.workload;

import java.util.Random;

/** What is encrypted: bytes that are the same in every fork. */
final class Contents {
  private static final long SEED = 20130801L;

  private static final String[] WORDS = {
    "the", "of", "and", "a", "to", "in", "is", "that", "it", "was", "for", "on", "with", "as", "be", "at", "by",
    "this", "had", "not", "from", "or", "have", "an", "they", "which", "one", "were", "all", "their", "when", "there",
    "water", "letter", "number", "people", "between", "country", "through", "question", "morning", "together",
  };

  private Contents() {}

  /**
   * Makes a file's content.
   *
   * @param content {@code random} for random bytes, {@code text} for words that look like English
   */
  static byte[] make(String content, int bytes) {
    if (bytes <= 0) {
      throw new IllegalArgumentException("bytes must be positive, is " + bytes);
    }
    byte[] made = new byte[bytes];
    Random random = new Random(SEED);
    switch (content) {
      case "random":
        random.nextBytes(made);
        return made;
      case "text":
        writeWords(made, random);
        return made;
      default:
        throw new IllegalArgumentException("content must be random or text, is " + content);
    }
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
