package org.avm4j.data;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFileException;

/**
 * Numbers with units, such as 14,5 m², $72k, 57.05N, 1h 20m or 31:05:00: the units of a column, and
 * the factor of each. A text is the sum of its numbers, each times the factor of its unit. Large
 * and small units of the same quantity may be mixed.
 */
public final class Units {
  /** Quantities whose units are known, in lower case, with the factors of the units. */
  private static final List<Map<String, Double>> QUANTITIES =
      List.of(
          quantity("=1 k=1e3 tsd=1e3 m=1e6 mn=1e6 mio=1e6 b=1e9 bn=1e9 mrd=1e9"),
          quantity("=1 lac=1e5 lacs=1e5 lakh=1e5 lakhs=1e5 cr=1e7 crore=1e7 crores=1e7"),
          quantity(
              "ms=1e-3 s=1 sec=1 secs=1 second=1 seconds=1 m=60 min=60 mins=60 minute=60"
                  + " minutes=60 h=3600 hr=3600 hrs=3600 hour=3600 hours=3600 d=86400 day=86400"
                  + " days=86400 w=604800 wk=604800 wks=604800 week=604800 weeks=604800"
                  + " mo=2629800 mos=2629800 month=2629800 months=2629800 y=31557600 yr=31557600"
                  + " yrs=31557600 year=31557600 years=31557600"),
          quantity("kb=1e3 mb=1e6 gb=1e9 tb=1e12"),
          quantity("mm=1e-3 cm=1e-2 m=1 km=1e3"),
          quantity("mg=1e-6 g=1e-3 kg=1"),
          quantity("\"=1 ''=1 in=1 inch=1 inches=1 '=12 ft=12 feet=12 foot=12"),
          quantity("n=1 s=-1 e=1 w=-1 °n=1 °s=-1 °e=1 °w=-1"));

  private static final String BLANK = "[\\s\u00a0\u2009\u202f]*";
  private static final String NUMBER =
      "(?:\\d{1,3}(?:[ \u00a0\u2009\u202f'\u2019]\\d{3})+(?:[.,]\\d+)?|\\d+(?:[.,]\\d+)*|[.,]\\d+)"
          + "(?:[eE][-+]?\\d+(?!\\w))?";
  private static final Pattern SINGLE =
      Pattern.compile("([-+]?" + NUMBER + ")" + BLANK + "([\\p{L}°µ%+*/'\"$€£].{0,23})");
  private static final Pattern PART =
      Pattern.compile("\\G[\\s,]*(" + NUMBER + ")" + BLANK + "(\\p{L}+|''|['\"])\\.?");
  private static final Pattern CLOCK =
      Pattern.compile("(?:(?:(\\d+) days?,? )?(\\d+):)?(\\d+):(\\d\\d(?:[.,]\\d+)?)");
  private static final Pattern ISO =
      Pattern.compile("P(?:(\\d+)D)?(?:T(?:(\\d+)H)?(?:(\\d+)M)?(?:(\\d+(?:[.,]\\d+)?)S)?)?");
  private static final List<String> CLOCK_UNITS = List.of("d", "h", "min", "s");

  /** Longest text that is read as a number with units; free text is longer. */
  private static final int LONGEST = 48;

  /** The most units of a column in a file; more are a forgery. */
  private static final int MOST = 256;

  /** The most units that a message names. */
  private static final int MOST_TOLD = 5;

  private final ColumnKind notation;
  private final SortedMap<String, Double> factors;

  /**
   * Units with their factors.
   *
   * @param notation how the numbers before the units are written
   */
  public Units(ColumnKind notation, Map<String, Double> factors) {
    this.notation = notation;
    this.factors = Collections.unmodifiableSortedMap(new TreeMap<>(factors));
  }

  private static Map<String, Double> quantity(String units) {
    Map<String, Double> factors = new TreeMap<>();
    for (String unit : units.split(" ")) {
      int equals = unit.lastIndexOf('=');
      factors.put(unit.substring(0, equals), Double.parseDouble(unit.substring(equals + 1)));
    }
    return Collections.unmodifiableMap(factors);
  }

