// Calls everything that the client has: node tour.mjs URL.
import assert from "node:assert/strict";
import { AvmClient, AvmError } from "./avm-client.mjs";

const avm = new AvmClient(process.argv[2]);
assert((await avm.health()).ready);
await avm.create("tour", { task: "binary" });
const rows = Array.from({ length: 70 }, (_, i) => ({
  words: 10 + i % 7 * 20, from: i % 7 < 3 ? "shop" : "boss", label: i % 7 < 3 ? "spam" : "ham",
}));
const last = (await avm.learn("tour", rows)).sequence;
const answer = await avm.predict("tour", { words: 12, from: "shop" }, { minSequence: last });
assert.equal(answer.predictions[0].label, "spam");
assert.equal((await avm.observe("tour", rows.slice(0, 3))).predictions.length, 3);
await avm.predict("tour", [{ words: 130, from: "boss", id: 17 }]);
assert.equal((await avm.labels("tour", { id: 17, label: "ham" })).rows, 1);
const { version } = await avm.keepVersion("tour");
await avm.pin("tour", version);
assert.equal((await avm.versions("tour")).champion, version);
assert.equal((await avm.predict("tour", { words: 12, from: "shop" })).version, version);
await avm.unpin("tour");
await avm.challenge("tour", { task: "binary", forget: "auto" });
while ((await avm.challenger("tour")).sequence < 74) await new Promise(done => setTimeout(done, 50));
await avm.promote("tour");
await avm.withdraw("tour");
const learner = await avm.file("tour");
await avm.load("copy", learner);
assert.deepEqual(await avm.file("copy"), learner);
assert.deepEqual((await avm.models()).map(model => model.name), ["copy", "tour"]);
assert.equal((await avm.model("tour")).sequence, 74);
assert.equal(new TextDecoder().decode((await avm.backup()).slice(0, 15)), "SQLite format 3");
assert((await avm.metrics()).includes("avm_rows_learned_total"));
await assert.rejects(avm.model("none"), refused => refused instanceof AvmError && refused.status === 404);
await avm.delete("copy");
await avm.delete("tour");
console.log("done");
