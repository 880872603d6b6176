package jcarerun.round;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import jcarerun.probe.NativeOperation;
import org.junit.jupiter.api.Test;

/** What workloads say of native programs is what the programs have. */
class NativeOperationsTest {
  private static List<Class<?>> workloads() throws Exception {
    List<Class<?>> found = new ArrayList<>();
    try (Stream<Path> files = Files.list(Path.of("src/main/java/jcarerun/workload"))) {
      for (Path file : files.collect(Collectors.toList())) {
        String name = file.getFileName().toString().replace(".java", "");
        if (!name.equals("package-info")) {
          found.add(Class.forName("jcarerun.workload." + name));
        }
      }
    }
    return found;
  }

  private static List<NativeOperation> operations(Class<?> workload) {
    List<NativeOperation> found = new ArrayList<>();
    for (Method method : workload.getMethods()) {
      if (method.isAnnotationPresent(NativeOperation.class)) {
        found.add(method.getAnnotation(NativeOperation.class));
      }
    }
    return found;
  }

  @Test
  void everyOperationIsOneOfThePrograms() throws Exception {
    String options = Files.readString(Path.of("../native/src/options.cpp"));
    String listed = options.replaceFirst("(?s).*?OPERATIONS = \\{(.*?)\\};.*", "$1");
    TreeSet<String> programs = new TreeSet<>(List.of(listed.replaceAll("[\\s\"]", "").split(",")));
    TreeSet<String> workloads = new TreeSet<>();
    for (Class<?> workload : workloads()) {
      operations(workload).forEach(its -> workloads.add(its.value()));
    }
    assertEquals(programs, workloads);
  }

  @Test
  void oneOperationOfAWorkloadAnswersForIt() throws Exception {
    for (Class<?> workload : workloads()) {
      List<NativeOperation> its = operations(workload);
      assertTrue(its.isEmpty() || its.stream().filter(NativeOperation::answers).count() == 1, workload.getName());
    }
  }
}
