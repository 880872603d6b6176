package jcarerun.workload;

/** Workloads with key pairs, with all their parameters. */
final class Asymmetric {
  private Asymmetric() {}

  static KeyPairGeneration pairs(String provider, String algorithm, int bits, String curve, From from) {
    KeyPairGeneration workload = new KeyPairGeneration();
    workload.provider = provider;
    workload.algorithm = algorithm;
    workload.bits = bits;
    workload.curve = curve;
    workload.from = from;
    workload.check = "before";
    return workload;
  }

  static PublicKeyCipher cipher(String provider, String transformation, String keys, int bits, String content) {
    PublicKeyCipher workload = new PublicKeyCipher();
    workload.provider = provider;
    workload.transformation = transformation;
    workload.keys = keys;
    workload.bits = bits;
    workload.content = content;
    return workload;
  }

  static Agreement agreement(String provider, String algorithm, String keys, int bits, String curve, From from) {
    Agreement workload = new Agreement();
    workload.provider = provider;
    workload.algorithm = algorithm;
    workload.keys = keys;
    workload.bits = bits;
    workload.curve = curve;
    workload.from = from;
    return workload;
  }
}
