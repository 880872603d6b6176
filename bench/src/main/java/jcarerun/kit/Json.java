package jcarerun.kit;

import java.math.BigDecimal;
import java.util.Iterator;
import java.util.Map;

/** Writes maps, lists, text, numbers, truth values and null as JSON in plain ASCII, so that no encoding matters. */
final class Json {
  private final StringBuilder text = new StringBuilder();

  private Json() {}

  /** A document with a line end, indented by one space for each level. */
  static String document(Object value) {
    Json json = new Json();
    json.value(value, 0);
    return json.text.append('\n').toString();
  }

  private void value(Object value, int depth) {
    if (value == null || value instanceof Boolean) {
      text.append(value);
    } else if (value instanceof Map) {
      members(((Map<?, ?>) value).entrySet(), '{', '}', depth);
    } else if (value instanceof Iterable) {
      members((Iterable<?>) value, '[', ']', depth);
    } else if (value instanceof Number) {
      number((Number) value);
    } else {
      string(value.toString());
    }
  }

  private void members(Iterable<?> members, char open, char close, int depth) {
    text.append(open);
    Iterator<?> iterator = members.iterator();
    boolean empty = !iterator.hasNext();
    while (iterator.hasNext()) {
      newline(depth + 1);
      Object member = iterator.next();
      if (open == '{') {
        Map.Entry<?, ?> entry = (Map.Entry<?, ?>) member;
        string(entry.getKey().toString());
        text.append(": ");
        value(entry.getValue(), depth + 1);
      } else {
        value(member, depth + 1);
      }
      text.append(iterator.hasNext() ? "," : "");
    }
    if (!empty) {
      newline(depth);
    }
    text.append(close);
  }

  private void newline(int depth) {
    text.append('\n');
    for (int i = 0; i < depth; i++) {
      text.append(' ');
    }
  }

  /** JSON has no NaN and no infinity: what is not known is null. */
  private void number(Number number) {
    boolean finite = !(number instanceof Double || number instanceof Float) || Double.isFinite(number.doubleValue());
    text.append(finite ? new BigDecimal(number.toString()).toPlainString() : "null");
  }

  private void string(String string) {
    text.append('"');
    for (char c : string.toCharArray()) {
      if (c == '"' || c == '\\') {
        text.append('\\').append(c);
      } else if (c >= ' ' && c < 127) {
        text.append(c);
      } else {
        text.append(String.format("\\u%04x", (int) c));
      }
    }
    text.append('"');
  }
}
