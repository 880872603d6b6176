package jcarerun.workload;

import java.lang.reflect.InvocationTargetException;
import java.security.GeneralSecurityException;
import java.security.Key;
import java.security.KeyPair;
import java.security.NoSuchAlgorithmException;
import java.security.PrivateKey;
import java.security.Provider;
import java.security.PublicKey;
import java.util.Arrays;
import jcarerun.Jca;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.CompilerControl;
import org.openjdk.jmh.annotations.Param;

/**
 * A secret sent under a public key, and taken out again: {@code javax.crypto.KEM}, which Java has from 21 on. Its calls
 * are made by reflection, since this code runs on JDK 8 too; they cost a fraction of a microsecond.
 */
public class Encapsulating extends ProviderWorkload {
  /** Mechanism with its parameter set, which is also the name of the keys; DHKEM-X25519 is DHKEM with such keys. */
  @Param("ML-KEM-768")
  public String algorithm;

  private Object mechanism;
  private PublicKey publicKey;
  private PrivateKey privateKey;
  private byte[] message;

  @Override
  protected String subject() {
    return algorithm;
  }

  @Override
  protected void prepare() throws GeneralSecurityException {
    boolean named = algorithm.startsWith("DHKEM-");
    mechanism = mechanism(named ? "DHKEM" : algorithm.replaceFirst("-\\d+$", ""));
    KeyPair pair = Jca.keyPairGenerator(algorithm.replaceFirst("^DHKEM-", ""), jca).generateKeyPair();
    publicKey = pair.getPublic();
    privateKey = pair.getPrivate();
    message = (byte[]) call(encapsulate(), "encapsulation");
  }

  private Object mechanism(String name) throws GeneralSecurityException {
    try {
      Class<?> type = Class.forName("javax.crypto.KEM");
      return jca == null ? type.getMethod("getInstance", String.class).invoke(null, name)
          : type.getMethod("getInstance", String.class, Provider.class).invoke(null, name, jca);
    } catch (ClassNotFoundException e) {
      throw new NoSuchAlgorithmException("this JVM has no javax.crypto.KEM", e);
    } catch (ReflectiveOperationException e) {
      throw cause(e);
    }
  }

  private static Object call(Object target, String method) throws GeneralSecurityException {
    try {
      return target.getClass().getMethod(method).invoke(target);
    } catch (ReflectiveOperationException e) {
      throw cause(e);
    }
  }

  private static GeneralSecurityException cause(ReflectiveOperationException failure) {
    Throwable cause = failure instanceof InvocationTargetException ? failure.getCause() : failure;
    return cause instanceof GeneralSecurityException ? (GeneralSecurityException) cause
        : new GeneralSecurityException(cause);
  }

  @Override
  protected void verify(Check check) throws GeneralSecurityException {
    Object sent = encapsulate();
    message = (byte[]) call(sent, "encapsulation");
    byte[] theirs = ((Key) call(sent, "key")).getEncoded();
    check.same("secret on the other side", theirs, ((Key) decapsulate()).getEncoded());
    check.that("two secrets are equal",
        !Arrays.equals(theirs, ((Key) call(encapsulate(), "key")).getEncoded()));
  }

  /** Makes a secret and its message. */
  @Benchmark
  @CompilerControl(CompilerControl.Mode.DONT_INLINE)
  public Object encapsulate() throws GeneralSecurityException {
    try {
      Object encapsulator = mechanism.getClass().getMethod("newEncapsulator", PublicKey.class)
          .invoke(mechanism, publicKey);
      return call(encapsulator, "encapsulate");
    } catch (ReflectiveOperationException e) {
      throw cause(e);
    }
  }

  /** Takes the secret out of the message. */
  @Benchmark
  @CompilerControl(CompilerControl.Mode.DONT_INLINE)
  public Object decapsulate() throws GeneralSecurityException {
    try {
      Object decapsulator = mechanism.getClass().getMethod("newDecapsulator", PrivateKey.class)
          .invoke(mechanism, privateKey);
      return decapsulator.getClass().getMethod("decapsulate", byte[].class).invoke(decapsulator, (Object) message);
    } catch (ReflectiveOperationException e) {
      throw cause(e);
    }
  }
}
