package jcarerun.tls;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.concurrent.TimeUnit;

/** What a web server serves: one page, and what each request costs it before the page is sent. */
public final class Site implements AutoCloseable {
  private static final String WORDS = "measured\n";

  final Path folder;
  private final Runnable work;

  /**
   * Writes the page into a folder of its own.
   *
   * @param bytes length of the page
   * @param work done by the thread that handles a request
   */
  public Site(int bytes, Runnable work) throws IOException {
    this.folder = Files.createTempDirectory("jcarerun-page");
    this.work = work;
    Files.write(folder.resolve("page"), page(bytes).getBytes(StandardCharsets.US_ASCII));
  }

  /** What a page of so many bytes holds. */
  public static String page(int bytes) {
    if (bytes < 1) {
      throw new IllegalArgumentException("a page must have a byte or more, has " + bytes);
    }
    StringBuilder text = new StringBuilder(bytes + WORDS.length());
    while (text.length() < bytes) {
      text.append(WORDS);
    }
    return text.substring(0, bytes);
  }

  /** Work that waits, as for a database. */
  public static Runnable waiting(int ms) {
    return ms == 0 ? () -> { } : () -> {
      try {
        TimeUnit.MILLISECONDS.sleep(ms);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    };
  }

  /** Work that takes so much of its thread's CPU time, whatever the JVM has compiled: digests of digests. */
  public static Runnable computing(int us) {
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    return us == 0 ? () -> { } : () -> {
      byte[] block = new byte[32];
      long end = threads.getCurrentThreadCpuTime() + TimeUnit.MICROSECONDS.toNanos(us);
      try {
        MessageDigest digest = MessageDigest.getInstance("SHA-256");
        while (threads.getCurrentThreadCpuTime() < end) {
          block = digest.digest(block);
        }
      } catch (NoSuchAlgorithmException e) {
        throw new IllegalStateException("this JVM has no SHA-256, which every JVM must have", e);
      }
    };
  }

  /**
   * A handler of a Jetty that does the work and lets another one of that Jetty handle the request.
   *
   * @param type Jetty's interface of handlers
   */
  Object working(Class<?> type, Object handler) {
    return Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (proxy, method, args) -> {
      if (method.getName().equals("getInvocationType")) {
        return blocking(method);
      }
      if (method.getName().equals("handle")) {
        work.run();
      }
      try {
        return method.invoke(handler, args);
      } catch (InvocationTargetException e) {
        throw e.getCause();
      }
    });
  }

  /** Jetty 12 would have what never blocks done by the thread that waits for other connections. */
  private static Object blocking(Method method) {
    for (Object type : method.getReturnType().getEnumConstants()) {
      if (type.toString().equals("BLOCKING")) {
        return type;
      }
    }
    throw new IllegalStateException(method + " knows no BLOCKING");
  }

  @Override
  public void close() throws IOException {
    Files.deleteIfExists(folder.resolve("page"));
    Files.deleteIfExists(folder);
  }
}
