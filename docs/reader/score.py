"""Answers rows by hand with a model that `avm export --json` wrote: python3 score.py model.json ROWS.

ROWS is a CSV file with a header, or a JSON file with a list of rows. For rows by column name it prints a list with the
label, the scores and whatever else the model knows of each; for rows that are lists of features, as the scores need
them, the scores alone.
"""
import array, csv, datetime, itertools, json, math, re, sys

def matern(polynomial, root):
    def kernel(gamma, square):
        s = gamma * math.sqrt(root * square)
        return polynomial(s) * math.exp(-s)
    return kernel

KERNELS = {
    "gaussian": lambda gamma, square: math.exp(-gamma * square),
    "laplacian": lambda gamma, square: math.exp(-gamma * math.sqrt(square)),
    "rational-quadratic": lambda gamma, square: 1 / (1 + gamma * square),
    "matern32": matern(lambda s: 1 + s, 3),
    "matern52": matern(lambda s: 1 + s + s * s / 3, 5),
}

def known(table, name, kind):
    if name not in table:
        sys.exit(f"score.py does not know the {kind} '{name}'")
    return table[name]

def distance(x, point):
    point = dict(point)
    return sum((v - point.get(i, 0)) ** 2 for i, v in enumerate(x))

def machine(m, x):
    kernel = known(KERNELS, m["kernel"], "kernel")
    k = [kernel(m["gamma"], distance(x, c)) for c in m["vectors"]]
    linear = m.get("linear", [[0]] * len(m["coefficients"]))
    return [sum(map(float.__mul__, b, k)) + l[0] + sum(f * v for f, v in zip(l[1:], x))
            for b, l in zip(m["coefficients"], linear)]

def scaled(model, x, digits="f"):
    for s in model["scalers"]:
        x = [max(-1e4, min(1e4, f * v + t)) for f, v, t in zip(s["factors"], x, s["shifts"])]
        if "matrix" in s:
            x = [sum(map(float.__mul__, row, x)) for row in s["matrix"]]
    return list(array.array(digits, x))

def path(node, x):
    own = [node["gate"] * s for s in machine(node["machine"], x)]
    if "children" not in node:
        return node["part"], own
    distances = [distance(x, c) for c in node["centres"]]
    near = [d <= min(distances) * (1 + 1e-9) for d in distances].index(True)
    part, below = path(node["children"][near], x)
    return part, [a + b for a, b in zip(own, below)]

def tree(model, x):
    m, x = model["model"], scaled(model, x)
    part, sums = path(m["root"], x)
    live = machine(m["live"], x) if "live" in m else sums
    return [l + part * (t - l) for l, t in zip(live, sums)]

def leaf(node, x):
    while isinstance(node, list):
        feature, threshold, zero_goes_left, left, right = node
        value = x[feature] if feature < len(x) else 0
        node = left if (zero_goes_left if value == 0 else value < threshold) else right
    return node

def boosted(model, x):
    sums, x = list(model["model"]["constants"]), scaled(model, x, "d")
    for t, node in enumerate(model["model"]["trees"]):
        sums[t % len(sums)] += leaf(node, x)
    return sums

def mean(model, x):
    m = model["model"]
    parts = [[w * s for s in answers(each, x)] for w, each in zip(m["weights"], m["members"])]
    return [sum(s) for s in zip(*parts)]

def votes(model, x):
    m = model["model"]
    sums = list(m["leads"])
    for score, (first, second) in zip(machine(m["decisions"], scaled(model, x)), m["pairs"]):
        sums[first if score > 0 else second] += 1
    return sums

def factor(s, value):
    """A feature that was constant gets the factor it would have if this were its next value."""
    if s["factor"] > 0:
        return s["factor"]
    n, count, mean, total = s["rows"], s["count"], s["mean"], s["absolutes"]
    if value != 0:
        total += abs(value - mean * count / n) * math.sqrt(n / (n + 1))
        mean, count = mean + (value - mean) / (count + 1), count + 1
    deviation = (total + (n + 1 - count) * abs(mean * count / (n + 1))) / (n + 1)
    return 1 / (math.sqrt(math.pi / 2) * deviation) if deviation > 1e-12 * abs(mean) else 0

