#!/usr/bin/env python3
"""Reads a model of AVM for Java and scores rows with it, as docs/reader/README.md describes it.

    avm_reader.py MODEL < rows.csv

Each input line is a row: the values of its features, separated by commas, as they stand in the data.
Each output line has the scores, separated by commas. Python's standard library is enough.
"""
import math
import struct
import sys

MAGIC = b"AVM4J\r\n\0"
KERNELS = [
    lambda g, d2: math.exp(-g * d2),
    lambda g, d2: math.exp(-g * math.sqrt(d2)),
    lambda g, d2: 1 / (1 + g * d2),
    lambda g, d2: matern(g * math.sqrt(3 * d2), 0),
    lambda g, d2: matern(g * math.sqrt(5 * d2), 1 / 3),
]


def matern(s, cubic):
    return (1 + s + cubic * s * s) * math.exp(-s)


def crc32c(data):
    table = []
    for i in range(256):
        for _ in range(8):
            i = (i >> 1) ^ (0x82F63B78 if i & 1 else 0)
        table.append(i)
    crc = 0xFFFFFFFF
    for byte in data:
        crc = (crc >> 8) ^ table[(crc ^ byte) & 0xFF]
    return crc ^ 0xFFFFFFFF


class Reader:
    def __init__(self, data, version, at=0):
        self.data, self.version, self.at = data, version, at

    def number(self, form):
        value, = struct.unpack_from(">" + form, self.data, self.at)
        self.at += struct.calcsize(form)
        return value

    def flag(self):
        return self.number("b") == 1

    def i32(self):
        return self.number("i")

    def i64(self):
        return self.number("q")

    def f64(self):
        return self.number("d")

    def array(self, form):
        n = self.i32()
        if n < 0:  # only those that are not 0
            values = [0.0] * (-1 - n)
            for _ in range(self.i32()):
                i = self.i32()
                values[i] = self.number(form)
            return values
        values = struct.unpack_from(">%d%s" % (n, form), self.data, self.at)
        self.at += n * struct.calcsize(form)
        return list(values)

    def text(self):
        return bytes(self.array("B")).decode("utf-8")

    def section(self, name):
        """Enters a section and returns where it ends; version 1 has none, so that one just reads on."""
        if self.version > 1:
            found = self.text()
            if found != name:
                raise ValueError("expected section %s, found %s" % (name, found))
            length = self.i64()
            return self.at + length

    def has(self, name):
        """Whether the next section has this name."""
        return self.version > 1 and self.data.startswith(struct.pack(">i", len(name)) + name.encode(), self.at)

    def skip(self, name):
        """Leaves out a section that may be there or not."""
        if self.has(name):
            self.at = self.section(name)


def read_file(path):
    with open(path, "rb") as file:
        data = file.read()
    if data[:8] != MAGIC:
        raise ValueError("not an AVM model file")
    version, length = struct.unpack_from(">iq", data, 8)
    checksum, = struct.unpack_from(">I", data, 20 + length)
    if crc32c(data[8:20 + length]) != checksum:
        raise ValueError("the checksum does not match")
    reader = Reader(data, version, 20)
    kind = reader.text()
    reader.text()
    return read_kind(reader, kind)


def read_kind(r, kind):
    if kind == "avm-model":
        return read_model(r)
    if kind == "avm-learner":
        return read_learner(r)
    if kind == "avm-prepared-model":
        return read_prepared(r)
    raise ValueError("this reader does not know the kind " + kind)


def read_options(r):
    task = r.i32()
    if task == 1:
        for _ in range(r.i32()):
            r.f64()
    r.i32(), r.f64()
    kernel, gamma = r.i32(), r.f64()
    r.i32(), r.f64()
    if r.i32() == 2:
        r.f64(), r.f64()
    if r.i32() == 2:
        r.f64()
    newton = r.i32() == 1
    if newton:
        r.f64()
    regularization = r.f64()
    r.i32(), r.i32(), r.f64(), r.i32(), r.i64(), r.flag()
    for _ in range(r.i32()):
        r.f64(), r.f64()
    r.i64()
    return {"task": task, "kernel": kernel, "gamma": gamma, "newton": newton, "lambda": regularization}


def read_core(r):
    r.i32()
    size = r.i32()
    for _ in range(size):
        r.flag()
    vectors = [{} for _ in range(size)]
    for _ in range(r.i32()):
        index = r.i32()
        for j, value in enumerate(r.array("f")):
            if value != 0:
                vectors[j][index] = value
    return vectors


