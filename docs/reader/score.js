// Answers rows by hand with a model that `avm export --json` wrote: node score.js model.json rows.json
// For rows by column name it prints a list with the label, the scores and whatever else the model knows of each;
// for rows that are lists of features, as the scores need them, the scores alone.
const fs = require("fs");
const fail = sentence => {
  console.error(sentence);
  process.exit(1);
};
const read = file => {
  try {
    return JSON.parse(fs.readFileSync(file));
  } catch (wrong) {
    return fail(`${file} is no JSON that can be read: ${wrong.message}`);
  }
};
if (process.argv.length !== 4) fail("usage: score.js MODEL.json ROWS.json");
const [modelFile, rowsFile] = process.argv.slice(2), model = read(modelFile), rows = read(rowsFile);
const isNumber = value => ["number", "boolean"].includes(typeof value) && Math.abs(value) <= 1e15;
const isRow = row => Array.isArray(row) ? row.length === model.features && row.every(isNumber)
  : row !== null && typeof row === "object" && Object.values(row).every(value => value === null || typeof value !== "object");
if (!Array.isArray(rows)) fail(`${rowsFile}: expected a list of rows`);
rows.forEach((row, i) => isRow(row) || fail(`row ${i + 1} of ${rowsFile} must be an object of texts, numbers, true, false `
  + `and null by column name, or a list of ${model.features} numbers`));
const sum = list => list.reduce((a, b) => a + b, 0);
const matern = (polynomial, root) => (gamma, square) => {
  const s = gamma * Math.sqrt(root * square);
  return polynomial(s) * Math.exp(-s);
};
const kernels = {
  "gaussian": (gamma, square) => Math.exp(-gamma * square),
  "laplacian": (gamma, square) => Math.exp(-gamma * Math.sqrt(square)),
  "rational-quadratic": (gamma, square) => 1 / (1 + gamma * square),
  "matern32": matern(s => 1 + s, 3),
  "matern52": matern(s => 1 + s + s * s / 3, 5),
};
const known = (table, name, kind) => {
  if (Object.hasOwn(table, name)) return table[name];
  console.error(`score.js does not know the ${kind} '${name}'`);
  process.exit(1);
};
const distance = (x, point) => {
  const p = new Map(point);
  return sum(x.map((v, i) => (v - (p.get(i) ?? 0)) ** 2));
};
const machine = (m, x) => {
  const kernel = known(kernels, m.kernel, "kernel");
  const k = m.vectors.map(c => kernel(m.gamma, distance(x, c)));
  return m.coefficients.map((b, c) => sum(b.map((v, j) => v * k[j])) +
    sum((m.linear ? m.linear[c] : [0]).map((f, i) => f * (i === 0 ? 1 : x[i - 1]))));
};
const map = (s, x) => s.matrix ? s.matrix.map(row => sum(row.map((v, i) => v * x[i]))) : x;
const limited = (v, most) => Math.max(-most, Math.min(most, v));
const doubles = (model, x) => model.scalers
  .reduce((y, s) => map(s, s.factors.map((f, i) => limited(f * y[i] + s.shifts[i], 1e4))), x);
const floats = (model, x) => doubles(model, x).map(Math.fround);