def squares(model, x, digits):
    """Squared distances to all centres on the scale of the model."""
    m = model["model"]
    z = [(v - s["origin"]) * factor(s, v) for s, v in zip(m["scales"], scaled(model, x, "d"))]
    z = array.array(digits, [max(-1e6, min(1e6, v)) for v in z])
    return [distance(z, c) for c in m["centres"]]

def density(model, x):
    m = model["model"]
    left, total = m["mass"], 0
    for square, count in sorted(zip(squares(model, x, "f"), m["counts"])):
        total += square * min(left, count)
        left -= min(left, count)
    return [math.sqrt(total / m["mass"])]

def cells(model, x):
    m, distances = model["model"], [math.sqrt(s) for s in squares(model, x, "d")]
    near = distances.index(min(distances))
    return [m["clusters"][near] if distances[near] <= m["reaches"][near] else -1]

FORMS = {
    "machine": lambda model, x: machine(model["model"], scaled(model, x)),
    "tree": tree, "boosted": boosted, "mean": mean, "votes": votes, "density": density, "cells": cells,
}

def answers(model, x):
    scores = known(FORMS, model["model"]["form"], "form")(model, x)
    return [s * model.get("scoreFactor", 1) + model.get("scoreShift", 0) for s in scores]

def refuse(column, holds, found):
    sys.exit(f"column '{column['name']}': score.py takes {holds}, found {json.dumps(found)}")

CURRENCY = "(?:[$€£¥₹]|USD|EUR|GBP|CHF|JPY|CAD|AUD|NZD|CNY|INR|SEK|NOK|DKK|PLN|CZK|HUF|BRL|MXN|ZAR)"
BLANK = r"[\s\u00a0\u2009\u202f]*"
SIGNED = rf"([-+]?){BLANK}(?:{CURRENCY}{BLANK})?([-+]?[\d.,].*?){BLANK}(?:%|{CURRENCY})?"
THOUSANDS = r"[-+]?[1-9]\d{0,2}([ \u00a0\u2009\u202f'\u2019])\d{3}(\1\d{3})*([.,]\d*)?"

POINTS = r"[-+]?[1-9]\d{0,2}(\.\d{3})+"

def bare(value):
    """A number without a currency, % or blanks between thousands. A number in parentheses is negative."""
    is_negative = len(value) > 2 and value[0] == "(" and value[-1] == ")"
    inside = value[1:-1].strip() if is_negative else value
    signed = re.fullmatch(SIGNED, inside.replace("\u2212", "-"), re.A)
    if len(value) > 64 or not signed:
        return value
    thousands = re.fullmatch(THOUSANDS, signed[2], re.A)
    return "-" * is_negative + signed[1] + (signed[2].replace(thousands[1], "") if thousands else signed[2])

def plain(column, value):
    """The text of a number with a decimal point, by the notation of its column."""
    value = bare(value) if "notation" in column else value
    if column.get("notation") == "decimal-comma" and ("," in value or re.fullmatch(POINTS, value, re.A)):
        value = value.replace(".", "").replace(",", ".")
    return value.replace(",", "") if column.get("notation") == "grouped" else value

NUMBER = (r"(?:[0-9]{1,3}(?:[ \u00a0\u2009\u202f'\u2019][0-9]{3})+(?:[.,][0-9]+)?|[0-9]+(?:[.,][0-9]+)*|[.,][0-9]+)"
          r"(?:[eE][-+]?[0-9]+(?![A-Za-z0-9_]))?")
SINGLE = rf"""([-+]?{NUMBER}){BLANK}([^\W\d_]|[°µ%+*/'"$€£])(.{{0,23}})"""
PART = rf"""[\s,]*({NUMBER}){BLANK}([^\W\d_]+|''|['"])\.?"""
TIMES = [
    r"(?:(?:([0-9]+) days?,? )?([0-9]+):)?([0-9]+):([0-9][0-9](?:[.,][0-9]+)?)",
    r"P(?:([0-9]+)D)?(?:T(?:([0-9]+)H)?(?:([0-9]+)M)?(?:([0-9]+(?:[.,][0-9]+)?)S)?)?",
]

