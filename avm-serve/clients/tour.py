"""Calls everything that the client has: python3 tour.py URL."""

import sys
import time

from avm_client import AvmClient, AvmError

avm = AvmClient(sys.argv[1])
assert avm.health()["ready"]
avm.create("tour", {"task": "binary"})
rows = [{"words": 10 + i % 7 * 20, "from": "shop" if i % 7 < 3 else "boss", "label": "spam" if i % 7 < 3 else "ham"} for i in range(70)]
last = avm.learn("tour", rows)["sequence"]
assert avm.predict("tour", {"words": 12, "from": "shop"}, min_sequence=last)["predictions"][0]["label"] == "spam"
assert len(avm.observe("tour", rows[:3])["predictions"]) == 3
avm.predict("tour", [{"words": 130, "from": "boss", "id": 17}])
assert avm.labels("tour", {"id": 17, "label": "ham"})["rows"] == 1
version = avm.keep_version("tour")["version"]
avm.pin("tour", version)
assert avm.versions("tour")["champion"] == version
assert avm.predict("tour", {"words": 12, "from": "shop"})["version"] == version
avm.unpin("tour")
avm.challenge("tour", {"task": "binary", "forget": "auto"})
while avm.challenger("tour")["sequence"] < 74:
    time.sleep(0.05)
avm.promote("tour")
avm.withdraw("tour")
learner = avm.file("tour")
avm.load("copy", learner)
assert avm.file("copy") == learner
assert [model["name"] for model in avm.models()] == ["copy", "tour"]
assert avm.model("tour")["sequence"] == 74
assert avm.backup().startswith(b"SQLite format 3")
assert "avm_rows_learned_total" in avm.metrics()
try:
    avm.model("none")
    raise AssertionError("there is no such model")
except AvmError as refused:
    assert refused.status == 404 and "there is no model" in str(refused)
avm.delete("copy")
avm.delete("tour")
print("done")
