"use strict";
const $ = id => document.getElementById(id);
const SVG = "http://www.w3.org/2000/svg";
let token = sessionStorage.getItem("token") || "";
let selected = decodeURIComponent(location.hash.slice(1));
let streaming = null;
let formFor = "";
let versionsFor = "";

function make(tag, attributes = {}, text) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  if (text !== undefined) element.textContent = plain(text);
  return element;
}
// Labels come from anywhere: characters that nobody sees, or that turn a text around, are shown by their numbers.
function plain(text) {
  return String(text).replace(/[\u0000-\u001f\u007f-\u009f\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g,
    c => "\\u" + c.charCodeAt(0).toString(16).padStart(4, "0"));
}
const own = (object, name) => object && Object.prototype.hasOwnProperty.call(object, name) ? object[name] : undefined;
function draw(tag, attributes, text) {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  if (text !== undefined) element.textContent = plain(text);
  return element;
}
const say = (id, text) => { $(id).textContent = plain(text); };
const whole = n => n == null ? "–" : Math.round(n).toLocaleString("en");
function short(n) {
  if (n == null) return "–";
  const a = Math.abs(n);
  if (a >= 1e6) return (n / 1e6).toFixed(1) + "M";
  if (a >= 1e4) return (n / 1e3).toFixed(0) + "k";
  const rounded = Number(n.toPrecision(3));
  return a >= 1e3 ? rounded.toLocaleString("en") : rounded.toString();
}
const size = n => n == null ? "–" : n >= 1e9 ? (n / 1e9).toFixed(1) + " GB" : (n / 1e6).toFixed(0) + " MB";
function time(seconds) {
  if (seconds == null || seconds < 0) return "–";
  for (const [unit, length] of [["d", 86400], ["h", 3600], ["min", 60]]) if (seconds >= 2 * length) return Math.floor(seconds / length) + " " + unit;
  return Math.floor(seconds) + " s";
}
const isRate = model => model.metric !== "rmse";
function error(model, value) {
  if (value == null) return "–";
  return isRate(model) ? value.toFixed(1) + " %" : short(value);
}

async function call(path, options = {}) {
  const headers = Object.assign({}, options.headers);
  if (token) headers.Authorization = "Bearer " + token;
  const reply = await fetch(path, Object.assign({}, options, {headers}));
  if (reply.status === 401) $("token").hidden = false;
  if (!reply.ok) {
    let detail = reply.statusText;
    try {
      const problem = await reply.json();
      detail = problem.detail + (problem.row ? ` (row ${problem.row})` : "");
    } catch (none) { /* no document */ }
    const failure = new Error(detail);
    failure.status = reply.status;
    throw failure;
  }
  return reply;
}

// Server-sent events over fetch, so that a token can be sent; connects again when the service was away.
async function listen(path, take, signal) {
  while (!signal.aborted) {
    try {
      const reply = await call(path, {signal});
      const reader = reply.body.getReader();
      const decoder = new TextDecoder();
      let rest = "";
      for (;;) {
        const {done, value} = await reader.read();
        if (done) break;
        rest += decoder.decode(value, {stream: true});
        let end;
        while ((end = rest.indexOf("\n\n")) >= 0) {
          const line = rest.slice(0, end);
          rest = rest.slice(end + 2);
          if (line.startsWith("data: ")) { state(true); take(JSON.parse(line.slice(6))); }
        }
      }
    } catch (gone) {
      if (gone.status === 404) return;
      if (signal.aborted) return;
      state(false, gone.status === 401 ? "a token is required" : "connection lost, reconnecting …");
    }
    await new Promise(wake => setTimeout(wake, 1000));
  }
}
function state(live, text) {
  $("link").className = live ? "live" : "lost";
  $("link").textContent = live ? "live" : text;
}

function select(name) {
  selected = name;
  location.hash = encodeURIComponent(name);
  if (streaming) streaming.abort();
  streaming = new AbortController();
  formFor = "";
  $("answer").textContent = $("said").textContent = $("uploaded").textContent = "";
  $("progress").hidden = true;
  listen(`/v1/models/${encodeURIComponent(name)}/events`, showModel, streaming.signal);
}

function showService(service) {
  $("service").textContent = `version ${service.version} · up ${time(service.uptimeSeconds)} · ${size(service.diskFreeBytes)} of disk free · `
    + `${size(service.heapUsedBytes)} of ${size(service.heapMaxBytes)} memory`
    + (service.ready ? "" : ` · ${whole(service.loaded)} of ${whole(service.models)} models loaded`);
  $("problems").textContent = service.problems.join("; ");
}
function showModels(state) {
  showService(state.service);
  document.body.dataset.role = state.caller.role;
  $("backup").hidden = state.caller.models !== undefined;
  const models = state.models;
  $("none").hidden = models.length > 0;
  const rows = models.map(model => {
    const row = make("tr", {"aria-selected": model.name === selected});
    const name = make("td");
    const open = make("button", {type: "button", title: model.name}, model.name);
    name.append(open);
    row.append(name);
    if (model.state !== "ready") name.append(make("small", {}, " " + model.state));
    const cells = [error(model, model.recent), error(model, model.recentMajority), whole(model.learned),
      short(model.rate), whole(model.size), model.lastDrift ? "at row " + whole(model.lastDrift) : "–"];
    for (const cell of cells) row.append(make("td", {}, cell));
    row.addEventListener("click", () => select(model.name));
    return row;
  });
  const focused = document.activeElement && document.activeElement.closest("#models") ? document.activeElement.textContent : null;
  $("models").tBodies[0].replaceChildren(...rows);
  if (focused) for (const row of rows) if (row.querySelector("button").textContent === focused) row.querySelector("button").focus();
  const has = models.some(model => model.name === selected);
  if (!has) { $("detail").hidden = true; if (models.length) select(models[0].name); }
  else if (!streaming) select(selected);
}

function tile(value, name) {
  const box = make("div", {class: "tile"});
  box.append(make("b", {}, value), make("span", {}, name));
  return box;
}

function showModel(model) {
  if (model.name !== selected) return;
  $("detail").hidden = false;
  $("name").title = model.name;
  $("name").textContent = model.name + (model.task ? " · " + model.task : "");
  const last = model.traffic[model.traffic.length - 1] || {};
  $("tiles").replaceChildren(
    tile(error(model, model.recent), "error of the last 1,000"),
    tile(error(model, model.recentMajority), model.metric === "rmse" ? "error of the mean" : "error of the majority"),
    tile(error(model, model.recentNoChange), "error of no change"),
    tile(model.metric === "auc" ? short(model.auc) : error(model, model[model.metric]), model.metric === "auc" ? "area under ROC" : "error of all rows"),
    tile(whole(model.learned), "rows learned"),
    tile(short(last.learned || 0), "rows per second"),
    tile(whole(model.size), "vectors"),
    tile(whole(model.drifts), "drifts"),
    tile(whole(model.pending), "rows waiting for a label"),
    tile(whole(model.backlog), "rows waiting to be learned"),
    tile(whole(model.refused + model.refusedAtDoor), "refused"),
    tile(time((Date.now() - model.snapshotAt) / 1000), "since the last snapshot"));
  say("trouble", model.trouble || "");
  $("metric").textContent = isRate(model) ? "mistakes in percent" : "root mean square";
  errorChart(model);
  drift(model);
  seriesChart("rate-chart", model.traffic, [["learned", "learned"], ["answered", "answered"]], 1);
  seriesChart("latency-chart", model.traffic, [["p50", "half"], ["p99", "99 of 100"]], 1000, true);
  versions(model);
  challenger(model);
  classes(model);
  settings(model);
  shape(model);
  refused(model);
  latest(model);
  tryForm(model);
}

// One unit of a chart is one pixel, so that text keeps its shape.
const widthOf = id => Math.max(240, $(id).clientWidth);
function axes(svg, width, height, top, left, format) {
  const step = niceStep(top);
  for (let y = 0; y <= top * 1.0001; y += step) {
    const at = height - 22 - (height - 34) * y / top;
    svg.append(draw("line", {class: "grid", x1: left, x2: width, y1: at, y2: at}));
    svg.append(draw("text", {x: left - 6, y: at + 4, "text-anchor": "end"}, format(y)));
  }
}
function niceStep(top) {
  const raw = top / 4;
  const power = Math.pow(10, Math.floor(Math.log10(raw)));
  return [1, 2, 2.5, 5, 10].map(m => m * power).find(s => s >= raw);
}
function line(points) {
  let path = "";
  let pen = "M";
  for (const [x, y] of points) {
    if (y == null || !isFinite(y)) { pen = "M"; continue; }
    path += pen + x.toFixed(1) + " " + y.toFixed(1);
    pen = "L";
  }
  return path;
}
function legend(names) {
  const box = make("div", {class: "legend"});
  for (const [kind, name] of names) {
    const item = make("span", {class: "chart"});
    const sample = draw("svg", {viewBox: "0 0 34 10"});
    sample.append(draw("path", {class: kind, d: "M0 5L34 5"}));
    item.append(sample, document.createTextNode(name));
    box.append(item);
  }
  return box;
}
function errorChart(model) {
  const curve = model.curve;
  const height = 260, left = 52, width = widthOf("error-chart");
  const svg = draw("svg", {viewBox: `0 0 ${width} ${height}`, role: "img"});
  const all = curve.flatMap(p => [p.recent, p.error, p.majority, p.noChange]).filter(v => v != null);
  const top = Math.max(...all, isRate(model) ? 1 : 1e-9) * 1.08;
  const last = curve.length ? curve[curve.length - 1].instances : 1;
  const x = n => left + (width - left - 4) * n / last;
  const y = v => v == null ? null : height - 22 - (height - 34) * v / top;
  svg.append(draw("title", {}, curve.length ? `Error of the last 1,000 rows is ${error(model, model.recent)} after ${whole(last)} rows` : "No rows have been measured yet"));
  axes(svg, width, height, top, left, v => isRate(model) ? short(v) + " %" : short(v));
  for (const part of [0.25, 0.5, 0.75, 1]) {
    svg.append(draw("text", {x: x(last * part), y: height - 6, "text-anchor": part === 1 ? "end" : "middle"}, short(Math.round(last * part))));
  }
  const lines = [["majority", p => p.majority], ["nochange", p => p.noChange], ["total", p => p.error], ["recent", p => p.recent]];
  for (const [kind, value] of lines) svg.append(draw("path", {class: kind, d: line(curve.map(p => [x(p.instances), y(value(p))]))}));
  const mark = (kind, row, words) => {
    if (row > last) return;
    const at = x(row);
    svg.append(draw("line", {class: kind, x1: at, x2: at, y1: 10, y2: height - 22}));
    const top = draw("path", {class: kind + "mark", d: `M${at - 5} 4L${at + 5} 4L${at} 12Z`});
    top.append(draw("title", {}, words));
    svg.append(top);
  };
  for (const drift of model.lastDrifts || []) mark("drift", drift.instance, "drift found at row " + whole(drift.instance));
  for (const rise of model.drift || []) mark("rise", rise.since, `the error rose at row ${whole(rise.since)}: ${rise.text}`);
  $("error-chart").replaceChildren(svg, legend([["recent", "last 1,000"], ["total", "all"], ["majority", isRate(model) ? "majority class" : "mean"], ["nochange", "no change"],
    ...((model.lastDrifts || []).length ? [["drift", "▼ drift found"]] : []),
    ...((model.drift || []).length ? [["rise", "▼ the error rose"]] : [])]));
}
function drift(model) {
  $("drift-section").hidden = !model.drift;
  const rises = [...(model.drift || [])].reverse();
  $("no-drift").hidden = rises.length > 0;
  $("drift").hidden = rises.length === 0;
  $("drift").tBodies[0].replaceChildren(...rises.slice(0, 20).map(rise => {
    const row = make("tr");
    row.append(make("td", {}, whole(rise.since)), make("td", {}, rise.error), make("td", {}, rise.text));
    return row;
  }));
}
// The top of a chart that a few spikes do not flatten: they are cut off there.
function calmTop(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const usual = sorted[Math.floor(0.9 * (sorted.length - 1))] || 0;
  return Math.min(sorted[sorted.length - 1] || 0, 3 * usual);
}
function seriesChart(id, samples, kinds, factor, isCalm) {
  const height = 150, left = 52, width = widthOf(id);
  const svg = draw("svg", {viewBox: `0 0 ${width} ${height}`, role: "img"});
  const values = samples.flatMap(s => kinds.map(([k]) => s[k])).filter(v => v != null).map(v => v * factor);
  const top = Math.max(isCalm ? calmTop(values) : Math.max(0, ...values), 1e-3) * 1.1;
  axes(svg, width, height, top, left, short);
  for (const [kind] of kinds) {
    svg.append(draw("path", {class: kind, d: line(samples.map((s, i) =>
      [left + (width - left) * (i + 120 - samples.length) / 120, s[kind] == null ? null : height - 22 - (height - 34) * Math.min(top, s[kind] * factor) / top]))}));
  }
  $(id).replaceChildren(svg, legend(kinds));
}

function bar(name, part, text) {
  const row = make("div", {class: "bar"});
  row.append(make("span", {title: plain(name)}, name), make("meter", {min: 0, max: 1, value: part}), make("span", {}, text));
  return row;
}
function classes(model) {
  const mix = Object.entries(model.classMix);
  $("mix-section").hidden = $("confusion-section").hidden = mix.length === 0;
  const total = mix.reduce((sum, [, n]) => sum + n, 0);
  $("mix").replaceChildren(...mix.slice(0, 20).map(([name, n]) => bar(name, n / total, (100 * n / total).toFixed(1) + " %")));
  const names = mix.map(([name]) => name).slice(0, 12);
  const head = make("tr");
  head.append(make("th", {}, "label"), ...names.map(name => make("th", {}, name)));
  const rows = names.map(label => {
    const row = make("tr");
    row.append(make("th", {scope: "row"}, label));
    for (const answer of names) row.append(make("td", {class: label === answer ? "own" : ""}, whole(own(own(model.confusion, label), answer) || 0)));
    return row;
  });
  $("confusion").replaceChildren(head, ...rows);
}
// A pinned version answers while the learner goes on; an earlier one than what answers is a way back.
function versions(model) {
  const pinned = model.versions.find(version => version.version === model.champion);
  $("answers").textContent = pinned ? `version ${pinned.version} is pinned, ${whole(model.sequence - pinned.sequence)} rows behind the learner` : "the latest is used";
  const latest = {sequence: model.sequence, metric: model.metric, recent: model.recent};
  const answering = pinned || latest;
  const all = [latest, ...model.versions];
  const body = $("versions").tBodies[0];
  // Rows are made anew only if there are others, so that a button stays while it is pressed.
  const key = JSON.stringify([model.name, model.champion, model.versions.map(version => [version.version, version.sequence < answering.sequence])]);
  if (key !== versionsFor) body.replaceChildren(...all.map(version => versionRow(version, answering)));
  versionsFor = key;
  all.forEach((version, i) => {
    const texts = [version.version ? whole(version.version) : "latest", whole(version.sequence), version.at ? time((Date.now() - version.at) / 1000) : "now", error(version, version.recent)];
    texts.forEach((text, cell) => { body.rows[i].cells[cell].textContent = text; });
  });
}
function versionRow(version, answering) {
  const row = make("tr");
  row.append(make("td"), make("td"), make("td"), make("td"));
  const last = make("td");
  if (version === answering) last.append(make("span", {class: "now"}, "● answers"));
  else {
    const word = !version.version ? "Unpin" : version.sequence < answering.sequence ? "Roll back" : "Pin";
    const button = make("button", {type: "button", class: "plain admin", "aria-label": version.version ? `${word}: version ${version.version}` : word}, word);
    button.addEventListener("click", () => act(version.version ? "PUT" : "DELETE", "champion", version.version && {version: version.version}));
    last.append(button);
  }
  row.append(last);
  return row;
}
function challenger(model) {
  const other = model.challenger;
  $("challenger").hidden = $("decide").hidden = !other;
  $("no-challenger").hidden = $("challenge").hidden = !!other;
  say("challenger-options", other ? JSON.stringify(other.spec) : "");
  if (!other) return;
  const lines = [["error of the last 1,000", m => error(m, m.recent)], ["error of all rows", m => m.metric === "auc" ? "–" : error(m, m[m.metric])], ["rows measured", m => whole(m.instances)],
    ["rows learned", m => whole(m.learned)], ["rows to learn", m => whole(m.backlog)], ["vectors", m => whole(m.size)]];
  $("challenger").tBodies[0].replaceChildren(...lines.map(([name, figure]) => {
    const row = make("tr");
    row.append(make("th", {scope: "row"}, name), make("td", {}, figure(model)), make("td", {}, figure(other)));
    return row;
  }));
}
// Changes who answers; what came of it is shown by the next event.
async function act(method, what, body) {
  try {
    const options = body ? {method, headers: {"Content-Type": "application/json"}, body: typeof body === "string" ? body : JSON.stringify(body)} : {method};
    await call(`/v1/models/${encodeURIComponent(selected)}/${what}`, options);
    say("said", "");
  } catch (failure) { say("said", failure.message); }
}
$("keep").addEventListener("click", () => act("POST", "versions"));
$("promote").addEventListener("click", () => act("POST", "promote"));
$("withdraw").addEventListener("click", () => { if (confirm(`Withdraw the challenger of ${selected} and delete all it has learned?`)) act("DELETE", "challenger"); });
$("challenge").addEventListener("submit", event => {
  event.preventDefault();
  act("PUT", "challenger", $("challenge-spec").value || "{}");
});
function settings(model) {
  $("chosen-title").textContent = model.automatic ? `What automatic mode chose, ${model.running} still running` : "Settings";
  const all = Object.assign({}, model.learner);
  if (model.scale) all.scale = model.scale;
  $("chosen").replaceChildren(...Object.entries(all).map(([name, value]) => {
    const row = make("tr");
    const free = model.automatic && (model.automatic.includes(name) || (name === "gamma" && model.automatic.includes("width")) || (name === "scale" && model.automatic.includes("scaling")));
    row.append(make("th", {scope: "row"}, name), make("td", {}, typeof value === "number" ? short(value) : String(value)), make("td", {}, free ? "chosen" : ""));
    return row;
  }));
}
function shape(model) {
  const points = model.corePoints.map(point => {
    const row = make("tr");
    const x = Object.entries(point.features).map(([name, value]) => `${name} ${short(value)}`).join(", ");
    row.append(make("td", {}, x), make("td", {}, point.coefficients.map(short).join(", ")));
    return row;
  });
  $("points").hidden = !points.length;
  $("points").tBodies[0].replaceChildren(...points);
  if (model.tree && model.tree.leaves.length > 1) {
    $("shape-title").textContent = `Tree: ${whole(model.tree.points)} core points in ${whole(model.tree.regions)} regions, ${model.tree.depth} deep`;
    const leaves = [...model.tree.leaves].sort((a, b) => b.share - a.share).slice(0, 16);
    const most = Math.max(...leaves.map(leaf => leaf.share), 1e-9);
    $("shape").replaceChildren(...leaves.map((leaf, i) => bar(`leaf ${i + 1}, depth ${leaf.depth}`, leaf.share / most, `${whole(leaf.points)} points`)));
    return;
  }
  $("shape-title").textContent = "Core points";
  const cap = Number((model.learner || {})["max-size"]) || 0;
  $("shape").replaceChildren(
    bar("vectors", cap ? model.size / cap : 1, whole(model.size) + (cap ? " of " + whole(cap) : "")),
    bar("cells", model.size ? model.cells / model.size : 0, whole(model.cells)),
    bar("with weight", model.size ? model.supportVectors / model.size : 0, whole(model.supportVectors)));
}
function refused(model) {
  const all = [["learner", model.refusals.learner], ["door", model.refusals.door]];
  const counts = all.flatMap(([by, refusals]) => Object.entries(refusals.counts).filter(([, n]) => n).map(([reason, n]) => `${whole(n)} by the ${by}: ${reason}`));
  $("refused-section").hidden = !counts.length;
  $("refused-counts").textContent = counts.join(", ");
  const last = all.flatMap(([by, refusals]) => refusals.last.slice(0, 8).map(refusal => {
    const row = make("tr");
    row.append(make("td", {}, refusal.sequence ? whole(refusal.sequence) : "–"), make("td", {}, by), make("td", {}, refusal.reason), make("td", {}, refusal.detail));
    return row;
  }));
  $("refused").tBodies[0].replaceChildren(...last);
}
function latest(model) {
  $("latest").tBodies[0].replaceChildren(...model.latest.map(entry => {
    const row = make("tr");
    const isRight = String(entry.answer) === String(entry.label);
    const mark = entry.answer == null || model.metric === "rmse" ? "" : isRight ? "right" : "wrong";
    row.append(make("td", {}, whole(entry.sequence)), make("td", {}, entry.answer == null ? "–" : typeof entry.answer === "number" ? short(entry.answer) : entry.answer),
      make("td", {}, entry.label == null ? "–" : String(entry.label)), make("td", {class: mark, title: mark}), make("td", {}, entry.row));
    return row;
  }));
}

function tryForm(model) {
  const columns = Object.entries(model.columns);
  const key = model.name + "/" + columns.length;
  if (key === formFor) return;
  formFor = key;
  const fields = columns.slice(0, 60).map(([name, column]) => {
    const label = make("label", {}, name);
    if (column.type === "text" && column.categories) {
      const choice = make("select", {"data-column": name, "data-type": "text"});
      choice.append(make("option", {value: ""}, "(missing)"), ...column.categories.map(c => make("option", {value: c}, c)));
      if (column.categories.length) choice.selectedIndex = 1;
      label.append(choice);
    } else {
      label.append(make("input", {"data-column": name, "data-type": column.type, value: column.mean == null ? "" : Number(column.mean.toPrecision(4)),
        type: column.type === "number" ? "number" : "text", step: "any"}));
    }
    return label;
  });
  if (!columns.length) fields.push(make("p", {}, "The model has no named columns yet."));
  else fields.push(make("button", {}, "Predict"));
  $("try").replaceChildren(...fields);
}
$("try").addEventListener("submit", async event => {
  event.preventDefault();
  const row = Object.create(null);
  for (const field of $("try").querySelectorAll("[data-column]")) {
    if (field.value === "") continue;
    row[field.dataset.column] = field.dataset.type === "number" ? Number(field.value) : field.value;
  }
  try {
    const reply = await (await call(`/v1/models/${encodeURIComponent(selected)}/predict`, {method: "POST", headers: {"Content-Type": "application/json"}, body: JSON.stringify(row)})).json();
    const answer = reply.predictions[0];
    const likely = answer.probabilities ? ", probabilities " + answer.probabilities.map(p => p.toFixed(3)).join(", ") : "";
    const sure = answer.interval ? `, from ${answer.interval[0] === null ? "-∞" : short(answer.interval[0])} to ${answer.interval[1] === null ? "∞" : short(answer.interval[1])}`
      : answer.labels ? `, one of {${answer.labels.join(", ")}}` : "";
    say("answer", `Answer: ${typeof answer.label === "number" ? short(answer.label) : answer.label} (score ${answer.scores.map(short).join(", ")}${likely})${sure}, by ${reply.version ? "version " + reply.version : "the model"} after row ${whole(reply.sequence)}${answer.far ? "; this row is far from everything learned" : ""}`);
  } catch (failure) { say("answer", failure.message); }
});

async function download(path, name) {
  try {
    const link = make("a", {download: name, href: URL.createObjectURL(await (await call(path)).blob())});
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60000);
    $("message").textContent = "";
  } catch (failure) { say("message", failure.message); }
}
$("backup").addEventListener("click", () => download("/v1/backup", "avm.db"));
$("export").addEventListener("click", () => download(`/v1/models/${encodeURIComponent(selected)}/file`, selected + ".avm"));
$("delete").addEventListener("click", async () => {
  if (!confirm(`Delete the model ${selected} and all its rows?`)) return;
  try {
    await call(`/v1/models/${encodeURIComponent(selected)}`, {method: "DELETE"});
    streaming.abort();
    selected = "";
    $("message").textContent = "";
  } catch (failure) { say("message", failure.message); }
});