def parts(units, value):
    """The numbers of a text with their units: those of 1:02:03, PT1H2M3S, 1h 20m or 14.5 m²; none if it has no unit."""
    for times in filter(None, (re.fullmatch(pattern, value) for pattern in TIMES)):
        return [(found, unit) for found, unit in zip(times.groups(), ("d", "h", "min", "s")) if found]
    several = re.findall(PART, value) if re.fullmatch(f"(?:{PART})+", value) else []
    if len(several) > 1 and all(unit in units or unit.lower() in units for _, unit in several):
        return several
    single = re.fullmatch(SINGLE, value)
    return [(single[1], re.sub(r"\.$", "", (single[2] + single[3]).strip()))] if single else []

def with_units(column, value):
    """The sum of the numbers of a text, each times the factor of its unit; None if a unit is unknown."""
    units, value = column["units"], bare(value)
    bare_column = {"name": column["name"], **({"notation": column["notation"]} if "notation" in column else {})}
    found = parts(units, value) if any(c in "0123456789" for c in value) and len(value) <= 48 else []
    factors = [units.get(unit, units.get(unit.lower())) for _, unit in found or [(value, "")]]
    numbers = [number(bare_column, digits) for digits, _ in found or [(value, "")]]
    return None if None in factors + numbers else sum(f * n for f, n in zip(factors, numbers))

def number(column, value):
    """A number, or the text of one; None if a text is no finite number."""
    if isinstance(value, str) and "units" in column:
        value = with_units(column, value)
        if value is None:
            return None
    if isinstance(value, str):
        digits = plain(column, value)
        is_number = re.fullmatch(r"[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?", digits, re.A)
        if not is_number or math.isinf(float(digits)):
            return None
        value = float(digits)
    if not abs(value) <= 1e15:
        refuse(column, "numbers within 1e15 in the notation of the column", value)
    return float(value)

def text(column, value):
    """The text of a value: 7 and 7.0 are '7', true is '1'."""
    if isinstance(value, str):
        return value
    if value == int(value) and abs(value) < 1e15:
        return str(int(value))
    if not 1e-3 <= abs(value) < 1e7:
        refuse(column, "very small and very large categories as texts", value)
    return repr(value)

TIME = r"(?P<hour>\d{1,2}):(?P<minute>\d{2})(?::(?P<s>\d{2})(?:[.,]\d+)?)? ?(?:Z|[+-]\d{2}(?::?\d{2})?)?"
DATES = [
    rf"(?P<year>\d{{4}})(?P<mark>[-/.])(?P<first>\d{{1,2}})(?P=mark)(?P<second>\d{{1,2}})(?:[T ]{TIME})?",
    rf"(?P<first>\d{{1,2}})(?P<mark>[-/.])(?P<second>\d{{1,2}})(?P=mark)(?P<year>\d{{4}})(?:[T ]{TIME})?",
]
DAY = r"^((?:19|20)\d\d)(0\d|1[0-2])(\d\d)"
EPOCH = r"(1\d{9})(\d{3})?"
COMPACT = {DAY + "$": r"\1-\2-\3", r"^(\d\d)(\d\d)((?:19|20)\d\d)$": r"\1/\2/\3",
           DAY + r"T?(\d\d)(\d\d)(\d\d)$": r"\1-\2-\3 \4:\5:\6"}

def circle(name, turn):
    turned = (("sin", math.sin), ("cos", math.cos))
    return {f"{name} {word}": round(1e9 * f(2 * math.pi * turn)) / 1e9 for word, f in turned}

