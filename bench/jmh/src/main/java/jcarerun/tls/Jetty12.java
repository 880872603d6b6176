package jcarerun.tls;

import java.io.IOException;
import java.lang.reflect.Array;
import java.nio.file.Path;
import javax.net.ssl.SSLContext;
import jcarerun.Libraries;

/**
 * Today's Jetty, serving a site plainly or by TLS; needs Java 17. By reflection, since it has a class loader of
 * its own and our code runs on JDK 8 too.
 */
public final class Jetty12 implements AutoCloseable {
  private static final String[] JARS = {"jetty-server", "jetty-http", "jetty-io", "jetty-util", "slf4j-api"};
  private static final String JETTY = "org.eclipse.jetty.";
  private static final int IDLE_MS = 200_000;

  private final Site site;
  private final Object server;
  private final Object connector;

  /**
   * Starts it on loopback.
   *
   * @param threads most threads of the server's pool
   * @param context null for plain HTTP
   * @param site is closed with the server
   * @throws IllegalStateException in one line when it doesn't start
   */
  public Jetty12(int threads, SSLContext context, Site site) throws IOException {
    this.site = site;
    ClassLoader before = Thread.currentThread().getContextClassLoader();
    try {
      ClassLoader loader = Libraries.load("jetty12", JARS);
      Thread.currentThread().setContextClassLoader(loader);
      Class<?> pools = loader.loadClass(JETTY + "util.thread.ThreadPool");
      Object pool = loader.loadClass(JETTY + "util.thread.QueuedThreadPool").getConstructor(int.class)
          .newInstance(threads);
      server = loader.loadClass(JETTY + "server.Server").getConstructor(pools).newInstance(pool);
      connector = connector(loader, context);
      Class<?> type = connector.getClass();
      type.getMethod("setHost", String.class).invoke(connector, "127.0.0.1");
      type.getMethod("setIdleTimeout", long.class).invoke(connector, (long) IDLE_MS);
      server.getClass().getMethod("addConnector", loader.loadClass(JETTY + "server.Connector"))
          .invoke(server, connector);
      server.getClass().getMethod("setHandler", loader.loadClass(JETTY + "server.Handler"))
          .invoke(server, handler(loader));
      server.getClass().getMethod("start").invoke(server);
    } catch (ReflectiveOperationException | LinkageError e) {
      throw new IllegalStateException("Jetty 12 doesn't start: " + (e.getCause() == null ? e : e.getCause()), e);
    } finally {
      Thread.currentThread().setContextClassLoader(before);
    }
  }

  private Object connector(ClassLoader loader, SSLContext context) throws ReflectiveOperationException {
    Class<?> factories = loader.loadClass(JETTY + "server.ConnectionFactory");
    Object http = loader.loadClass(JETTY + "server.HttpConnectionFactory").getConstructor().newInstance();
    Object chain = Array.newInstance(factories, context == null ? 1 : 2);
    Array.set(chain, Array.getLength(chain) - 1, http);
    if (context != null) {
      Class<?> settings = loader.loadClass(JETTY + "util.ssl.SslContextFactory$Server");
      Object ssl = settings.getConstructor().newInstance();
      settings.getMethod("setSslContext", SSLContext.class).invoke(ssl, context);
      Class<?> type = loader.loadClass(JETTY + "server.SslConnectionFactory");
      Object factory = type.getConstructor(settings, String.class).newInstance(ssl, "http/1.1");
      // It would refuse requests to a host that the certificate doesn't name.
      type.getMethod("setEnsureSecureRequestCustomizer", boolean.class).invoke(factory, false);
      Array.set(chain, 0, factory);
    }
    return loader.loadClass(JETTY + "server.ServerConnector")
        .getConstructor(server.getClass(), chain.getClass()).newInstance(server, chain);
  }

  private Object handler(ClassLoader loader) throws ReflectiveOperationException {
    Class<?> factory = loader.loadClass(JETTY + "util.resource.ResourceFactory");
    Object root = factory.getMethod("root").invoke(null);
    Object base = factory.getMethod("newResource", Path.class).invoke(root, site.folder);
    Class<?> type = loader.loadClass(JETTY + "server.handler.ResourceHandler");
    Object handler = type.getConstructor().newInstance();
    type.getMethod("setBaseResource", loader.loadClass(JETTY + "util.resource.Resource")).invoke(handler, base);
    return site.working(loader.loadClass(JETTY + "server.Handler"), handler);
  }

  /** The port it listens on. */
  public int port() {
    try {
      return (Integer) connector.getClass().getMethod("getLocalPort").invoke(connector);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("Jetty 12 doesn't tell its port: " + e, e);
    }
  }

  @Override
  public void close() throws IOException {
    try {
      server.getClass().getMethod("stop").invoke(server);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("Jetty 12 doesn't stop: " + e.getCause(), e);
    } finally {
      site.close();
    }
  }
}
