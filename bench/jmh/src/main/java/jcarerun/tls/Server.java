package jcarerun.tls;

import java.io.BufferedReader;
import java.io.Closeable;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import jcarerun.probe.JvmCounters;
import jcarerun.probe.LogFlags;

/** The server's JVM as the client's has it: a child process with the same options and a GC log of its own. */
public final class Server implements Closeable {
  private static final int ANSWER_SECONDS = 30;
  private static final String GONE = "";

  private final Process process;
  private final BlockingQueue<String> answers = new LinkedBlockingQueue<>();
  private final int port;

  /**
   * Starts it and waits until it listens.
   *
   * @throws IllegalStateException in one line when it doesn't; what it printed is in the fork's own log
   */
  public Server(Settings settings, Cpus cpus) throws IOException {
    this(ServerMain.class, settings.args(), cpus);
  }

  /**
   * The same with another program.
   *
   * @param main prints its port first, then answers lines as {@link ServerMain} does
   * @param cpus which it and this JVM use from now on
   */
  public Server(Class<?> main, List<String> args, Cpus cpus) throws IOException {
    process = new ProcessBuilder(command(main, args, cpus)).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    Thread reader = new Thread(this::listen, "tls-server-answers");
    reader.setDaemon(true);
    reader.start();
    boolean started = false;
    try {
      port = Integer.parseInt(answer());
      cpus.takeClients();
      started = true;
    } finally {
      if (!started) {
        process.destroyForcibly();
      }
    }
  }

  private static List<String> command(Class<?> main, List<String> args, Cpus cpus) {
    List<String> command = new ArrayList<>();
    command.add(new File(System.getProperty("java.home"), "bin/java").getPath());
    for (String option : ManagementFactory.getRuntimeMXBean().getInputArguments()) {
      if (!isForksOwn(option)) {
        command.add(option);
      }
    }
    String fork = System.getProperty("jcarerun.fork");
    if (fork != null) {
      command.addAll(LogFlags.collections(String.format("gc/%03d-server.log", Integer.parseInt(fork))));
    }
    command.addAll(cpus.serverOptions());
    command.add("-D" + Certificates.FOLDER + '=' + Certificates.folder());
    command.add("-cp");
    command.add(System.getProperty("java.class.path"));
    command.add(main.getName());
    command.addAll(args);
    return command;
  }

  /**
   * Whether an option of this JVM is not for the server's: options for the fork's logs, which two JVMs can't share, for
   * its number, and for the code that JMH generates.
   */
  static boolean isForksOwn(String option) {
    return option.matches("-Xlog.*|-XX:\\+PrintGC.*|-XX:CompileCommand.*|-agentlib.*|-javaagent.*|"
        + "-XX:([+-](PrintCompilation|PrintInlining|LogVMOutput|DisplayVMOutput)|LogFile=.*)|"
        + "-Djcarerun\\.(fork|iterations|observations|stacks)=.*|-D(jmh|surefire|basedir|jcarerun\\.tls)[^=]*=.*");
  }

  /**
   * The other side, in the server's JVM: tells its port, answers each line of the standard input with a report, and
   * ends the JVM with the input, which ends when the client's JVM is gone however it went.
   */
  static void answer(PrintStream out, int port, Supplier<String> report) throws IOException {
    out.println(port);
    BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII));
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      out.println(report.get());
    }
    Runtime.getRuntime().halt(0);
  }

  private void listen() {
    try (BufferedReader in = new BufferedReader(
        new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        answers.add(line);
      }
    } catch (IOException e) {
      // The pipe of a process that was ended: it is gone.
    }
    answers.add(GONE);
  }

  private String answer() {
    String answer;
    try {
      answer = answers.poll(ANSWER_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      throw new IllegalStateException("interrupted while the TLS server was asked", e);
    }
    if (answer == null) {
      throw new IllegalStateException("the TLS server did not answer within " + ANSWER_SECONDS + " s");
    }
    if (answer.equals(GONE)) {
      answers.add(GONE);
      throw new IllegalStateException("the TLS server ended by itself; what it printed is in the fork's log");
    }
    return answer;
  }

  /** The port it listens on. */
  public int port() {
    return port;
  }

  /**
   * Asks what it has done up to now.
   *
   * @throws IllegalStateException when it failed, or doesn't answer
   */
  public synchronized Reading read() {
    try {
      OutputStream in = process.getOutputStream();
      in.write("read\n".getBytes(StandardCharsets.US_ASCII));
      in.flush();
    } catch (IOException e) {
      throw new IllegalStateException("the TLS server ended by itself; what it printed is in the fork's log", e);
    }
    return Reading.of(answer());
  }

  /** Ends it: asks by closing its input, and kills it if that is not enough. */
  @Override
  public void close() {
    try {
      closeInput();
      if (!process.waitFor(ANSWER_SECONDS, TimeUnit.SECONDS)) {
        throw new IllegalStateException("the TLS server did not end within " + ANSWER_SECONDS + " s and was killed");
      }
    } catch (InterruptedException e) {
      throw new IllegalStateException("interrupted while the TLS server ended", e);
    } finally {
      process.destroyForcibly();
    }
  }

  private void closeInput() {
    try {
      process.getOutputStream().close();
    } catch (IOException e) {
      // A pipe to a process that is gone already.
    }
  }

  /** Whether its process lives. */
  boolean lives() {
    return process.isAlive();
  }

  /** What a server has done since its start. */
  public static final class Reading {
    /** CPU time of its threads. */
    public final long cpuNs;
    /** Connections that were answered. */
    public final long answered;
    /** Those of them whose client showed a certificate. */
    public final long authenticated;
    /** CPU time of its whole JVM, compilers and collector too; null where the system has none. */
    public final Long processNs;
    /** How long its compilers have worked; null where the JVM has none. */
    public final Long jitMs;

    private Reading(String[] parts) {
      this.cpuNs = Long.parseLong(parts[0]);
      this.answered = Long.parseLong(parts[1]);
      this.authenticated = Long.parseLong(parts[2]);
      this.processNs = parts[3].equals("-") ? null : Long.valueOf(parts[3]);
      this.jitMs = parts[4].equals("-") ? null : Long.valueOf(parts[4]);
    }

    /** The line with which a server answers: what it has counted itself, what its JVM has used, the first failure. */
    static String line(long cpuNs, long answered, long authenticated, String failure) {
      Long processNs = JvmCounters.allCpuNs();
      Long jitMs = JvmCounters.compilerMs();
      return cpuNs + " " + answered + ' ' + authenticated + ' ' + (processNs == null ? "-" : processNs) + ' '
          + (jitMs == null ? "-" : jitMs) + ' ' + failure.replaceAll("\\s*[\\r\\n]+\\s*", " ");
    }

    static Reading of(String line) {
      String[] parts = line.split(" ", 6);
      if (!parts[5].isEmpty()) {
        throw new IllegalStateException("the TLS server failed: " + parts[5]);
      }
      return new Reading(parts);
    }
  }
}
