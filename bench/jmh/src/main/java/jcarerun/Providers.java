package jcarerun;

import java.io.File;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.security.Provider;
import java.security.Security;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Finds the JCA provider that belongs to a provider id.
 *
 * <p>The system property {@code jcarerun.provider.<id>} says what an id stands for: the JCA name of an installed
 * provider ({@code SunJCE}), or {@code <class>@<jar>}, with more jars after commas. Without the
 * property the id itself is taken for a JCA name. The id {@code default} is the JCA's own search order.
 */
public final class Providers {
  private static final String PREFIX = "jcarerun.provider.";

  /** Package of the adapters, which are ours and are given the class loader of the library. */
  private static final String ADAPTERS = "jcarerun.adapter.";

  private static final Map<String, Provider> LOADED = new ConcurrentHashMap<>();

  private Providers() {}

  /**
   * Returns the provider of an id.
   *
   * @return the provider, never inserted into the JCA's list, or null for {@code default}
   * @throws IllegalArgumentException in one line, when the id stands for nothing that can be loaded
   */
  public static Provider get(String id) {
    if (id.equals("default")) {
      return null;
    }
    String value = System.getProperty(PREFIX + id, id);
    int at = value.indexOf('@');
    if (at >= 0) {
      return load(id, value.substring(0, at), value.substring(at + 1));
    }
    Provider installed = Security.getProvider(value);
    if (installed == null) {
      throw new IllegalArgumentException("provider '" + id + "' is unknown: must be one of " + known()
          + ", or be given as -D" + PREFIX + id + "=<JCA name> or -D" + PREFIX + id + "=<class>@<jar>");
    }
    return installed;
  }

  /** A class loader for each provider, so that two versions of one can be measured with the same jar of ours. */
  private static Provider load(String id, String className, String classPath) {
    // Once only: a provider that unpacks native code would do that again, and compiled code would be for one copy.
    return LOADED.computeIfAbsent(id + ' ' + className + '@' + classPath, key -> loadAnew(id, className, classPath));
  }

  private static Provider loadAnew(String id, String className, String classPath) {
    String where = "provider '" + id + "' can't be loaded: ";
    try {
      // The parent sees the JDK only: whatever lies on our own class path mustn't shadow the jar that is named.
      ClassLoader loader = new URLClassLoader(urls(where, classPath), ClassLoader.getSystemClassLoader().getParent());
      if (className.startsWith(ADAPTERS)) {
        return (Provider) Class.forName(className).getConstructor(ClassLoader.class).newInstance(loader);
      }
      return (Provider) Class.forName(className, true, loader).getConstructor().newInstance();
    } catch (ClassNotFoundException e) {
      throw new IllegalArgumentException(where + "class " + className + " isn't in " + classPath, e);
    } catch (ReflectiveOperationException | LinkageError | ClassCastException e) {
      Throwable cause = e.getCause() == null ? e : e.getCause();
      throw new IllegalArgumentException(where + className + " from " + classPath + ": " + cause, e);
    }
  }

  private static URL[] urls(String where, String classPath) {
    String[] paths = classPath.split(",");
    URL[] urls = new URL[paths.length];
    for (int i = 0; i < paths.length; i++) {
      File file = new File(paths[i]);
      if (!file.canRead()) {
        throw new IllegalArgumentException(where + "can't read " + file);
      }
      try {
        urls[i] = file.toURI().toURL();
      } catch (MalformedURLException e) {
        throw new IllegalArgumentException(where + "no URL for " + file, e);
      }
    }
    return urls;
  }

  private static TreeSet<String> known() {
    TreeSet<String> ids = new TreeSet<>();
    ids.add("default");
    for (Provider provider : Security.getProviders()) {
      ids.add(provider.getName());
    }
    for (String property : System.getProperties().stringPropertyNames()) {
      if (property.startsWith(PREFIX)) {
        ids.add(property.substring(PREFIX.length()));
      }
    }
    return ids;
  }
}
