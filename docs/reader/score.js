// Scores rows by hand with a model that `avm export --json` wrote: node score.js model.json rows.json
const fs = require("fs");
const [model, rows] = process.argv.slice(2).map(file => JSON.parse(fs.readFileSync(file)));
const sum = list => list.reduce((a, b) => a + b, 0);
const distance = (x, point) => {
  const p = new Map(point);
  return sum(x.map((v, i) => (v - (p.get(i) ?? 0)) ** 2));
};
const machine = (m, x) => {
  const root = m.kernel === "gaussian" ? 1 : 0.5;
  const k = m.vectors.map(c => Math.exp(-m.gamma * distance(x, c) ** root));
  return m.coefficients.map((b, c) => sum(b.map((v, j) => v * k[j])) +
    sum((m.linear ? m.linear[c] : [0]).map((f, i) => f * (i === 0 ? 1 : x[i - 1]))));
};
const map = (s, x) => s.matrix ? s.matrix.map(row => sum(row.map((v, i) => v * x[i]))) : x;
const limited = v => Math.max(-1e4, Math.min(1e4, v));
const scaled = (model, x) => model.scalers
  .reduce((y, s) => map(s, s.factors.map((f, i) => limited(f * y[i] + s.shifts[i]))), x);

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
const answers = (model, x) => scores(model, x).map(s => s * (model.scoreFactor ?? 1) + (model.scoreShift ?? 0));
const scores = (model, row) => {
  const m = model.model;
  if (m.form === "mean") {
    const all = m.members.map(each => answers(each, row));
    return all[0].map((_, c) => sum(all.map((s, k) => m.weights[k] * s[c])));
  }
  if (m.form === "boosted") {
    const z = scaled(model, row), sums = [...m.constants];
    m.trees.forEach((node, t) => sums[t % sums.length] += leaf(node, z));
    return sums;
  }
  const x = scaled(model, row).map(Math.fround);
  if (m.form === "machine") return machine(m, x);
  const [part, tree] = path(m.root, x);
  const live = m.live ? machine(m.live, x) : tree;
  return live.map((l, c) => l + part * (tree[c] - l));
};
const prior = model.prior ?? [0];
console.log(JSON.stringify(rows.map(x => scores(model, x).map((s, c) => s + prior[c]))));
