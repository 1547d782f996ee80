"""Scores rows by hand with a model that `avm export --json` wrote: python3 score.py model.json rows.json."""
import array, json, math, sys

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

model = json.load(open(sys.argv[1]))
prior = model.get("prior", [0])
print(json.dumps([[s + p for s, p in zip(answers(model, x), prior)] for x in json.load(open(sys.argv[2]))]))
