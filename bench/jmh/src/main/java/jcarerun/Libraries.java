package jcarerun;

import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;

/** Libraries that are measured but are not on the class path: jars in the benchmark jar, below {@code lib}. */
public final class Libraries {
  private Libraries() {}

  /**
   * A class loader of its own for some of them.
   *
   * @param folder below {@code lib}
   * @param jars names in it, without {@code .jar}
   */
  public static ClassLoader load(String folder, String... jars) throws IOException {
    Path here = Files.createTempDirectory("jcarerun-lib");
    here.toFile().deleteOnExit();
    URL[] urls = new URL[jars.length];
    for (int i = 0; i < jars.length; i++) {
      String name = "/lib/" + folder + '/' + jars[i] + ".jar";
      Path copy = here.resolve(jars[i] + ".jar");
      try (InputStream in = Libraries.class.getResourceAsStream(name)) {
        if (in == null) {
          throw new IllegalStateException("the benchmark jar has no " + name + "; build it again: mvn package");
        }
        Files.copy(in, copy);
      }
      copy.toFile().deleteOnExit();
      urls[i] = copy.toUri().toURL();
    }
    return new URLClassLoader(urls, Libraries.class.getClassLoader());
  }
}
