package jcarerun.tls;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Array;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;

/**
 * A Jetty on loopback that serves a site by TLS or plainly: 7.6.15, the weblog's version, or today's 12, which needs
 * Java 17. By reflection, since each has a class loader of its own and our code runs on JDK 8 too.
 */
public final class Jetty implements Closeable {
  private static final String JETTY = "org.eclipse.jetty.";
  private static final int IDLE_MS = 200_000;
  /** How long the pool must stay as it is, to count as having started all threads that it starts by itself. */
  private static final int STILL_MS = 100;

  private final String version;
  private final Site site;
  private final ClassLoader loader;
  private final Object server;
  private final Object connector;
  private final Object pool;

  private Jetty(String version, boolean blocking, int threads, SSLContext context, Site site, String... jars)
      throws IOException {
    this.version = version;
    this.site = site;
    ClassLoader before = Thread.currentThread().getContextClassLoader();
    try {
      loader = load("jetty" + version, jars);
      Thread.currentThread().setContextClassLoader(loader);
      pool = type("util.thread.QueuedThreadPool").getConstructor(int.class).newInstance(threads);
      call(pool, "setDaemon", true);
      boolean seven = version.equals("7");
      server = seven ? make("server.Server")
          : type("server.Server").getConstructor(type("util.thread.ThreadPool")).newInstance(pool);
      if (seven) {
        call(server, "setThreadPool", pool);
      }
      connector = seven ? connectorOfSeven(blocking, context) : connectorOfTwelve(context);
      call(connector, "setHost", "127.0.0.1");
      call(connector, seven ? "setMaxIdleTime" : "setIdleTimeout", seven ? (Object) IDLE_MS : (Object) (long) IDLE_MS);
      call(server, "addConnector", connector);
      Object handler = make("server.handler.ResourceHandler");
      if (seven) {
        call(handler, "setResourceBase", site.folder.toString());
      } else {
        Class<?> factory = type("util.resource.ResourceFactory");
        Object root = factory.getMethod("root").invoke(null);
        call(handler, "setBaseResource", factory.getMethod("newResource", Path.class).invoke(root, site.folder));
      }
      call(server, "setHandler", site.working(type("server.Handler"), handler));
      call(server, "start");
    } catch (ReflectiveOperationException | LinkageError e) {
      throw new IllegalStateException(
          "Jetty " + version + " doesn't start: " + (e.getCause() == null ? e : e.getCause()), e);
    } finally {
      Thread.currentThread().setContextClassLoader(before);
    }
  }

  /**
   * Starts Jetty 7.
   *
   * @param kind blocking (SslSocketConnector, a thread for each connection) or selector (SslSelectChannelConnector)
   * @param threads of the server's pool, the acceptor's among them
   * @param context null for plain HTTP, by SelectChannelConnector or SocketConnector
   * @param site is closed with the server
   */
  public static Jetty seven(String kind, int threads, SSLContext context, Site site) throws IOException {
    if (!kind.equals("blocking") && !kind.equals("selector")) {
      throw new IllegalArgumentException("connector must be blocking or selector, is " + kind);
    }
    return new Jetty("7", kind.equals("blocking"), threads, context, site,
        "jetty-server", "jetty-http", "jetty-io", "jetty-util", "jetty-continuation", "servlet-api");
  }

  /**
   * Starts Jetty 12.
   *
   * @param threads most threads of the server's pool
   * @param context null for plain HTTP
   * @param site is closed with the server
   */
  public static Jetty twelve(int threads, SSLContext context, Site site) throws IOException {
    return new Jetty("12", false, threads, context, site,
        "jetty-server", "jetty-http", "jetty-io", "jetty-util", "slf4j-api");
  }

  private Object connectorOfSeven(boolean blocking, SSLContext context) throws ReflectiveOperationException {
    Object made;
    if (context == null) {
      made = make(blocking ? "server.bio.SocketConnector" : "server.nio.SelectChannelConnector");
    } else {
      Object factory = make("util.ssl.SslContextFactory");
      call(factory, "setSslContext", context);
      made = type("server.ssl." + (blocking ? "SslSocketConnector" : "SslSelectChannelConnector"))
          .getConstructor(factory.getClass()).newInstance(factory);
    }
    call(made, "setPort", 0);
    call(made, "setAcceptors", 1);
    return made;
  }

