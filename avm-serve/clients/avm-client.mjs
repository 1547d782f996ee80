// A client for avm serve that needs nothing but a browser or Node 18.
//
//   import { AvmClient } from "./avm-client.mjs";
//
//   const avm = new AvmClient("http://localhost:8080");
//   await avm.create("spam");
//   await avm.learn("spam", [{ words: 20, from: "shop", label: "spam" }]);
//   (await avm.predict("spam", [{ words: 22, from: "shop" }])).predictions[0].label;
//
// Rows are objects by column name. Requests that are refused because the service is busy, and those that get no reply, are
// sent again; each request that brings rows has a key of its own, so that its rows are learned once.

/** What the service refuses; `status` is the HTTP status, the message its sentence. */
export class AvmError extends Error {
  constructor(status, detail) {
    super(detail);
    this.name = "AvmError";
    this.status = status;
  }
}

const BUSY = [429, 503];
const pause = seconds => new Promise(done => setTimeout(done, 1000 * seconds));
const path = (name, action) => `/v1/models/${encodeURIComponent(name)}${action ? `/${action}` : ""}`;

export class AvmClient {
  constructor(url = "http://localhost:8080", { token = null, attempts = 10 } = {}) {
    this.url = url.replace(/\/+$/, "");
    this.token = token;
    this.attempts = attempts;
  }

  /** All models with their figures. */
  async models() { return (await this.#json("GET", "/v1/models")).models; }

  /** All that is known of a model. */
  model(name) { return this.#json("GET", path(name)); }

  /** Makes a model; without a specification in automatic mode. */
  create(name, spec = {}) { return this.#json("PUT", path(name), spec); }

  /** Takes a model away with all its rows. */
  async delete(name) { await this.#send("DELETE", path(name)); }

  /** Learns rows; resolves when they are on disk. */
  learn(name, rows) { return this.#json("POST", path(name, "learn"), rows, true); }

  /** Answers each row, then learns it. */
  observe(name, rows) { return this.#json("POST", path(name, "observe"), rows, true); }

  /** Answers rows; with `minSequence` by a model that has learned that row. */
  predict(name, rows, { minSequence = null } = {}) {
    const query = minSequence === null ? "" : `?min-sequence=${minSequence}`;
    return this.#json("POST", path(name, "predict") + query, rows);
  }

  /** Labels for rows with an id that were answered earlier. */
  labels(name, labels) { return this.#json("POST", path(name, "labels"), labels, true); }

  /** The learner of a model as bytes that `avm predict` reads. */
  async file(name) { return new Uint8Array(await (await this.#send("GET", path(name, "file"))).arrayBuffer()); }

  /** Makes a model of the bytes of a learner. */
  async load(name, learner) { return (await this.#send("PUT", path(name), learner, "application/octet-stream")).json(); }

  /** The versions that are kept, the newest first, and the one that is pinned. */
  versions(name) { return this.#json("GET", path(name, "versions")); }

  /** Keeps a version of what is learned now. */
  keepVersion(name) { return this.#json("POST", path(name, "versions")); }

  /** Has a version answer. */
  pin(name, version) { return this.#json("PUT", path(name, "champion"), { version }); }

  /** Has the latest answer again. */
  async unpin(name) { await this.#send("DELETE", path(name, "champion")); }

  /** Adds a challenger, which learns the same rows and answers nobody. */
  challenge(name, options = {}) { return this.#json("PUT", path(name, "challenger"), options); }

  /** All that is known of the challenger. */
  challenger(name) { return this.#json("GET", path(name, "challenger")); }

  /** Takes the challenger away. */
  async withdraw(name) { await this.#send("DELETE", path(name, "challenger")); }

  /** Has the challenger answer; what answered before challenges it. */
  promote(name) { return this.#json("POST", path(name, "promote")); }

  /** A copy of the whole store as bytes. */
  async backup() { return new Uint8Array(await (await this.#send("GET", "/v1/backup")).arrayBuffer()); }

  /** How the service is; AvmError with status 503 if it is not well. */
  health() { return this.#json("GET", "/health"); }

  /** The figures for Prometheus as text. */
  async metrics() { return (await this.#send("GET", "/metrics")).text(); }

  async #json(method, at, body, hasRows = false) {
    const text = body === undefined ? undefined : JSON.stringify(body);
    return (await this.#send(method, at, text, "application/json", hasRows)).json();
  }

  async #send(method, at, body, type, hasRows = false) {
    const headers = body === undefined ? {} : { "Content-Type": type };
    if (this.token) headers.Authorization = `Bearer ${this.token}`;
    if (hasRows) headers["Idempotency-Key"] = crypto.randomUUID();
    for (let attempt = 1; ; attempt++) {
      let reply;
      try {
        reply = await fetch(this.url + at, { method, headers, body });
      } catch (gone) {
        const isSafe = method === "GET" || hasRows;
        if (!isSafe || attempt === this.attempts) throw gone;
        await pause(1);
        continue;
      }
      if (reply.ok) return reply;
      const text = await reply.text();
      if (!BUSY.includes(reply.status) || at === "/health" || attempt === this.attempts) {
        throw new AvmError(reply.status, detail(text));
      }
      await pause(Number(reply.headers.get("Retry-After") ?? 1));
    }
  }
}

function detail(text) {
  try {
    return JSON.parse(text).detail ?? text;
  } catch {
    return text;
  }
}
