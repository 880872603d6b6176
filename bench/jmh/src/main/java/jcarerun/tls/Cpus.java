package jcarerun.tls;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;
import jcarerun.probe.JvmCounters;
import jcarerun.probe.Observations;

/**
 * The CPUs of a client and its server: one for each side, or all of the round's for both.
 *
 * <p>On shared CPUs the two sides' utilisations add up to the whole as soon as either is busy, so that one side's says
 * nothing of its own cost. Only Linux tells and sets them here, by taskset(1).
 */
public final class Cpus {
  private static final String SERVERS = "jcarerun.server-cpu";
  private static final Path TASKS = Paths.get("/proc/self/task");
  private static final Path SYSTEM = Paths.get("/sys/devices/system/cpu");
  /** A thread that another thread makes while all are being moved may be missed. */
  private static final int ATTEMPTS = 5;
  /** What this JVM might use when it was asked first: later it has moved to one of them. */
  private static List<Integer> found;

  private final Integer client;
  private final Integer server;

  private Cpus(Integer client, Integer server) {
    this.client = client;
    this.server = server;
  }

  /**
   * The CPUs of a new client and server.
   *
   * @param how own, a CPU for each side, or shared
   * @throws IllegalArgumentException when it is neither
   * @throws IllegalStateException when there are no two CPUs, or the system doesn't tell
   */
  public static Cpus of(String how) {
    if (!Arrays.asList("own", "shared").contains(how)) {
      throw new IllegalArgumentException("cpus must be own or shared, is " + how);
    }
    if (how.equals("shared")) {
      return new Cpus(null, null);
    }
    List<Integer> usable = usable();
    if (usable.size() < 2) {
      throw new IllegalStateException("cpus=own needs Linux and two CPUs, one for each side; this process may use "
          + (usable.isEmpty() ? "some that the system doesn't tell" : usable));
    }
    return new Cpus(usable.get(0), usable.get(1));
  }

  /** The CPUs that this JVM may use; empty where the system has none. */
  static synchronized List<Integer> usable() {
    if (found == null) {
      try {
        found = Collections.unmodifiableList(JvmCounters.cpus(allowed(Paths.get("/proc/self/status"))));
      } catch (IOException e) {
        found = Collections.emptyList();
      }
    }
    return found;
  }

  private static String allowed(Path status) throws IOException {
    for (String line : Files.readAllLines(status, StandardCharsets.ISO_8859_1)) {
      if (line.startsWith("Cpus_allowed_list:")) {
        return line.substring(line.indexOf(':') + 1).trim();
      }
    }
    throw new IOException(status + " has no Cpus_allowed_list");
  }

  /** Options of the server's JVM that name its CPU. */
  List<String> serverOptions() {
    return server == null ? Collections.emptyList() : Collections.singletonList("-D" + SERVERS + '=' + server);
  }

  /** Moves this JVM to the server's CPU, if its options name one. */
  static void takeServers() throws IOException {
    Integer cpu = Integer.getInteger(SERVERS);
    if (cpu != null) {
      move(Collections.singletonList(cpu));
    }
  }

  /** Moves this JVM to the client's CPU, if each side has its own. */
  void takeClients() throws IOException {
    if (client != null) {
      move(Collections.singletonList(client));
    }
  }

  /** Moves all threads of this JVM, and with them those that they will make, to some CPUs. */
  static void move(List<Integer> cpus) throws IOException {
    String wanted = cpus.stream().map(String::valueOf).collect(Collectors.joining(","));
    String process = Files.readSymbolicLink(Paths.get("/proc/self")).toString();
    for (int attempt = 0; !areOn(cpus); attempt++) {
      if (attempt == ATTEMPTS) {
        throw new IllegalStateException("some thread of the JVM stays off CPU " + wanted + " whatever taskset does");
      }
      run("taskset", "-a", "-c", "-p", wanted, process);
    }
  }

  private static boolean areOn(List<Integer> cpus) throws IOException {
    try (DirectoryStream<Path> threads = Files.newDirectoryStream(TASKS)) {
      for (Path thread : threads) {
        try {
          if (!JvmCounters.cpus(allowed(thread.resolve("status"))).equals(cpus)) {
            return false;
          }
        } catch (NoSuchFileException e) {
          // It has ended.
        }
      }
    }
    return true;
  }

  private static void run(String... command) throws IOException {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    process.getOutputStream().close();
    String last = "";
    try (BufferedReader out = new BufferedReader(
        new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
      for (String line = out.readLine(); line != null; line = out.readLine()) {
        last = line;
      }
      if (process.waitFor() != 0) {
        throw new IOException(String.join(" ", command) + " failed: " + last);
      }
    } catch (InterruptedException e) {
      throw new IOException("interrupted while " + command[0] + " ran", e);
    }
  }

  /** Observes the two CPUs, and whether they are cores of their own, not two threads of one core. */
  void observe() {
    if (client == null) {
      return;
    }
    Observations.add("client-on-cpu", client);
    Observations.add("server-on-cpu", server);
    try {
      byte[] siblings =
          Files.readAllBytes(SYSTEM.resolve("cpu" + client).resolve("topology").resolve("thread_siblings_list"));
      boolean same = JvmCounters.cpus(new String(siblings, StandardCharsets.US_ASCII).trim()).contains(server);
      Observations.add("own-cores", same ? 0 : 1);
    } catch (IOException e) {
      // The system has none.
    }
  }
}
