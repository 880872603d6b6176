package jcarerun;

/** Providers with one fault each, as classes that can be named: see {@link FakeProvider}. */
public final class FakeProviders {
  private FakeProviders() {}

  /** Fault: none. */
  public static final class None extends FakeProvider {
    private static final long serialVersionUID = 1;

    /** Makes it. */
    public None() {
      super("none");
    }
  }

  /** Fault: encrypt. */
  public static final class Encrypt extends FakeProvider {
    private static final long serialVersionUID = 1;

    /** Makes it. */
    public Encrypt() {
      super("encrypt");
    }
  }

  /** Fault: decrypt. */
  public static final class Decrypt extends FakeProvider {
    private static final long serialVersionUID = 1;

    /** Makes it. */
    public Decrypt() {
      super("decrypt");
    }
  }

  /** Fault: both. */
  public static final class Both extends FakeProvider {
    private static final long serialVersionUID = 1;

    /** Makes it. */
    public Both() {
      super("both");
    }
  }

  /** Fault: stream. */
  public static final class Stream extends FakeProvider {
    private static final long serialVersionUID = 1;

    /** Makes it. */
    public Stream() {
      super("stream");
    }
  }

  /** Fault: length. */
  public static final class Length extends FakeProvider {
    private static final long serialVersionUID = 1;

    /** Makes it. */
    public Length() {
      super("length");
    }
  }

  /** Fault: key. */
  public static final class Key extends FakeProvider {
    private static final long serialVersionUID = 1;

    /** Makes it. */
    public Key() {
      super("key");
    }
  }

  /** Fault: constant. */
  public static final class Constant extends FakeProvider {
    private static final long serialVersionUID = 1;

    /** Makes it. */
    public Constant() {
      super("constant");
    }
  }

  /** Fault: digest. */
  public static final class Digest extends FakeProvider {
    private static final long serialVersionUID = 1;

    /** Makes it. */
    public Digest() {
      super("digest");
    }
  }
}
