// Scores rows by hand with a model that `avm export --json` wrote: node score.js model.json rows.json
const fs = require("fs");
const [model, rows] = process.argv.slice(2).map(file => JSON.parse(fs.readFileSync(file)));
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
const prior = model.prior ?? [0];
console.log(JSON.stringify(rows.map(x => answers(model, x).map((s, c) => s + prior[c]))));
