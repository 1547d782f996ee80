package org.avm4j;

import java.io.IOException;
import java.io.InputStream;
import java.lang.module.ModuleDescriptor;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.Field;
import java.lang.reflect.Member;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Parameter;
import java.lang.reflect.Type;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The public API of a module as text: every type that others can name, and below it every member
 * that they can use, with its signature.
 *
 * <p>Left out is what follows from the rest: methods that override one with the same result, the
 * accessors of records, and what the compiler adds to records and enums.
 */
final class PublicApi {
  private static final Set<String> OF_OBJECT = Set.of("equals", "hashCode", "toString");
  private static final Set<String> OF_ENUMS = Set.of("values", "valueOf");

  private final TreeMap<String, List<String>> membersOf = new TreeMap<>();
  private final Optional<Set<String>> exported;

  /** The API of the classes in a folder, in the packages that its module exports. */
  PublicApi(Path folder) throws IOException {
    exported = exported(folder);
    for (Class<?> type : types(folder)) {
      if (isApi(type)) {
        membersOf.put(headline(type), members(type));
      }
    }
  }

  /** The number of types, nested ones among them. */
  int types() {
    return membersOf.size();
  }

  /** The number of members of all types. */
  int members() {
    return membersOf.values().stream().mapToInt(List::size).sum();
  }

  /** The whole text. */
  String text() {
    StringBuilder text = new StringBuilder();
    text.append("# ").append(types()).append(" types, ").append(members()).append(" members\n");
    membersOf.forEach(
        (type, members) -> {
          text.append('\n').append(type).append('\n');
          members.forEach(member -> text.append("    ").append(member).append('\n'));
        });
    return text.toString();
  }

  /** Without a module descriptor every package counts. */
  private static Optional<Set<String>> exported(Path folder) throws IOException {
    Path descriptor = folder.resolve("module-info.class");
    if (!Files.exists(descriptor)) {
      return Optional.empty();
    }
    try (InputStream in = Files.newInputStream(descriptor)) {
      return Optional.of(
          ModuleDescriptor.read(in).exports().stream()
              .filter(export -> !export.isQualified())
              .map(ModuleDescriptor.Exports::source)
              .collect(Collectors.toSet()));
    }
  }

  /** Whether everybody can name the type. */
  private boolean isApi(Class<?> type) {
    return isVisible(type) && exported.map(all -> all.contains(type.getPackageName())).orElse(true);
  }

  /** Whether the type is hidden, and its public methods show only in the types below it. */
  private boolean isHidden(Class<?> type) {
    return type.getName().startsWith("org.avm4j.") && !isApi(type);
  }

