package jcarerun.kit;

import java.io.File;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/** What the pipeline's audit says of a machine, as far as Java and the system's own tools tell; null for the rest. */
final class Facts {
  private static final String CPU = "/sys/devices/system/cpu/";

  private Facts() {}

  /** The facts by name, with the names that bench/rounds/audit.py gives them. */
  static Map<String, Object> read(String platform, String id, String cpu) {
    Map<String, Object> facts = new LinkedHashMap<>();
    String info = Ask.file("/proc/cpuinfo");
    String flags = Ask.field(info, "flags", ':');
    facts.put("machine_id", id);
    facts.put("system", System.getProperty("os.name"));
    facts.put("kernel", System.getProperty("os.version"));
    facts.put("architecture", System.getProperty("os.arch"));
    facts.put("cpu_model", cpu);
    facts.put("cpu_flags", platform.equals("macos") ? Ask.program("sysctl", "-n", "machdep.cpu.features") : flags);
    facts.put("cpu_microcode", Ask.field(info, "microcode", ':'));
    facts.put("cpus_online", Runtime.getRuntime().availableProcessors());
    facts.put("cpus_isolated", Ask.file(CPU + "isolated"));
    facts.put("hypervisor", hypervisor(flags));
    facts.put("container", new File("/.dockerenv").exists() ? "docker"
        : new File("/run/.containerenv").exists() ? "podman" : null);
    facts.put("governor", all("cpufreq/scaling_governor"));
    facts.put("frequency_driver", all("cpufreq/scaling_driver"));
    facts.put("frequency_max_khz", all("cpufreq/scaling_max_freq"));
    facts.put("turbo_off", Ask.file(CPU + "intel_pstate/no_turbo"));
    facts.put("boost", Ask.file(CPU + "cpufreq/boost"));
    facts.put("idle_driver", Ask.file(CPU + "cpuidle/current_driver"));
    facts.put("smt", Ask.file(CPU + "smt/active"));
    facts.put("smt_control", Ask.file(CPU + "smt/control"));
    facts.put("clock_source", Ask.file("/sys/devices/system/clocksource/clocksource0/current_clocksource"));
    facts.put("mitigations", mitigations());
    facts.put("perf_counters", Ask.file("/sys/bus/event_source/devices/cpu/type"));
    facts.put("perf_event_paranoid", Ask.file("/proc/sys/kernel/perf_event_paranoid"));
    facts.put("memory_kb", memoryKb("MemTotal", "TotalPhysicalMemorySize"));
    facts.put("swap_kb", memoryKb("SwapTotal", "TotalSwapSpaceSize"));
    facts.put("transparent_huge_pages", Ask.file("/sys/kernel/mm/transparent_hugepage/enabled"));
    facts.put("cgroup", !platform.equals("linux") ? null
        : new File("/sys/fs/cgroup/cgroup.controllers").exists() ? "v2" : "v1");
    return facts;
  }

  private static String hypervisor(String flags) {
    if (flags == null || !Arrays.asList(flags.split(" ")).contains("hypervisor")) {
      return null;
    }
    String vendor = Ask.file("/sys/class/dmi/id/sys_vendor");
    String product = Ask.file("/sys/class/dmi/id/product_name");
    String name = ((vendor == null ? "" : vendor) + ' ' + (product == null ? "" : product)).trim();
    return name.isEmpty() ? "present" : name;
  }

  /** What a file says for each CPU; once if all say the same. */
  private static String all(String file) {
    TreeSet<String> found = new TreeSet<>(ofEveryCpu(file));
    return found.isEmpty() ? null : String.join(", ", found);
  }

  /** What a file of each CPU says, where it is there. */
  static List<String> ofEveryCpu(String file) {
    List<String> found = new ArrayList<>();
    try (DirectoryStream<Path> cpus = Files.newDirectoryStream(Paths.get(CPU), "cpu[0-9]*")) {
      for (Path cpu : cpus) {
        String said = Ask.file(cpu.resolve(file).toString());
        if (said != null) {
          found.add(said);
        }
      }
    } catch (IOException e) {
      return found;
    }
    return found;
  }

  private static Map<String, Object> mitigations() {
    Map<String, Object> found = new TreeMap<>();
    try (DirectoryStream<Path> files = Files.newDirectoryStream(Paths.get(CPU, "vulnerabilities"))) {
      files.forEach(file -> found.put(String.valueOf(file.getFileName()), Ask.file(file.toString())));
    } catch (IOException e) {
      return found;
    }
    return found;
  }

  /** From Linux's list, else from the JVM's bean, which counts bytes. */
  static String memoryKb(String linux, String attribute) {
    String listed = Ask.field(Ask.file("/proc/meminfo"), linux, ':');
    Number bytes = listed == null ? Ask.bean(attribute) : null;
    return listed != null ? listed.replace(" kB", "") : bytes == null ? null : String.valueOf(bytes.longValue() / 1024);
  }
}