const path = (node, x) => {
  const own = machine(node.machine, x).map(s => node.gate * s);
  if (!node.children) return [node.part, own];
  const distances = node.centres.map(c => distance(x, c));
  const near = distances.findIndex(d => d <= Math.min(...distances) * (1 + 1e-9));
  const [part, below] = path(node.children[near], x);
  return [part, own.map((s, c) => s + below[c])];
};
const leaf = (node, x) => {
  while (Array.isArray(node)) {
    const [feature, threshold, zeroGoesLeft, left, right] = node, value = x[feature] ?? 0;
    node = (value === 0 ? zeroGoesLeft : value < threshold) ? left : right;
  }
  return node;
};
// A feature that was constant gets the factor it would have if this were its next value.
const factor = (s, value) => {
  if (s.factor > 0) return s.factor;
  const n = s.rows, isZero = value === 0, count = s.count + (isZero ? 0 : 1);
  const mean = isZero ? s.mean : s.mean + (value - s.mean) / count;
  const own = isZero ? 0 : Math.abs(value - s.mean * s.count / n) * Math.sqrt(n / (n + 1));
  const deviation = (s.absolutes + own + (n + 1 - count) * Math.abs(mean * count / (n + 1))) / (n + 1);
  return deviation > 1e-12 * Math.abs(mean) ? 1 / (Math.sqrt(Math.PI / 2) * deviation) : 0;
};
// The row on the scale of the model, and its squared distances to all centres.
const moved = (model, x) => doubles(model, x).slice(0, model.model.scales.length)
  .map((v, i) => [v, model.model.scales[i]]).map(([v, s]) => limited((v - s.origin) * factor(s, v), 1e6));
const squares = (model, z) => model.model.centres.map(c => distance(z, c));

const forms = {
  machine: (model, x) => machine(model.model, floats(model, x)),
  tree: (model, row) => {
    const m = model.model, x = floats(model, row), [part, tree] = path(m.root, x);
    const live = m.live ? machine(m.live, x) : tree;
    return live.map((l, c) => l + part * (tree[c] - l));
  },
  boosted: (model, row) => {
    const x = doubles(model, row), sums = [...model.model.constants];
    model.model.trees.forEach((node, t) => sums[t % sums.length] += leaf(node, x));
    return sums;
  },
  mean: ({model: m}, x) => {
    const all = m.members.map(each => answers(each, x));
    return all[0].map((_, c) => sum(all.map((s, k) => m.weights[k] * s[c])));
  },
  votes: (model, x) => {
    const m = model.model, sums = [...m.leads];
    machine(m.decisions, floats(model, x)).forEach((score, p) => sums[m.pairs[p][score > 0 ? 0 : 1]]++);
    return sums;
  },
  density: (model, x) => {
    const m = model.model;
    const near = squares(model, moved(model, x).map(Math.fround)).map((square, j) => [square, m.counts[j]]);
    let left = m.mass, total = 0;
    for (const [square, count] of near.sort((a, b) => a[0] - b[0])) {
      total += square * Math.min(left, count);
      left -= Math.min(left, count);
    }
    return [Math.sqrt(total / m.mass)];
  },
  cells: (model, x) => {
    const m = model.model, distances = squares(model, moved(model, x)).map(Math.sqrt);
    const near = distances.indexOf(Math.min(...distances));
    return [distances[near] <= m.reaches[near] ? m.clusters[near] : -1];
  },
};
const answers = (model, x) => known(forms, model.model.form, "form")(model, x)
  .map(s => s * (model.scoreFactor ?? 1) + (model.scoreShift ?? 0));

const refuse = (column, holds, found) => {
  console.error(`column '${column.name}': score.js takes ${holds}, found ${JSON.stringify(found)}`);
  process.exit(1);
};
const currency = "(?:[$€£¥₹]|USD|EUR|GBP|CHF|JPY|CAD|AUD|NZD|CNY|INR|SEK|NOK|DKK|PLN|CZK|HUF|BRL|MXN|ZAR)";
const blank = String.raw`[ \t\n\v\f\r\u00a0\u2009\u202f]*`;
const signedNumber = new RegExp(
  String.raw`^([-+]?)${blank}(?:${currency}${blank})?([-+]?[\d.,].*?)${blank}(?:%|${currency})?$`);
