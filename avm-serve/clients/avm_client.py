"""A client for avm serve that needs nothing but Python 3.8.

    from avm_client import AvmClient

    avm = AvmClient("http://localhost:8080")
    avm.create("spam")
    avm.learn("spam", [{"words": 20, "from": "shop", "label": "spam"}])
    avm.predict("spam", [{"words": 22, "from": "shop"}])["predictions"][0]["label"]

Rows are dictionaries by column name. Requests that are refused because the service is busy, and those that get no
reply, are sent again; each request that brings rows has a key of its own, so that its rows are learned once.
"""

import http.client
import json
import time
import urllib.error
import urllib.parse
import urllib.request
import uuid


class AvmError(Exception):
    """What the service refuses; `status` is the HTTP status, the message its sentence."""

    def __init__(self, status, detail):
        super().__init__(detail)
        self.status = status


class AvmClient:
    BUSY = (429, 503)

    def __init__(self, url="http://localhost:8080", token=None, timeout=60, attempts=10):
        self.url = url.rstrip("/")
        self.token = token
        self.timeout = timeout
        self.attempts = attempts

    def models(self):
        """All models with their figures."""
        return self._json("GET", "/v1/models")["models"]

    def model(self, name):
        """All that is known of a model."""
        return self._json("GET", self._path(name))

    def create(self, name, spec=None):
        """Makes a model; without a specification in automatic mode."""
        return self._json("PUT", self._path(name), spec or {})

    def delete(self, name):
        """Takes a model away with all its rows."""
        self._send("DELETE", self._path(name))

    def learn(self, name, rows):
        """Learns rows; returns when they are on disk."""
        return self._json("POST", self._path(name, "learn"), rows, has_rows=True)

    def observe(self, name, rows):
        """Answers each row, then learns it."""
        return self._json("POST", self._path(name, "observe"), rows, has_rows=True)

    def predict(self, name, rows, min_sequence=None):
        """Answers rows; with `min_sequence` by a model that has learned that row."""
        query = "" if min_sequence is None else "?min-sequence=%d" % min_sequence
        return self._json("POST", self._path(name, "predict") + query, rows)

    def labels(self, name, labels):
        """Labels for rows with an id that were answered earlier."""
        return self._json("POST", self._path(name, "labels"), labels, has_rows=True)

    def file(self, name):
        """The learner of a model as bytes that `avm predict` reads."""
        return self._send("GET", self._path(name, "file"))

    def load(self, name, learner):
        """Makes a model of the bytes of a learner."""
        return json.loads(self._send("PUT", self._path(name), learner, "application/octet-stream"))

    def versions(self, name):
        """The versions that are kept, the newest first, and the one that is pinned."""
        return self._json("GET", self._path(name, "versions"))

    def keep_version(self, name):
        """Keeps a version of what is learned now."""
        return self._json("POST", self._path(name, "versions"))

    def pin(self, name, version):
        """Has a version answer."""
        return self._json("PUT", self._path(name, "champion"), {"version": version})

    def unpin(self, name):
        """Has the latest answer again."""
        self._send("DELETE", self._path(name, "champion"))

    def challenge(self, name, options=None):
        """Adds a challenger, which learns the same rows and answers nobody."""
        return self._json("PUT", self._path(name, "challenger"), options or {})

    def challenger(self, name):
        """All that is known of the challenger."""
        return self._json("GET", self._path(name, "challenger"))

    def withdraw(self, name):
        """Takes the challenger away."""
        self._send("DELETE", self._path(name, "challenger"))

    def promote(self, name):
        """Has the challenger answer; what answered before challenges it."""
        return self._json("POST", self._path(name, "promote"))

    def backup(self):
        """A copy of the whole store as bytes."""
        return self._send("GET", "/v1/backup")

    def health(self):
        """How the service is; AvmError with status 503 if it is not well."""
        return self._json("GET", "/health")

    def metrics(self):
        """The figures for Prometheus as text."""
        return self._send("GET", "/metrics").decode()

    @staticmethod
    def _path(name, action=None):
        path = "/v1/models/" + urllib.parse.quote(name, safe="")
        return path if action is None else path + "/" + action

    def _json(self, method, path, body=None, has_rows=False):
        data = None if body is None else json.dumps(body).encode()
        return json.loads(self._send(method, path, data, "application/json", has_rows))

    def _send(self, method, path, data=None, content_type=None, has_rows=False):
        headers = {"Content-Type": content_type} if data is not None else {}
        if self.token:
            headers["Authorization"] = "Bearer " + self.token
        if has_rows:
            headers["Idempotency-Key"] = str(uuid.uuid4())
        for attempt in range(1, self.attempts + 1):
            request = urllib.request.Request(self.url + path, data, headers, method=method)
            try:
                with urllib.request.urlopen(request, timeout=self.timeout) as reply:
                    return reply.read()
            except urllib.error.HTTPError as refused:
                if refused.code not in self.BUSY or path == "/health" or attempt == self.attempts:
                    raise AvmError(refused.code, self._detail(refused.read())) from None
                time.sleep(float(refused.headers.get("Retry-After", 1)))
            except (OSError, http.client.HTTPException):
                is_safe = method == "GET" or has_rows
                if not is_safe or attempt == self.attempts:
                    raise
                time.sleep(1)

    @staticmethod
    def _detail(body):
        try:
            return json.loads(body)["detail"]
        except (ValueError, KeyError, TypeError):
            return body.decode(errors="replace")