  /** A number as it is written, and its unit. */
  public record Part(String number, String unit) {}

  /** The quantities whose units are known: the units in lower case, with their factors. */
  public static List<Map<String, Double>> quantities() {
    return QUANTITIES;
  }

  /** The numbers of a text with their units; empty if it is no number with a unit. */
  public static List<Part> parts(String text) {
    if (text.length() > LONGEST || text.chars().noneMatch(c -> c >= '0' && c <= '9')) {
      return List.of();
    }
    String plain = NumberText.plain(text);
    List<Part> times = times(plain);
    List<Part> several = times.isEmpty() ? several(plain) : times;
    if (several.size() > 1 || !times.isEmpty()) {
      return several;
    }
    Matcher single = SINGLE.matcher(plain);
    return single.matches()
        ? List.of(new Part(single.group(1), single.group(2).strip().replaceAll("\\.$", "")))
        : List.of();
  }

  /** The parts of 1:02:03 or PT1H2M3S; empty if the text has another form. */
  private static List<Part> times(String text) {
    Matcher clock = CLOCK.matcher(text);
    Matcher found = clock.matches() ? clock : ISO.matcher(text);
    List<Part> parts = new ArrayList<>();
    for (int i = 0; (found == clock || found.matches()) && i < CLOCK_UNITS.size(); i++) {
      if (found.group(i + 1) != null) {
        parts.add(new Part(found.group(i + 1), CLOCK_UNITS.get(i)));
      }
    }
    return parts;
  }

  /** The parts of 1h 20m or 5' 11"; empty if these are no units of one quantity. */
  private static List<Part> several(String text) {
    List<Part> parts = new ArrayList<>();
    Matcher part = PART.matcher(text);
    int end = 0;
    while (part.find()) {
      parts.add(new Part(part.group(1), part.group(2)));
      end = part.end();
    }
    boolean isOne =
        QUANTITIES.stream()
            .anyMatch(known -> parts.stream().allMatch(p -> known.containsKey(lower(p.unit))));
    return end == text.length() && isOne ? parts : List.of();
  }

  /** A unit as {@link #quantities} has it. */
  public static String lower(String unit) {
    return unit.toLowerCase(Locale.ROOT);
  }

  /** The number that a text stands for; NaN if it is none, or has a unit that is not known here. */
  public double number(String text) {
    List<Part> parts = parts(text);
    if (parts.isEmpty()) {
      return factors.getOrDefault("", Double.NaN) * notation.number(NumberText.plain(text));
    }
    double sum = 0;
    for (Part part : parts) {
      double factor =
          factors.getOrDefault(part.unit, factors.getOrDefault(lower(part.unit), Double.NaN));
      sum += factor * notation.number(part.number);
    }
    return sum;
  }

  /** How the numbers before the units are written. */
  public ColumnKind notation() {
    return notation;
  }

  /** The factors of the units; that of numbers without one has an empty name. */
  public SortedMap<String, Double> factors() {
    return factors;
  }

  /** What a column holds, with some of its units, for messages. */
  @Override
  public String toString() {
    return factors.keySet().stream()
        .filter(unit -> !unit.isEmpty())
        .limit(MOST_TOLD)
        .collect(Collectors.joining(", ", "numbers with units such as ", ""));
  }

  void encode(Encoder out) {
    out.int32(notation.tag);
    out.list(
        List.copyOf(factors.entrySet()),
        (unit, to) -> {
          to.text(unit.getKey());
          to.float64(unit.getValue());
        });
  }

  static Units decode(Decoder in) throws ModelFileException {
    ColumnKind notation = ColumnKind.decode(in);
    Decoder.check(notation.isNumeric(), "numbers with units are numbers", notation);
    Map<String, Double> factors = new TreeMap<>();
    int units = in.int32("the number of units", MOST);
    for (int i = 0; i < units; i++) {
      factors.put(in.text(), in.finite("the factor of a unit"));
    }
    return new Units(notation, factors);
  }
}