  private Object connectorOfTwelve(SSLContext context) throws ReflectiveOperationException {
    Object chain = Array.newInstance(type("server.ConnectionFactory"), context == null ? 1 : 2);
    Array.set(chain, Array.getLength(chain) - 1, make("server.HttpConnectionFactory"));
    if (context != null) {
      Object ssl = make("util.ssl.SslContextFactory$Server");
      call(ssl, "setSslContext", context);
      Object factory = type("server.SslConnectionFactory").getConstructor(ssl.getClass(), String.class)
          .newInstance(ssl, "http/1.1");
      // It would refuse requests to a host that the certificate doesn't name.
      call(factory, "setEnsureSecureRequestCustomizer", false);
      Array.set(chain, 0, factory);
    }
    return type("server.ServerConnector").getConstructor(server.getClass(), chain.getClass())
        .newInstance(server, chain);
  }

  /** A class loader of its own for Jetty's jars, which lie in the benchmark jar below {@code lib}. */
  private static ClassLoader load(String folder, String... jars) throws IOException {
    Path here = Files.createTempDirectory("jcarerun-lib");
    here.toFile().deleteOnExit();
    URL[] urls = new URL[jars.length];
    for (int i = 0; i < jars.length; i++) {
      String name = "/lib/" + folder + '/' + jars[i] + ".jar";
      Path copy = here.resolve(jars[i] + ".jar");
      try (InputStream in = Jetty.class.getResourceAsStream(name)) {
        if (in == null) {
          throw new IllegalStateException("the benchmark jar has no " + name + "; build it again: mvn package");
        }
        Files.copy(in, copy);
      }
      copy.toFile().deleteOnExit();
      urls[i] = copy.toUri().toURL();
    }
    return new URLClassLoader(urls, Jetty.class.getClassLoader());
  }

  private Class<?> type(String name) throws ReflectiveOperationException {
    return loader.loadClass(JETTY + name);
  }

  private Object make(String name) throws ReflectiveOperationException {
    return type(name).getConstructor().newInstance();
  }

  /** Calls the public method of that name that takes the arguments. */
  private static Object call(Object target, String name, Object... args) throws ReflectiveOperationException {
    for (Method method : target.getClass().getMethods()) {
      Class<?>[] types = method.getParameterTypes();
      boolean fits = method.getName().equals(name) && types.length == args.length;
      for (int i = 0; fits && i < types.length; i++) {
        fits = types[i].isInstance(args[i]) || types[i] == int.class && args[i] instanceof Integer
            || types[i] == long.class && args[i] instanceof Long
            || types[i] == boolean.class && args[i] instanceof Boolean;
      }
      if (fits) {
        return method.invoke(target, args);
      }
    }
    throw new NoSuchMethodException(target.getClass().getName() + '.' + name);
  }

  /** What a method that takes nothing returns, of a Jetty that has started. */
  private int ask(Object target, String name) {
    try {
      return (Integer) call(target, name);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("Jetty " + version + " doesn't answer " + name + ": " + e, e);
    }
  }

  /** The port it listens on. */
  public int port() {
    return ask(connector, "getLocalPort");
  }

  /**
   * Threads of the pool that no acceptor or selector holds; asked while there are no connections. Waits until the pool
   * is still.
   */
  public int freeThreads() {
    try {
      int free = -1;
      for (int now = free(); now != free; now = free()) {
        free = now;
        TimeUnit.MILLISECONDS.sleep(STILL_MS);
      }
      return free;
    } catch (InterruptedException e) {
      throw new IllegalStateException("interrupted while Jetty started its threads", e);
    }
  }

  private int free() {
    return ask(pool, "getMaxThreads") - ask(pool, "getThreads") + ask(pool, "getIdleThreads");
  }

  @Override
  public void close() throws IOException {
    try {
      if (version.equals("7")) {
        call(server, "setGracefulShutdown", 0);
      }
      call(server, "stop");
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("Jetty " + version + " doesn't stop: " + e.getCause(), e);
    } finally {
      site.close();
    }
  }
}
