package jcarerun.tls;

import java.io.IOException;
import java.lang.reflect.Method;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import jcarerun.Libraries;

/**
 * Jetty 7.6.15, the weblog's version, serving a site by TLS or plainly. By reflection, since it has a class loader of
 * its own.
 */
public final class Jetty7 implements AutoCloseable {
  private static final String[] JARS = {
    "jetty-server", "jetty-http", "jetty-io", "jetty-util", "jetty-continuation", "servlet-api"
  };
  private static final int IDLE_MS = 200_000;
  /** How long the pool must stay as it is, to count as having started all threads that it starts by itself. */
  private static final int STILL_MS = 100;

  private final Site site;
  private final Object server;
  private final Object connector;
  private final Object pool;

  /**
   * Starts it on loopback.
   *
   * @param kind blocking (SslSocketConnector, a thread for each connection) or selector (SslSelectChannelConnector)
   * @param threads of the server's pool, the acceptor's among them
   * @param context null for plain HTTP, by SelectChannelConnector or SocketConnector
   * @param site is closed with the server
   */
  public Jetty7(String kind, int threads, SSLContext context, Site site) throws IOException {
    if (!kind.equals("blocking") && !kind.equals("selector")) {
      throw new IllegalArgumentException("connector must be blocking or selector, is " + kind);
    }
    this.site = site;
    try {
      ClassLoader loader = Libraries.load("jetty7", JARS);
      connector = connector(loader, kind.equals("blocking"), context);
      call(connector, "setHost", "127.0.0.1");
      call(connector, "setPort", 0);
      call(connector, "setMaxIdleTime", IDLE_MS);
      call(connector, "setAcceptors", 1);
      Object handler = make(loader, "server.handler.ResourceHandler");
      call(handler, "setResourceBase", site.folder.toString());
      server = make(loader, "server.Server");
      pool = loader.loadClass("org.eclipse.jetty.util.thread.QueuedThreadPool")
          .getConstructor(int.class).newInstance(threads);
      call(pool, "setDaemon", true);
      call(server, "setThreadPool", pool);
      call(server, "addConnector", connector);
      call(server, "setHandler", site.working(loader.loadClass("org.eclipse.jetty.server.Handler"), handler));
      call(server, "start");
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("Jetty 7 doesn't start: " + (e.getCause() == null ? e : e.getCause()), e);
    }
  }

  private static Object connector(ClassLoader loader, boolean blocking, SSLContext context)
      throws ReflectiveOperationException {
    if (context == null) {
      return make(loader, blocking ? "server.bio.SocketConnector" : "server.nio.SelectChannelConnector");
    }
    Object factory = make(loader, "util.ssl.SslContextFactory");
    call(factory, "setSslContext", context);
    String type = blocking ? "SslSocketConnector" : "SslSelectChannelConnector";
    return loader.loadClass("org.eclipse.jetty.server.ssl." + type)
        .getConstructor(factory.getClass()).newInstance(factory);
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
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("Jetty 7 doesn't tell its threads: " + e, e);
    } catch (InterruptedException e) {
      throw new IllegalStateException("interrupted while Jetty 7 started its threads", e);
    }
  }

  private int free() throws ReflectiveOperationException {
    return (Integer) call(pool, "getMaxThreads") - (Integer) call(pool, "getThreads")
        + (Integer) call(pool, "getIdleThreads");
  }

  @Override
  public void close() throws IOException {
    try {
      call(server, "setGracefulShutdown", 0);
      call(server, "stop");
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("Jetty 7 doesn't stop: " + e.getCause(), e);
    } finally {
      site.close();
    }
  }
}
