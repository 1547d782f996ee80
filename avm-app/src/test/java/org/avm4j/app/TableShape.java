package org.avm4j.app;

import java.time.LocalDate;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Random;

/**
 * Raw tables as people have them, made up, each with the shape of a well-known public one. All have
 * the same truth behind them: three numbers, two categories and a day decide the label. A shape
 * says how a row of that truth is written.
 */
enum TableShape {
  /** Quoted commas, missing values, a column of numbers and texts, a row number, a name. */
  PASSENGERS("PassengerId,Survived,Name,Sex,Age,Fare,Boat,Cabin", "Survived", Kind.CLASSES) {
    @Override
    String row(Truth t, int i) {
      return join(
          ",",
          i + 1,
          t.isPositive() ? "yes" : "no",
          "\"Doe, Mr. " + Integer.toString(i * 7919, 36) + "\"",
          t.k1 < 2 ? "male" : "female" + t.k1,
          t.gap(0) ? "" : t.n(0, 14, 30),
          t.n(1, 20, 60),
          t.n2 < 0
              ? Integer.toString((int) (10 + 5 * t.n2))
              : "ABCDEFGH".charAt((int) (3 * t.n2) % 8),
          "C" + t.k2);
    }
  },
  /** No header, a blank after each comma, ? for missing, labels with signs. */
  CENSUS(null, "-1", Kind.CLASSES) {
    @Override
    String row(Truth t, int i) {
      String job = t.gap(1) ? "?" : "Job-" + t.k1;
      String label = t.isPositive() ? ">50K" : "<=50K";
      return join(
          ", ", t.n(0, 12, 40), job, t.n(1, 10000, 50000), t.n(2, 9, 40), "State-" + t.k2, label);
    }
  },
  /** Sorted by class, three texts as labels, a column that numbers the rows. */
  FLOWERS("Id,SepalLength,SepalWidth,PetalLength,Colour,Species", "Species", Kind.SORTED) {
    @Override
    String row(Truth t, int i) {
      return join(
          ",",
          i + 1,
          t.n(0, 1, 5),
          t.n(1, 1, 3),
          t.n(2, 0.5, 4),
          "col" + t.k1,
          t.z < -1 ? "Iris-setosa" : t.z < 1 ? "Iris-versicolor" : "Iris-virginica");
    }
  },
  /** Semicolons and quoted names; the label is a number. */
  WINES("\"fixed acidity\";\"sugar\";\"alcohol\";\"kind\";\"quality\"", "quality", Kind.NUMBERS) {
    @Override
    String row(Truth t, int i) {
      return join(";", t.n(0, 2, 7), t.n(1, 20, 40), t.n(2, 1, 10), "\"k" + t.k1 + "\"", t.label());
    }
  },
  /** Decimal commas, dates with the day first, semicolons that end the lines. */
  AIR("Date;CO(GT);NOx;Station;T;Benzene;;", "Benzene", Kind.NUMBERS) {
    @Override
    String row(Truth t, int i) {
      return join(
              ";",
              t.day("dd/MM/yyyy"),
              comma(t.n(0, 2, 3)),
              comma(t.n(1, 100, 250)),
              "s" + t.k1,
              t.gap(2) ? "" : comma(t.n(2, 8, 18)),
              comma(t.label()))
          + ";;";
    }
  },
  /** Dates and times in ISO form. */
  BIKES("datetime,season,temp,humidity,windspeed,count", "count", Kind.NUMBERS) {
    @Override
    String row(Truth t, int i) {
      return join(
          ",",
          t.day("yyyy-MM-dd") + " " + (10 + i % 10) + ":00:00",
          "s" + t.k1,
          t.n(0, 8, 20),
          t.n(1, 20, 60),
          t.n(2, 8, 12),
          t.label());
    }
  },
  /** Tabs, CRLF and a byte order mark; N/A for missing. */
  TABS("\ufeffregion\tage\tincome\tspend\tchurn", "churn", Kind.CLASSES) {
    @Override
    String row(Truth t, int i) {
      String age = t.gap(0) ? "N/A" : t.n(0, 12, 40);
      return join("\t", "r" + t.k1, age, t.n(1, 900, 4000), t.n(2, 30, 99), t.isPositive()) + "\r";
    }
  },
  /** Blanks between fields, no header, codes, labels 1 and 2. */
  CREDIT(null, "-1", Kind.CLASSES) {
    @Override
    String row(Truth t, int i) {
      return join(
          " ",
          "A1" + t.k1,
          t.n(0, 10, 24),
          "A4" + t.k2,
          t.n(1, 2000, 3000),
          t.n(2, 10, 35),
          t.sign());
    }
  },
  /** Nothing but texts, no header. */
  MUSHROOMS(null, "1", Kind.CLASSES) {
    @Override
    String row(Truth t, int i) {
      return join(
          ",",
          t.isPositive() ? "e" : "p",
          t.letter(0),
          t.letter(1),
          t.letter(2),
          "k" + t.k1,
          "h" + t.k2);
    }
  },
  /** Bars between fields and at the end of each line. */
  BARS("id|plan|usage|calls|tenure|left|", "left", Kind.CLASSES) {
    @Override
    String row(Truth t, int i) {
      return join(
              "|",
              "c-" + (9973 * i % 100000),
              "p" + t.k1,
              t.n(0, 5, 20),
              t.n(1, 9, 30),
              t.n(2, 20, 40),
              t.sign() - 1)
          + "|";
    }
  },
  /** A header of numbers. */
  NUMBERED("0,1,2,3,target", "target", Kind.CLASSES) {
    @Override
    String row(Truth t, int i) {
      return join(",", t.n(0, 1, 0), t.n(1, 1, 0), t.n(2, 1, 0), t.k1, t.sign());
    }
  },
  /** A label that counts something, and so is a number. */
  SHELLS("Sex,Length,Diameter,Weight,Rings", "Rings", Kind.NUMBERS) {
    @Override
    String row(Truth t, int i) {
      long rings = Math.max(1, Math.round(10 + 2.5 * t.noisy));
      return join(
          ",", "MFIJ".charAt(t.k1), t.n(0, 0.1, 0.5), t.n(1, 0.1, 0.4), t.n(2, 0.5, 0.8), rings);
    }
  },
  /** Currency with commas between thousands, zip codes of which some are texts, long titles. */
  HOUSES("Title,Zip,Area,\"Price, old\",Sold,Rooms,Expensive", "Expensive", Kind.CLASSES) {
    @Override
    String row(Truth t, int i) {
      return join(
          ",",
          "\"House no. " + i * 31 + ", with a view\"",
          t.k2 == 9 ? "H3A 1B" + t.k1 : "1000" + t.k2,
          t.n(0, 30, 120),
          String.format(Locale.ROOT, "\"$%,d\"", (int) (300000 + 90000 * t.n1)),
          "\"" + t.day("MMMM d, yyyy") + "\"",
          t.n(2, 1, 5),
          t.isPositive() ? "Y" : "N");
    }
  };