def date_parts(column, value):
    """The parts of 2020-12-31, 20201231, 31.12.2020 or 31/12/2020, also with a time, of 18:05 alone, or of seconds or
    milliseconds since 1970; None if a text is no date. A text with digits and other signs may be a date in a notation that only `avm` reads."""
    value = text(column, value).strip()
    for compact, pattern in COMPACT.items():
        value = re.sub(compact, pattern, value, flags=re.A)
    epoch = re.fullmatch(EPOCH, value, re.A)
    value = str(datetime.datetime(1970, 1, 1) + datetime.timedelta(seconds=int(epoch[1]))) if epoch else value
    year_first, year_last, time = (re.fullmatch(p, value, re.A) for p in DATES + [TIME])
    match = year_first or year_last or time
    if not match and re.search(r"\d", value, re.A) and re.search(r"\D", value, re.A):
        refuse(column, "dates as 2020-12-31, 31.12.2020 or 31/12/2020 and times as 18:05:00", value)
    try:
        hour, minute, second = (int(match[part] or 0) for part in ("hour", "minute", "s"))
        if hour > 24 or minute > 59 or second > 60:
            raise ValueError(value)
        hour = hour + minute / 60 + second / 3600
        parts = circle("hour", hour / 24) if match["hour"] else {}
        if not time:
            is_month_first = year_first or column["monthFirst"] and match["mark"] != "."
            month, day = ("first", "second") if is_month_first else ("second", "first")
            date = datetime.date(int(match["year"]), int(match[month]), int(match[day]))
            days = datetime.date(date.year, 12, 31).timetuple().tm_yday
            season = (date.timetuple().tm_yday - 1 + hour / 24) / days
            parts.update(year=date.year + season, **circle("season", season), **circle("weekday", date.weekday() / 7))
        return parts
    except (TypeError, ValueError):
        return None

def bucket(word, buckets):
    """The bucket of a word by the FNV-1a hash of its UTF-16 code units."""
    units = array.array("H", word.encode("utf-16-" + sys.byteorder[:1] + "e"))
    value = 0x811C9DC5
    for unit in units:
        value = (value ^ unit) * 0x01000193 & 0xFFFFFFFF
    return (value ^ value >> 15) & buckets - 1

def word_values(column, value):
    """The share of each bucket that words and pairs of neighbouring words are in; their vector has length 1."""
    words = re.findall(r"[^\W_]+", text(column, value).lower())
    counts = {}
    for word in words + [" ".join(pair) for pair in zip(words, words[1:])]:
        place = bucket(word, column["buckets"])
        counts[place] = counts.get(place, 0) + 1
    length = math.sqrt(sum(count * count for count in counts.values()))
    return {str(place): count / length for place, count in counts.items()}

def features(column, value, marks):
    """The features of a column and their values, where they are not 0; None is a missing value."""
    if "feature" in column or "parts" in column:
        value = None if isinstance(value, str) and value.lower() in marks else value
    if "feature" in column:
        found = None if value is None else number(column, value)
        return {column["feature"]: column["mean"] if found is None else found}
    if "parts" in column:
        found = None if value is None else date_parts(column, value)
        values = {"year": column["meanYear"]} if found is None else found
        return {column["parts"][part]: v for part, v in values.items() if part in column["parts"]}
    if value is None:
        return {}
    if "words" in column:
        return {column["words"][place]: v for place, v in word_values(column, value).items() if place in column["words"]}
    feature = column["categories"].get(text(column, value), column.get("other"))
    return {} if feature is None else {feature: 1}

def encoded(model, row):
    """The features of a row by column name. A column that is not there is missing."""
    if "columns" not in model:
        sys.exit("the model knows no column names: give rows as lists of features, in JSON")
    if not any(column["name"] in row for column in model["columns"]):
        sys.exit("none of the model's columns is here: " + ", ".join(c["name"] for c in model["columns"]))
    x = [0.0] * model["features"]
    for column in model["columns"]:
        for feature, value in features(column, row.get(column["name"]), model.get("marks", [])).items():
            x[feature] = float(value)
    return x

def probabilities(model, scores):
    fits = model["calibration"]
    logits = [a * s + b for a, s, b in zip(fits["slopes"], scores, fits["offsets"])]
    if "softmax" in fits and len(logits) > 1:
        parts = [math.exp(v - max(logits)) for v in logits]
    else:
        parts = [1 / (1 + math.exp(-v)) if v > -700 else 0.0 for v in logits]
    if len(parts) == 1:
        return [1 - parts[0], parts[0]]
    total = sum(parts)
    return [p / total if total > 0 else 1 / len(parts) for p in parts]