const thousands = /^[-+]?[1-9]\d{0,2}([ \u00a0\u2009\u202f'\u2019])\d{3}(\1\d{3})*([.,]\d*)?$/;
const points = /^[-+]?[1-9]\d{0,2}(\.\d{3})+$/;
// A number without a currency, % or blanks between thousands. A number in parentheses is negative.
const bare = value => {
  const isNegative = value.length > 2 && value.startsWith("(") && value.endsWith(")");
  const signed = signedNumber.exec((isNegative ? value.slice(1, -1).trim() : value).replaceAll("\u2212", "-"));
  if (value.length > 64 || !signed) return value;
  const mark = thousands.exec(signed[2])?.[1];
  return (isNegative ? "-" : "") + signed[1] + (mark ? signed[2].replaceAll(mark, "") : signed[2]);
};
// The text of a number with a decimal point, by the notation of its column.
const plain = ({notation}, text) => {
  const value = notation ? bare(text) : text;
  if (notation === "decimal-comma" && (value.includes(",") || points.test(value))) return value.replaceAll(".", "").replaceAll(",", ".");
  return notation === "grouped" ? value.replaceAll(",", "") : value;
};
const unitNumber = String.raw`(?:\d{1,3}(?:[ \u00a0\u2009\u202f'\u2019]\d{3})+(?:[.,]\d+)?|\d+(?:[.,]\d+)*|[.,]\d+)(?:[eE][-+]?\d+(?!\w))?`;
const single = new RegExp(String.raw`^([-+]?${unitNumber})${blank}([\p{L}°µ%+*/'"$€£].{0,23})$`, "u");
const part = String.raw`[ \t\n\v\f\r,]*(${unitNumber})${blank}(\p{L}+|''|['"])\.?`;
const times = [
  /^(?:(?:(\d+) days?,? )?(\d+):)?(\d+):(\d\d(?:[.,]\d+)?)$/,
  /^P(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:[.,]\d+)?)S)?)?$/,
];
// The numbers of a text with their units: those of 1:02:03, PT1H2M3S, 1h 20m or 14.5 m²; none if it has no unit.
const parts = (factor, text) => {
  for (const pattern of times) {
    const found = pattern.exec(text);
    if (found) return ["d", "h", "min", "s"].map((unit, i) => [found[i + 1], unit]).filter(([digits]) => digits);
  }
  const isSeveral = new RegExp(`^(?:${part})+$`, "u").test(text);
  const several = isSeveral ? [...text.matchAll(new RegExp(part, "gu"))].map(m => [m[1], m[2]]) : [];
  if (several.length > 1 && several.every(([, unit]) => factor(unit) !== undefined)) return several;
  const one = single.exec(text);
  return one ? [[one[1], one[2].trim().replace(/\.$/, "")]] : [];
};
// The sum of the numbers of a text, each times the factor of its unit; undefined if a unit is unknown.
const withUnits = ({units, ...column}, value) => {
  const text = bare(value), factor = unit => units[unit] ?? units[unit.toLowerCase()];
  const found = text.length <= 48 && /\d/.test(text) ? parts(factor, text) : [];
  const terms = (found.length ? found : [[text, ""]]).map(([digits, unit]) => [number(column, digits), factor(unit)]);
  return terms.some(([n, f]) => n === undefined || f === undefined) ? undefined : terms.reduce((sum, [n, f]) => sum + n * f, 0);
};
// A number, or the text of one; undefined if a text is no finite number.
const number = (column, value) => {
  if (typeof value === "string" && column.units) return withUnits(column, value);
  const isText = typeof value === "string", digits = isText ? plain(column, value) : value;
  const isNumber = !isText || /^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$/i.test(digits);
  if (isText && !(isNumber && Number.isFinite(Number(digits)))) return undefined;
  if (!(Math.abs(Number(digits)) <= 1e15)) refuse(column, "numbers within 1e15 in the notation of the column", value);
  return Number(digits);
};
// The text of a value: 7 and 7.0 are '7', true is '1'.
const text = (column, value) => {
  if (typeof value === "string") return value;
  const v = Number(value), size = Math.abs(v), isWhole = Number.isInteger(v) && size < 1e15;
  if (!isWhole && !(size >= 1e-3 && size < 1e7)) refuse(column, "very small and very large categories as texts", value);
  return String(v);
};

