package org.avm4j.serve;

import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/**
 * Loads the classes of the service so that each access to a field of theirs is a point at which a
 * simulated thread may be interrupted, unless it holds a lock: then no other could go on.
 */
public final class InterruptionPoints extends ClassLoader {
  private static final String PREFIX = "org.avm4j.serve.";
  private static final String SELF = Type.getInternalName(InterruptionPoints.class);

  /** Where the classes of tests are, which have no points. */
  private static final String TESTS =
      InterruptionPoints.class.getProtectionDomain().getCodeSource().getLocation().toString();

  /** What a point does; there is one simulation at a time. */
  private static Runnable point = () -> {};

  private static int locks;

  InterruptionPoints() {
    super(InterruptionPoints.class.getClassLoader());
  }

  /** Sets what a point does. */
  public static void at(Runnable action) {
    point = action;
    locks = 0;
  }

  /** A point. */
  public static void point() {
    if (locks == 0) {
      point.run();
    }
  }

  /** A lock is taken. */
  public static void lock() {
    locks++;
  }

  /** A lock is given back. */
  public static void unlock() {
    locks--;
  }

  @Override
  protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
    if (!name.startsWith(PREFIX) || name.equals(InterruptionPoints.class.getName())) {
      return super.loadClass(name, resolve);
    }
    synchronized (getClassLoadingLock(name)) {
      Class<?> loaded = findLoadedClass(name);
      return loaded == null ? define(name) : loaded;
    }
  }

  private Class<?> define(String name) throws ClassNotFoundException {
    String file = name.replace('.', '/') + ".class";
    try (InputStream in = getResourceAsStream(file)) {
      ClassReader reader = new ClassReader(in.readAllBytes());
      ClassWriter writer = new ClassWriter(reader, ClassWriter.COMPUTE_MAXS);
      boolean isTest = getResource(file).toString().startsWith(TESTS);
      reader.accept(isTest ? writer : new Classes(writer), ClassReader.EXPAND_FRAMES);
      byte[] bytes = writer.toByteArray();
      return defineClass(name, bytes, 0, bytes.length);
    } catch (IOException unreadable) {
      throw new ClassNotFoundException(name, unreadable);
    }
  }

  private static final class Classes extends ClassVisitor {
    private String owner;

    Classes(ClassVisitor next) {
      super(Opcodes.ASM9, next);
    }

    @Override
    public void visit(
        int version, int access, String name, String signature, String above, String[] interfaces) {
      owner = name;
      super.visit(version, access, name, signature, above, interfaces);
    }

    @Override
    public MethodVisitor visitMethod(
        int access, String name, String descriptor, String signature, String[] exceptions) {
      MethodVisitor next = super.visitMethod(access, name, descriptor, signature, exceptions);
      boolean isLocked = (access & Opcodes.ACC_SYNCHRONIZED) != 0;
      boolean isStatic = (access & Opcodes.ACC_STATIC) != 0;
      return new Methods(next, isLocked, entry(isStatic, descriptor));
    }

    /** The types of the local variables at the beginning of a method. */
    private Object[] entry(boolean isStatic, String descriptor) {
      List<Object> types = new ArrayList<>(isStatic ? List.of() : List.of(owner));
      for (Type type : Type.getArgumentTypes(descriptor)) {
        types.add(
            switch (type.getSort()) {
              case Type.LONG -> Opcodes.LONG;
              case Type.DOUBLE -> Opcodes.DOUBLE;
              case Type.FLOAT -> Opcodes.FLOAT;
              case Type.OBJECT, Type.ARRAY -> type.getInternalName();
              default -> Opcodes.INTEGER;
            });
      }
      return types.toArray();
    }
  }

  private static final class Methods extends MethodVisitor {
    private final boolean isLocked;
    private final Object[] entry;
    private final Label start = new Label();

    Methods(MethodVisitor next, boolean isLocked, Object[] entry) {
      super(Opcodes.ASM9, next);
      this.isLocked = isLocked;
      this.entry = entry;
    }

    private void call(String method) {
      super.visitMethodInsn(Opcodes.INVOKESTATIC, SELF, method, "()V", false);
    }

    @Override
    public void visitCode() {
      super.visitCode();
      if (isLocked) {
        call("lock");
        super.visitLabel(start);
      }
    }

    @Override
    public void visitFieldInsn(int opcode, String owner, String name, String descriptor) {
      boolean isOfObject = opcode == Opcodes.GETFIELD || opcode == Opcodes.PUTFIELD;
      if (isOfObject && owner.startsWith(PREFIX.replace('.', '/'))) {
        call("point");
      }
      super.visitFieldInsn(opcode, owner, name, descriptor);
    }

    @Override
    public void visitInsn(int opcode) {
      boolean isReturn = opcode >= Opcodes.IRETURN && opcode <= Opcodes.RETURN;
      if (isReturn && isLocked || opcode == Opcodes.MONITOREXIT) {
        call("unlock");
      }
      super.visitInsn(opcode);
      if (opcode == Opcodes.MONITORENTER) {
        call("lock");
      }
    }

    @Override
    public void visitMaxs(int stack, int locals) {
      if (isLocked) {
        Label handler = new Label();
        super.visitTryCatchBlock(start, handler, handler, null);
        super.visitLabel(handler);
        super.visitFrame(
            Opcodes.F_NEW, entry.length, entry, 1, new Object[] {"java/lang/Throwable"});
        call("unlock");
        super.visitInsn(Opcodes.ATHROW);
      }
      super.visitMaxs(stack, locals);
    }
  }
}
