"""Scores rows by hand with a model that `avm export --json` wrote: python3 score.py model.json rows.json."""
import array, json, math, sys

def distance(x, point):
    point = dict(point)
    return sum((v - point.get(i, 0)) ** 2 for i, v in enumerate(x))

def machine(m, x):
    root = 1 if m["kernel"] == "gaussian" else 0.5
    k = [math.exp(-m["gamma"] * distance(x, c) ** root) for c in m["vectors"]]
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

def leaf(node, x):
    while isinstance(node, list):
        feature, threshold, zero_goes_left, left, right = node
        value = x[feature] if feature < len(x) else 0
        node = left if (zero_goes_left if value == 0 else value < threshold) else right
    return node

def scores(model, x):
    m = model["model"]
    if m["form"] == "mean":
        parts = [[w * s for s in answers(each, x)] for w, each in zip(m["weights"], m["members"])]
        return [sum(s) for s in zip(*parts)]
    if m["form"] == "boosted":
        sums, x = list(m["constants"]), scaled(model, x, "d")
        for t, node in enumerate(m["trees"]):
            sums[t % len(sums)] += leaf(node, x)
        return sums
    x = scaled(model, x)
    if m["form"] == "machine":
        return machine(m, x)
    part, tree = path(m["root"], x)
    live = machine(m["live"], x) if "live" in m else tree
    return [l + part * (t - l) for l, t in zip(live, tree)]

def answers(model, x):
    return [s * model.get("scoreFactor", 1) + model.get("scoreShift", 0) for s in scores(model, x)]

model = json.load(open(sys.argv[1]))
prior = model.get("prior", [0])
print(json.dumps([[s + p for s, p in zip(scores(model, x), prior)] for x in json.load(open(sys.argv[2]))]))