def half_width(interval, answer):
    at, widths = interval["answers"], interval["halfWidths"]
    i = sum(a <= answer for a in at)
    if i == 0 or i == len(at):
        return widths[max(0, i - 1)]
    part = (answer - at[i - 1]) / (at[i] - at[i - 1])
    return math.exp((1 - part) * math.log(widths[i - 1]) + part * math.log(widths[i]))

def prediction(model, x):
    """The label of a row, and all else that is known of it."""
    scores = answers(model, x)
    if "classes" not in model:
        answer = {"label": scores[0]}
        if "interval" in model:
            half = half_width(model["interval"], scores[0])
            answer.update(low=scores[0] - half, high=scores[0] + half)
        return answer
    decisive = [s + p for s, p in zip(scores, model.get("prior", [0]))]
    if len(decisive) == 1:
        place = int(decisive[0] >= model["model"].get("threshold", 0))
    else:
        place = decisive.index(max(decisive))
    labels = model.get("labels", model["classes"])
    answer = {"label": labels[place], "scores": scores}
    if "calibration" in model:
        answer["probabilities"] = dict(zip(map(str, labels), probabilities(model, scores)))
    if "labelSet" in model:
        most = model["labelSet"]["threshold"]
        answer["labels"] = [l for l, p in zip(labels, answer["probabilities"].values()) if 1 - p <= most]
    return answer

def header(given):
    """The names of columns: one without a name is called x1, x2 and so on by its place, and a second a is a_2."""
    names, taken = [], set(given)
    for place, name in enumerate(given, 1):
        free = name or f"x{place}"
        if name in names or not name and free in taken:
            free += "_" + next(str(n) for n in itertools.count(2) if f"{free}_{n}" not in taken)
        taken.add(free)
        names.append(free)
    return names

def without_empty_end(fields, least):
    """Fields without empty ones at the end, which a delimiter at the end of a line makes; never fewer than least."""
    while len(fields) > least and not fields[-1]:
        fields = fields[:-1]
    return fields

def is_row(row, width):
    if isinstance(row, dict):
        return all(value is None or isinstance(value, (str, int, float)) for value in row.values())
    return isinstance(row, list) and len(row) == width and all(
        isinstance(value, (int, float)) and abs(value) <= 1e15 for value in row)

def read_json(name):
    try:
        return json.load(open(name, encoding="utf-8"))
    except (OSError, ValueError) as wrong:
        sys.exit(f"{name} is no JSON that can be read: {wrong}")

def read_rows(model, name):
    if not name.endswith(".csv"):
        rows, width = read_json(name), model["features"]
        if not isinstance(rows, list):
            sys.exit(f"{name}: expected a list of rows")
        for i, row in enumerate(rows, 1):
            if not is_row(row, width):
                sys.exit(f"row {i} of {name} must be an object of texts, numbers, true, false and null by column name, "
                         f"or a list of {width} numbers")
        return rows
    try:
        with open(name, encoding="utf-8-sig", newline="") as file:
            records = [[field.strip() for field in record] for record in csv.reader(file, skipinitialspace=True) if record]
    except (OSError, ValueError, csv.Error) as wrong:
        sys.exit(f"{name} is no CSV that can be read: {wrong}")
    names, missing = header(without_empty_end(records[0], 1) if records else []), model.get("missing", [""])
    records = [without_empty_end(record, len(names)) for record in records[1:]]
    for i, record in enumerate(records, 1):
        if len(record) != len(names):
            sys.exit(f"row {i} of {name} has {len(record)} fields, the header {len(names)}")
    fields = [[None if field.lower() in missing else field for field in record] for record in records]
    return [dict(zip(names, record)) for record in fields]

if len(sys.argv) != 3:
    sys.exit("usage: score.py MODEL.json ROWS.json, or ROWS.csv")
model = read_json(sys.argv[1])
prior = model.get("prior", [0])
print(json.dumps([
    prediction(model, encoded(model, row)) if isinstance(row, dict) else [s + p for s, p in zip(answers(model, row), prior)]
    for row in read_rows(model, sys.argv[2])]))
