package jcarerun.tls;

import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import javax.net.ssl.SSLContext;
import jcarerun.Libraries;

/**
 * Jetty 7.6.15, the weblog's version, serving one small page by TLS. By reflection, since it has a class loader of its
 * own.
 */
public final class Jetty7 implements AutoCloseable {
  /** What the page holds. */
  public static final String PAGE = "measured\n";
  private static final String[] JARS = {
    "jetty-server", "jetty-http", "jetty-io", "jetty-util", "jetty-continuation", "servlet-api"
  };
  private static final int IDLE_MS = 200_000;

  private final Path folder;
  private final Object server;
  private final Object connector;

  /**
   * Starts it on loopback.
   *
   * @param kind blocking (SslSocketConnector, a thread for each connection) or selector (SslSelectChannelConnector)
   * @param threads of the server's pool, the acceptor's among them
   */
  public Jetty7(String kind, int threads, SSLContext context) throws IOException {
    if (!kind.equals("blocking") && !kind.equals("selector")) {
      throw new IllegalArgumentException("connector must be blocking or selector, is " + kind);
    }
    folder = Files.createTempDirectory("jcarerun-page");
    Files.write(folder.resolve("page"), PAGE.getBytes(StandardCharsets.US_ASCII));
    try {
      ClassLoader loader = Libraries.load("jetty7", JARS);
      Object factory = make(loader, "util.ssl.SslContextFactory");
      call(factory, "setSslContext", context);
      String type = kind.equals("blocking") ? "SslSocketConnector" : "SslSelectChannelConnector";
      connector = loader.loadClass("org.eclipse.jetty.server.ssl." + type)
          .getConstructor(factory.getClass()).newInstance(factory);
      call(connector, "setHost", "127.0.0.1");
      call(connector, "setPort", 0);
      call(connector, "setMaxIdleTime", IDLE_MS);
      call(connector, "setAcceptors", 1);
      Object handler = make(loader, "server.handler.ResourceHandler");
      call(handler, "setResourceBase", folder.toString());
      server = make(loader, "server.Server");
      Object pool = loader.loadClass("org.eclipse.jetty.util.thread.QueuedThreadPool")
          .getConstructor(int.class).newInstance(threads);
      call(pool, "setDaemon", true);
      call(server, "setThreadPool", pool);
      call(server, "addConnector", connector);
      call(server, "setHandler", handler);
      call(server, "start");
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("Jetty 7 doesn't start: " + (e.getCause() == null ? e : e.getCause()), e);
    }
  }

  private static Object make(ClassLoader loader, String name) throws ReflectiveOperationException {
    return loader.loadClass("org.eclipse.jetty." + name).getConstructor().newInstance();
  }

  /** Calls the public method of that name that takes the arguments. */
  private static Object call(Object target, String name, Object... args) throws ReflectiveOperationException {
    for (Method method : target.getClass().getMethods()) {
      Class<?>[] types = method.getParameterTypes();
      boolean fits = method.getName().equals(name) && types.length == args.length;
      for (int i = 0; fits && i < types.length; i++) {
        fits = types[i].isInstance(args[i]) || types[i] == int.class && args[i] instanceof Integer
            || types[i] == boolean.class && args[i] instanceof Boolean;
      }
      if (fits) {
        return method.invoke(target, args);
      }
    }
    throw new NoSuchMethodException(target.getClass().getName() + '.' + name);
  }

  /** The port it listens on. */
  public int port() {
    try {
      return (Integer) call(connector, "getLocalPort");
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("Jetty 7 doesn't tell its port: " + e, e);
    }
  }

  @Override
  public void close() throws IOException {
    try {
      call(server, "setGracefulShutdown", 0);
      call(server, "stop");
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("Jetty 7 doesn't stop: " + e.getCause(), e);
    } finally {
      Files.deleteIfExists(folder.resolve("page"));
      Files.deleteIfExists(folder);
    }
  }
}