$("create").addEventListener("submit", async event => {
  event.preventDefault();
  const name = $("new-name").value;
  try {
    await call(`/v1/models/${encodeURIComponent(name)}`, {method: "PUT", headers: {"Content-Type": "application/json"}, body: $("new-spec").value || "{}"});
    $("message").textContent = "";
    $("new-name").value = "";
    select(name);
  } catch (failure) { say("message", failure.message); }
});

const CHUNK = 1 << 20;
async function upload(file) {
  const model = selected;
  const label = $("label-column").value.trim();
  const run = Date.now().toString(36) + Math.random().toString(36).slice(2);
  $("progress").hidden = false;
  let header = null, rest = "", read = 0, rows = 0, part = 0, notLearned = 0;
  const decoder = new TextDecoder();
  try {
    for (let at = 0; at < file.size || rest; at += CHUNK) {
      const bytes = await file.slice(at, at + CHUNK).arrayBuffer();
      rest += decoder.decode(bytes, {stream: at + CHUNK < file.size});
      read = Math.min(file.size, at + CHUNK);
      const isLast = read === file.size;
      if (header === null) {
        const end = rest.indexOf("\n");
        if (end < 0 && !isLast) continue;
        header = end < 0 ? rest : rest.slice(0, end + 1);
        rest = end < 0 ? "" : rest.slice(end + 1);
      }
      const cut = isLast ? rest.length : lastLineEnd(rest);
      const body = rest.slice(0, cut);
      rest = rest.slice(cut);
      if (body.trim()) {
        const reply = await sendPart(model, header + body, label, run + "-" + part++);
        rows += reply.rows;
        notLearned += (reply.refused || []).length;
      }
      $("progress").value = read / file.size;
      $("uploaded").textContent = `${whole(rows)} rows learned, ${Math.round(100 * read / file.size)} %`;
      if (isLast) break;
    }
    say("uploaded", `${whole(rows)} rows of ${file.name} learned` + (notLearned ? `, ${whole(notLearned)} refused` : ""));
  } catch (failure) { say("uploaded", `${failure.message}; ${whole(rows)} rows before it were learned`); }
}
// The end of the last line that is not inside quotes.
function lastLineEnd(text) {
  let inside = false, end = 0;
  for (let i = 0; i < text.length; i++) {
    const c = text.charCodeAt(i);
    if (c === 34) inside = !inside;
    else if (c === 10 && !inside) end = i + 1;
  }
  return end;
}
async function sendPart(model, body, label, key) {
  for (;;) {
    try {
      const query = label ? "?label=" + encodeURIComponent(label) : "";
      const reply = await call(`/v1/models/${encodeURIComponent(model)}/observe${query}`, {method: "POST", headers: {"Content-Type": "text/csv", "Idempotency-Key": key}, body});
      return await reply.json();
    } catch (failure) {
      if (failure.status && failure.status !== 429 && failure.status !== 503) throw failure;
      await new Promise(wake => setTimeout(wake, 1000));
    }
  }
}
$("file").addEventListener("change", () => { if ($("file").files[0]) upload($("file").files[0]); });
$("drop").addEventListener("dragover", event => { event.preventDefault(); $("drop").className = "over"; });
$("drop").addEventListener("dragleave", () => { $("drop").className = ""; });
$("drop").addEventListener("drop", event => {
  event.preventDefault();
  $("drop").className = "";
  if (event.dataTransfer.files[0]) upload(event.dataTransfer.files[0]);
});
$("token").addEventListener("click", () => {
  token = (prompt("Token") || "").trim();
  sessionStorage.setItem("token", token);
  $("token").hidden = true;
  location.reload();
});
listen("/v1/events", showModels, new AbortController().signal);
