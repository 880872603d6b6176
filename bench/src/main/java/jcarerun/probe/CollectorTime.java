package jcarerun.probe;

import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.util.List;

/** How long this JVM's collectors have worked. */
final class CollectorTime {
  private static final List<GarbageCollectorMXBean> BEANS = ManagementFactory.getGarbageCollectorMXBeans();

  private CollectorTime() {}

  /** Milliseconds until now, all collectors together, or null if one doesn't tell. */
  static Long millis() {
    long sum = 0;
    for (GarbageCollectorMXBean bean : BEANS) {
      long own = bean.getCollectionTime();
      if (own < 0) {
        return null;
      }
      sum += own;
    }
    return sum;
  }
}