  /** What the label is. */
  enum Kind {
    CLASSES,
    SORTED,
    NUMBERS
  }

  /** The header, null if there is none. */
  final String header;

  final String label;
  final Kind kind;

  TableShape(String header, String label, Kind kind) {
    this.header = header;
    this.label = label;
    this.kind = kind;
  }

  abstract String row(Truth truth, int i);

  /** Rows of the truth; those to be learned from may be sorted. */
  List<Truth> truths(int n, long seed) {
    Random random = new Random(seed);
    List<Truth> truths = new ArrayList<>();
    for (int i = 0; i < n; i++) {
      truths.add(new Truth(random));
    }
    if (kind == Kind.SORTED) {
      Collections.sort(truths, (a, b) -> Double.compare(a.z, b.z));
    }
    return truths;
  }

  /** The table as text. */
  String text(List<Truth> truths) {
    StringBuilder text = new StringBuilder(header == null ? "" : header + eol());
    for (int i = 0; i < truths.size(); i++) {
      text.append(row(truths.get(i), i)).append('\n');
    }
    return text.toString();
  }

  private String eol() {
    return this == TABS ? "\r\n" : "\n";
  }

  private static String join(String delimiter, Object... fields) {
    StringBuilder line = new StringBuilder();
    for (Object field : fields) {
      line.append(line.length() == 0 ? "" : delimiter).append(field);
    }
    return line.toString();
  }

  private static String comma(String number) {
    return number.replace('.', ',');
  }

  /** What decides the label of a row. */
  static final class Truth {
    final double n0;
    final double n1;
    final double n2;
    final int k1;
    final int k2;
    final int day;
    final double z;
    final double noisy;
    private final int gaps;

    Truth(Random random) {
      n0 = random.nextGaussian();
      n1 = random.nextGaussian();
      n2 = random.nextGaussian();
      k1 = random.nextInt(4);
      k2 = random.nextInt(10);
      day = random.nextInt(1400);
      z = 1.2 * n0 + 0.8 * n1 * n2 + 0.7 * (k1 - 1.5);
      noisy = z + 0.3 * random.nextGaussian();
      gaps = random.nextInt(40);
    }

    boolean isPositive() {
      return noisy > 0;
    }

    int sign() {
      return isPositive() ? 2 : 1;
    }

    /** Whether a field is missing; every fortieth is. */
    boolean gap(int which) {
      return gaps == which;
    }

    /** A number with another unit. */
    String n(int which, double scale, double shift) {
      double value = which == 0 ? n0 : which == 1 ? n1 : n2;
      return String.format(Locale.ROOT, "%.3f", shift + scale * value);
    }

    String letter(int which) {
      double value = which == 0 ? n0 : which == 1 ? n1 : n2;
      return String.valueOf("abcdef".charAt((int) Math.max(0, Math.min(5, 3 + 1.5 * value))));
    }

    String label() {
      return String.format(Locale.ROOT, "%.3f", 50 + 10 * noisy);
    }

    String day(String pattern) {
      return LocalDate.of(2011, 1, 1)
          .plusDays(day)
          .format(DateTimeFormatter.ofPattern(pattern, Locale.ROOT));
    }

    /** The truth as a reference sees it, encoded by hand and scaled. */
    double[] features() {
      double[] x = new double[7];
      x[0] = n0;
      x[1] = n1;
      x[2] = n2;
      x[3 + k1] = 1;
      return x;
    }
  }
}