def read_model(r):
    r.section("provenance")
    r.text()
    options = read_options(r)
    r.i64(), r.i32(), r.i32(), r.i64()
    r.i32(), r.array("d")
    r.section("core")
    vectors = read_core(r)
    factor = r.f64()
    columns = [[factor * b for b in r.array("d")] for _ in range(r.i32())]
    return expansion(options, vectors, columns)


def read_learner(r):
    """The last iterate of a learner without a cap that merges and without forgetting."""
    r.section("options")
    options = read_options(r)
    r.section("state")
    labels = [r.f64() for _ in range(r.i32())]
    r.i64(), r.f64(), r.i64(), r.f64()
    r.section("core")
    vectors = read_core(r)
    r.section("memory")
    memory = r.f64()
    r.section("counts")
    r.i32(), r.array("d")
    r.section("packing")
    r.section("weights")
    count = len(labels) if options["task"] == 1 else 1
    columns = newton_columns(r, len(vectors), count) if options["newton"] else \
        sgd_columns(r, options["lambda"] * memory, count)
    if options["task"] == 1:
        columns = [column for _, column in sorted(zip(labels, columns))]
    return expansion(options, vectors, columns)


def sgd_columns(r, divisor, count):
    r.i64()
    scale = r.f64()
    r.f64(), r.f64()
    columns = []
    for _ in range(count):
        columns.append([-scale / divisor * a for a in r.array("d")])
        r.array("d")
    return columns


def newton_columns(r, size, count):
    r.i64(), r.f64(), r.f64(), r.f64(), r.i64(), r.array("d")
    for _ in range(2):
        for _ in range(size):
            r.array("d")
        for _ in range(2):
            for _ in range(r.i32()):
                r.array("d")
    columns = []
    for _ in range(count):
        columns.append(r.array("d"))
        r.array("d")
    return columns


def read_prepared(r):
    end = r.section("schema")
    read_schema(r)
    r.at = end or r.at  # scores do not depend on the rest of a table
    end = r.section("scaler")
    scale = read_scaler(r)
    r.at = end or r.at  # the weights are part of the factors
    r.section("labels")
    unlabel = read_labels(r)
    r.skip("background")  # explanations need it, scores do not
    if r.flag():
        end = r.section("calibration")
        r.i32(), r.array("d"), r.array("d"), r.array("d")
        r.at = end or r.at  # scores do not depend on whether this is a softmax
    kind = r.text()
    r.section("content")
    inner = read_kind(r, kind)
    return lambda row: [unlabel(score) for score in inner(scale(row))]


def read_schema(r):
    for _ in range(r.i32()):
        r.text()
        if r.flag():
            r.i32(), r.i64(), r.f64()
        else:
            for _ in range(r.i32()):
                r.text(), r.i32()
    r.flag()
    for _ in range(r.i32()):
        r.text()


def read_scaler(r):
    r.i32(), r.i64(), r.i32()
    factors, shifts = r.array("d"), r.array("d")
    if not factors:
        return lambda row: row
    matrix = read_matrix(r) if r.has("matrix") else None

    def scale(row):
        scaled = [f * row.get(i, 0) + s for i, (f, s) in enumerate(zip(factors, shifts))]
        if matrix:
            scaled = [sum(a * b for a, b in zip(line, scaled)) for line in matrix]
        return dict(enumerate(scaled))

    return scale


def read_matrix(r):
    r.section("matrix")
    return [r.array("d") for _ in range(r.i32())]


def read_labels(r):
    tag = r.i32()
    if tag == 0:
        return lambda score: score
    first, second = r.f64(), r.f64()
    return (lambda score: score * second + first) if tag == 2 else lambda score: score


def expansion(options, vectors, columns):
    """The scores of a row, a dictionary from feature index to value."""
    kernel, gamma = KERNELS[options["kernel"]], options["gamma"]

    def scores(row):
        k = [kernel(gamma, squared_distance(row, vector)) for vector in vectors]
        return [sum(b * value for b, value in zip(column, k)) for column in columns]

    return scores


def squared_distance(x, z):
    return sum((x.get(i, 0) - z.get(i, 0)) ** 2 for i in x.keys() | z.keys())


if __name__ == "__main__":
    score = read_file(sys.argv[1])
    for line in sys.stdin:
        row = {i: float(value) for i, value in enumerate(line.split(","))}
        print(",".join(repr(value) for value in score(row)))