  private static List<Class<?>> types(Path folder) throws IOException {
    List<Class<?>> types = new ArrayList<>();
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted().toList()) {
        String name = folder.relativize(file).toString().replace('\\', '/');
        if (name.endsWith(".class") && !name.endsWith("-info.class")) {
          types.add(load(name.substring(0, name.length() - 6).replace('/', '.')));
        }
      }
    }
    return types;
  }

  private static Class<?> load(String name) {
    try {
      return Class.forName(name, false, PublicApi.class.getClassLoader());
    } catch (ClassNotFoundException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  private static boolean isVisible(Class<?> type) {
    if (type.isAnonymousClass() || type.isLocalClass()) {
      return false;
    }
    Class<?> outer = type.getDeclaringClass();
    return isVisible(type.getModifiers()) && (outer == null || isVisible(outer));
  }

  private static boolean isVisible(int modifiers) {
    return Modifier.isPublic(modifiers) || Modifier.isProtected(modifiers);
  }

  private static String headline(Class<?> type) {
    String parameters = parameters(type.getTypeParameters());
    String components =
        !type.isRecord()
            ? ""
            : Arrays.stream(type.getRecordComponents())
                .map(part -> name(part.getGenericType()) + " " + part.getName())
                .collect(Collectors.joining(", ", "(", ")"));
    return type.getName().replace('$', '.') + parameters + components + " : " + nature(type);
  }

  private static String nature(Class<?> type) {
    Stream<String> supertypes =
        Stream.concat(
                Stream.ofNullable(type.getGenericSuperclass()),
                Arrays.stream(type.getGenericInterfaces()))
            .filter(above -> above != Object.class && above != Record.class)
            .map(PublicApi::name)
            .filter(name -> !name.startsWith("Enum<"));
    return Stream.concat(Stream.of(adjectives(type) + sort(type)), supertypes)
        .collect(Collectors.joining(", "));
  }

  private static String adjectives(Class<?> type) {
    boolean isPlain = !type.isInterface() && !type.isRecord() && !type.isEnum();
    String sealed = type.isSealed() && !type.isEnum() ? "sealed " : "";
    String isAbstract = isPlain && Modifier.isAbstract(type.getModifiers()) ? "abstract " : "";
    return sealed + isAbstract + (isPlain && Modifier.isFinal(type.getModifiers()) ? "final " : "");
  }

  private static String sort(Class<?> type) {
    if (type.isInterface()) {
      return "interface";
    }
    return type.isRecord() ? "record" : type.isEnum() ? "enum" : "class";
  }

  private List<String> members(Class<?> type) {
    Set<String> members = new TreeSet<>();
    for (Field field : type.getDeclaredFields()) {
      if (isShown(field)) {
        members.add(modifiers(field) + name(field.getGenericType()) + " " + field.getName());
      }
    }
    for (Constructor<?> constructor : type.getDeclaredConstructors()) {
      if (isShown(constructor) && !isCanonical(type, constructor)) {
        members.add("new " + type.getSimpleName() + arguments(constructor));
      }
    }
    for (Method method : methods(type)) {
      if (isShown(method) && !isImplied(type, method)) {
        String result =
            parameters(method.getTypeParameters()) + name(method.getGenericReturnType());
        members.add(modifiers(method) + result + " " + method.getName() + arguments(method));
      }
    }
    return List.copyOf(members);
  }

  /** Its own methods, and those of types above it that nobody else can name. */
  private Set<Method> methods(Class<?> type) {
    Set<Method> methods = new LinkedHashSet<>(List.of(type.getDeclaredMethods()));
    Stream.concat(Stream.ofNullable(type.getSuperclass()), Arrays.stream(type.getInterfaces()))
        .filter(this::isHidden)
        .forEach(above -> methods.addAll(methods(above)));
    return methods;
  }

  private static boolean isShown(Member member) {
    return isVisible(member.getModifiers()) && !member.isSynthetic();
  }

  private boolean isImplied(Class<?> type, Method method) {
    boolean isOfObject = OF_OBJECT.contains(method.getName());
    boolean isOfEnums = type.isEnum() && OF_ENUMS.contains(method.getName());
    return isOfObject || isOfEnums || isAccessor(type, method) || overrides(type, method);
  }

  private static boolean isAccessor(Class<?> type, Method method) {
    return type.isRecord()
        && method.getParameterCount() == 0
        && Arrays.stream(type.getRecordComponents())
            .anyMatch(part -> part.getName().equals(method.getName()));
  }

  private static boolean isCanonical(Class<?> type, Constructor<?> constructor) {
    return type.isRecord()
        && Arrays.equals(
            constructor.getParameterTypes(),
            Arrays.stream(type.getRecordComponents()).map(part -> part.getType()).toArray());
  }

  private boolean overrides(Class<?> type, Method method) {
    return !Modifier.isStatic(method.getModifiers())
        && above(type)
            .flatMap(above -> methods(above).stream())
            .anyMatch(
                known ->
                    isShown(known)
                        && known.getName().equals(method.getName())
                        && known.getReturnType() == method.getReturnType()
                        && Arrays.equals(known.getParameterTypes(), method.getParameterTypes()));
  }

  /** All types above this one that others can name. */
  private Stream<Class<?>> above(Class<?> type) {
    return Stream.concat(
            Stream.ofNullable(type.getSuperclass()), Arrays.stream(type.getInterfaces()))
        .flatMap(
            above ->
                Stream.concat(Stream.of(above).filter(known -> !isHidden(known)), above(above)));
  }

  private static String modifiers(Member member) {
    int modifiers = member.getModifiers();
    String access = Modifier.isProtected(modifiers) ? "protected " : "";
    String isStatic = Modifier.isStatic(modifiers) ? "static " : "";
    boolean isDefault = member instanceof Method method && method.isDefault();
    return access + isStatic + (isDefault ? "default " : "");
  }

  private static String arguments(Executable executable) {
    String arguments =
        Arrays.stream(executable.getParameters())
            .map(Parameter::getParameterizedType)
            .map(PublicApi::name)
            .collect(Collectors.joining(", ", "(", ")"));
    String thrown =
        Arrays.stream(executable.getGenericExceptionTypes())
            .map(PublicApi::name)
            .collect(Collectors.joining(", "));
    return arguments + (thrown.isEmpty() ? "" : " throws " + thrown);
  }

  private static String parameters(Type[] parameters) {
    return parameters.length == 0
        ? ""
        : Arrays.stream(parameters)
            .map(PublicApi::name)
            .collect(Collectors.joining(", ", "<", "> "));
  }

  /** The name of a type without its packages. */
  private static String name(Type type) {
    return type.getTypeName().replaceAll("([a-z]\\w*\\.)+(?=[A-Z])", "").replace('$', '.');
  }
}