const time = String.raw`(?<hour>\d{1,2}):(?<minute>\d{2})(?::(?<s>\d{2})(?:[.,]\d+)?)? ?(?:Z|[+-]\d{2}(?::?\d{2})?)?`;
const dates = [
  String.raw`(?<year>\d{4})(?<mark>[-/.])(?<first>\d{1,2})\k<mark>(?<second>\d{1,2})(?:[T ]${time})?`,
  String.raw`(?<first>\d{1,2})(?<mark>[-/.])(?<second>\d{1,2})\k<mark>(?<year>\d{4})(?:[T ]${time})?`,
  time,
].map(pattern => new RegExp(`^${pattern}$`));
const circle = (name, turn) => ({
  [`${name} sin`]: Math.round(1e9 * Math.sin(2 * Math.PI * turn)) / 1e9,
  [`${name} cos`]: Math.round(1e9 * Math.cos(2 * Math.PI * turn)) / 1e9,
});
const day = (year, month, date) => {
  const at = new Date(0);
  at.setUTCFullYear(year, month, date);
  return at.getTime() / 86400000;
};
const epoch = /^(1\d{9})(\d{3})?$/;
const yearLast = /^(\d\d)(\d\d)((?:19|20)\d\d)$/;
const compact = /^((?:19|20)\d\d)(0\d|1[0-2])(\d\d)(?:T?(\d\d)(\d\d)(\d\d))?$/;
// The parts of 2020-12-31, 20201231, 31.12.2020 or 31/12/2020, also with a time, of 18:05 alone, or of seconds or
// milliseconds since 1970; undefined if a text is no date. A text with digits and other signs may be a date in a notation that only `avm` reads.
const dateParts = (column, given) => {
  const value = text(column, given).trim().replace(compact, (_, y, month, date, h, minute, s) =>
    `${y}-${month}-${date}` + (h ? ` ${h}:${minute}:${s}` : ""))
    .replace(yearLast, "$1/$2/$3")
    .replace(epoch, (_, seconds) => new Date(1000 * seconds).toISOString().slice(0, 19));
  const found = dates.map(pattern => pattern.exec(value)?.groups);
  const p = found[0] ?? found[1] ?? found[2], [h, minute, s] = ["hour", "minute", "s"].map(k => Number(p?.[k] ?? 0));
  if (!p && /\d/.test(value) && /\D/.test(value)) {
    refuse(column, "dates as 2020-12-31, 31.12.2020 or 31/12/2020 and times as 18:05:00", value);
  }
  if (!p || h > 24 || minute > 59 || s > 60) return undefined;
  const hour = h + minute / 60 + s / 3600, parts = p.hour ? circle("hour", hour / 24) : {};
  if (found[2]) return parts;
  const isMonthFirst = found[0] || column.monthFirst && p.mark !== ".";
  const [month, date] = (isMonthFirst ? [p.first, p.second] : [p.second, p.first]).map(Number), year = Number(p.year);
  const at = day(year, month - 1, date), start = day(year, 0, 1);
  if (month < 1 || date < 1 || at >= day(year, month, 1) || month > 12) return undefined;
  const season = (at - start + hour / 24) / (day(year + 1, 0, 1) - start);
  const weekday = (((at + 3) % 7) + 7) % 7;
  return {...parts, year: year + season, ...circle("season", season), ...circle("weekday", weekday / 7)};
};
// The bucket of a word by the FNV-1a hash of its UTF-16 code units.
const bucket = (word, buckets) => {
  let hash = 0x811c9dc5;
  for (let i = 0; i < word.length; i++) hash = Math.imul(hash ^ word.charCodeAt(i), 0x01000193);
  return (hash ^ hash >>> 15) & buckets - 1;
};
// The share of each bucket that words and pairs of neighbouring words are in; their vector has length 1.
const wordValues = (column, value) => {
  const words = text(column, value).toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [], counts = {};
  const pairs = words.slice(1).map((word, i) => `${words[i]} ${word}`);
  for (const word of [...words, ...pairs]) {
    const place = bucket(word, column.buckets);
    counts[place] = (counts[place] ?? 0) + 1;
  }
  const length = Math.sqrt(sum(Object.values(counts).map(count => count * count)));
  return Object.fromEntries(Object.entries(counts).map(([place, count]) => [place, count / length]));
};
const own = (table, key) => Object.hasOwn(table, key) ? table[key] : undefined;
// The features of a column and their values, where they are not 0; null is a missing value.
const features = (column, value) => {
  const isMark = typeof value === "string" && (model.marks ?? []).includes(value.toLowerCase());
  const isMissing = value === null || value === undefined, isUnknown = isMissing || isMark;
  const entries = (values, table) => Object.entries(values).map(([key, v]) => [own(table, key), v]);
  if ("feature" in column) return [[column.feature, (isUnknown ? undefined : number(column, value)) ?? column.mean]];
  if ("parts" in column) {
    return entries((isUnknown ? undefined : dateParts(column, value)) ?? {year: column.meanYear}, column.parts);
  }
  if (isMissing) return [];
  if ("words" in column) return entries(wordValues(column, value), column.words);
  return [[own(column.categories, text(column, value)) ?? column.other, 1]];
};
// The features of a row by column name. A column that is not there is missing.
const encoded = row => {
  if (!model.columns) {
    fail("the model knows no column names: give rows as lists of features");
  }
  if (!model.columns.some(column => Object.hasOwn(row, column.name))) {
    fail(`none of the model's columns is here: ${model.columns.map(column => column.name).join(", ")}`);
  }
  const x = new Array(model.features).fill(0);
  for (const column of model.columns) {
    for (const [feature, value] of features(column, own(row, column.name))) if (feature !== undefined) x[feature] = value;
  }
  return x;
};

