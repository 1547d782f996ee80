package org.avm4j;

import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;

/** About how many bytes an object of ours holds, all that it refers to included. */
public final class HeapSize {
  private static final int HEADER = 16;
  private static final int REFERENCE = 4;

  private final Set<Object> seen = Collections.newSetFromMap(new IdentityHashMap<>());
  private final Deque<Object> open = new ArrayDeque<>();

  private HeapSize() {}

  public static long of(Object root) throws IllegalAccessException {
    HeapSize heap = new HeapSize();
    heap.see(root);
    long sum = 0;
    while (!heap.open.isEmpty()) {
      sum += heap.bytes(heap.open.pop());
    }
    return sum;
  }

  private void see(Object object) {
    if (object != null && seen.add(object)) {
      open.push(object);
    }
  }

  private long bytes(Object object) throws IllegalAccessException {
    Class<?> type = object.getClass();
    if (type.isArray()) {
      return array(object, type.getComponentType());
    }
    if (object instanceof List<?> list) {
      list.forEach(this::see);
      return HEADER + 8L + HEADER + (long) REFERENCE * list.size() * 3 / 2;
    }
    if (object instanceof AtomicReference<?> reference) {
      see(reference.get());
      return HEADER;
    }
    return type.getName().startsWith("org.avm4j") ? fields(object, type) : HEADER;
  }

  private long array(Object array, Class<?> component) {
    int length = Array.getLength(array);
    if (component.isPrimitive()) {
      return HEADER + (long) length * width(component);
    }
    for (int i = 0; i < length; i++) {
      see(Array.get(array, i));
    }
    return HEADER + (long) length * REFERENCE;
  }

  private long fields(Object object, Class<?> type) throws IllegalAccessException {
    long sum = HEADER;
    for (Class<?> part = type; part != Object.class && part != null; part = part.getSuperclass()) {
      for (Field field : part.getDeclaredFields()) {
        if (!Modifier.isStatic(field.getModifiers()) && !part.getName().startsWith("java.")) {
          sum += field.getType().isPrimitive() ? width(field.getType()) : REFERENCE;
          if (!field.getType().isPrimitive()) {
            field.setAccessible(true);
            see(field.get(object));
          }
        }
      }
    }
    return sum;
  }

  private static int width(Class<?> primitive) {
    if (primitive == double.class || primitive == long.class) {
      return 8;
    }
    return primitive == boolean.class || primitive == byte.class ? 1 : 4;
  }
}