const probabilities = scores => {
  const {slopes, offsets, softmax} = model.calibration, logits = scores.map((s, c) => slopes[c] * s + offsets[c]);
  const isSoftmax = softmax && logits.length > 1, most = Math.max(...logits);
  const parts = logits.map(v => isSoftmax ? Math.exp(v - most) : 1 / (1 + Math.exp(-v)));
  if (parts.length === 1) return [1 - parts[0], parts[0]];
  return parts.map(p => sum(parts) > 0 ? p / sum(parts) : 1 / parts.length);
};
const halfWidth = ({answers: at, halfWidths}, answer) => {
  const i = at.filter(a => a <= answer).length;
  if (i === 0 || i === at.length) return halfWidths[Math.max(0, i - 1)];
  const part = (answer - at[i - 1]) / (at[i] - at[i - 1]);
  return Math.exp((1 - part) * Math.log(halfWidths[i - 1]) + part * Math.log(halfWidths[i]));
};
const prior = model.prior ?? [0];
// The label of a row, and all else that is known of it.
const prediction = x => {
  const scores = answers(model, x);
  if (!model.classes) {
    if (!model.interval) return {label: scores[0]};
    const half = halfWidth(model.interval, scores[0]);
    return {label: scores[0], low: scores[0] - half, high: scores[0] + half};
  }
  const decisive = scores.map((s, c) => s + prior[c]), labels = model.labels ?? model.classes;
  const place = decisive.length === 1 ? Number(decisive[0] >= (model.model.threshold ?? 0))
    : decisive.indexOf(Math.max(...decisive));
  const answer = {label: labels[place], scores};
  if (!model.calibration) return answer;
  const likely = probabilities(scores);
  answer.probabilities = Object.fromEntries(labels.map((label, c) => [label, likely[c]]));
  if (model.labelSet) answer.labels = labels.filter((_, c) => 1 - likely[c] <= model.labelSet.threshold);
  return answer;
};
console.log(JSON.stringify(rows.map(row => Array.isArray(row)
  ? answers(model, row).map((s, c) => s + prior[c]) : prediction(encoded(row)))));
