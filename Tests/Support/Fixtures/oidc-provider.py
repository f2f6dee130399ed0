"""An OpenID Connect provider on the loopback interface, for tests. Prints its port, and runs until its input ends.

Users do not sign in: everyone who opens the authorization endpoint is the user of the current settings, and is sent back
at once. POST /test/settings replaces the settings with its JSON; GET /test/requests returns how often each path was
requested, and the parameters of the last token request. The tokens are signed by Authlib, which also computes the
challenge of PKCE.

    oidc-provider.py [--port PORT]
"""

import argparse
import base64
import json
import os
import secrets
import sys
import threading
import time
import urllib.parse
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from authlib.jose import JsonWebKey, jwt
from authlib.oauth2.rfc7636 import create_s256_code_challenge

CLIENT, SECRET = "mememe at home", "a secret: of/the client+"
KEY = JsonWebKey.generate_key("RSA", 2048, is_private=True)

parser = argparse.ArgumentParser()
parser.add_argument("--port", type=int, default=0)
options = parser.parse_args()

lock = threading.Lock()
# Claims of the user, and faults. A claim that is None is left out.
settings = {}
codes = {}
counts = {}
last = {}


def issuer():
    return f"http://127.0.0.1:{server.server_port}"


def claims(nonce):
    now = int(time.time())
    result = {
        "iss": issuer(), "aud": CLIENT, "sub": "1", "iat": now, "exp": now + 300, "nonce": nonce,
        "preferred_username": "ada", "name": "Ada Lovelace", "email": "ada@example.org", "email_verified": True,
        **settings.get("claims", {}),
    }
    for name in ("iat", "exp"):
        if f"{name}In" in settings:
            result[name] = now + settings[f"{name}In"]
    return {name: value for name, value in result.items() if value is not None}


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def send(self, status, body=b"", kind="application/json", **fields):
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        for name, value in fields.items():
            self.send_header(name, value)
        self.end_headers()
        try:
            self.wfile.write(body)
        except OSError:
            pass

    def say(self, thing, status=200):
        self.send(status, json.dumps(thing).encode())

    def has_fault(self, path):
        """Behaves as the settings say for this path."""
        fault = settings.get("faults", {}).get(path)
        if fault == "slow":
            time.sleep(settings.get("seconds", 12))
            return False
        if fault == "large":
            self.send(200, b'{"x": "' + b"x" * (70 << 10) + b'"}')
        elif fault == "head":
            self.send(200, b"{}", **{f"X-{number}": "x" * 8000 for number in range(10)})
        elif fault == "redirect":
            self.send(302, Location=f"{issuer()}/elsewhere")
        elif fault == "garbage":
            self.send(200, b"\xff{")
        elif isinstance(fault, int):
            self.say({"error": "server_error"}, fault)
        else:
            return False
        return True

    def do_GET(self):
        url = urllib.parse.urlsplit(self.path)
        query = dict(urllib.parse.parse_qsl(url.query))
        with lock:
            counts[url.path] = counts.get(url.path, 0) + 1
        if self.has_fault(url.path):
            return
        if url.path == "/.well-known/openid-configuration":
            self.say({
                "issuer": issuer(), "authorization_endpoint": f"{issuer()}/authorize?tenant=x",
                "token_endpoint": f"{issuer()}/token", "userinfo_endpoint": f"{issuer()}/userinfo",
                **settings.get("discovery", {}),
            })
        elif url.path == "/authorize":
            self.authorize(query)
        elif url.path == "/userinfo":
            if self.headers["Authorization"] != "Bearer access":
                return self.say({"error": "invalid_token"}, 401)
            self.say({"sub": "1", **settings.get("userinfo", {})})
        elif url.path == "/test/requests":
            self.say({"counts": counts, "last": last})
        else:
            self.say({"error": "not_found"}, 404)

    def authorize(self, query):
        wanted = {
            "response_type": "code", "client_id": CLIENT, "code_challenge_method": "S256", "tenant": "x",
            "scope": settings.get("scope", "openid profile email"),
        }
        if any(query.get(name) != value for name, value in wanted.items()):
            return self.say({"error": "invalid_request"}, 400)
        answer = {"state": query["state"], "session_state": "y", "iss": issuer()}
        if "error" in settings:
            answer["error"] = settings["error"]
        else:
            answer["code"] = secrets.token_urlsafe(8)
            with lock:
                codes[answer["code"]] = query
        answer |= settings.get("answer", {})
        self.send(302, Location=f"{query['redirect_uri']}?{urllib.parse.urlencode(answer)}")

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        if self.path == "/test/settings":
            settings.clear()
            settings.update(json.loads(body))
            return self.say({})
        with lock:
            counts[self.path] = counts.get(self.path, 0) + 1
        if self.has_fault(self.path):
            return
        form = dict(urllib.parse.parse_qsl(body.decode(), strict_parsing=True))
        last.clear()
        last.update(form)
        if not self.is_client(form):
            return self.say({"error": "invalid_client"}, 401)
        with lock:
            query = codes.pop(form["code"], None)
        if (query is None or form["redirect_uri"] != query["redirect_uri"] or form["grant_type"] != "authorization_code"
                or create_s256_code_challenge(form["code_verifier"]) != query["code_challenge"]):
            return self.say({"error": "invalid_grant"}, 400)
        token = jwt.encode({"alg": "RS256"}, claims(query["nonce"]), KEY).decode()
        self.say({"access_token": "access", "token_type": "Bearer", "id_token": token, **settings.get("tokens", {})})

    def is_client(self, form):
        if settings.get("discovery", {}).get("token_endpoint_auth_methods_supported") == ["client_secret_post"]:
            return "Authorization" not in self.headers and (form["client_id"], form["client_secret"]) == (CLIENT, SECRET)
        kind, _, text = self.headers.get("Authorization", "").partition(" ")
        pair = base64.b64decode(text).decode().split(":")
        return kind == "Basic" and [urllib.parse.unquote_plus(each) for each in pair] == [CLIENT, SECRET]


server = ThreadingHTTPServer(("127.0.0.1", options.port), Handler)
threading.Thread(target=server.serve_forever, daemon=True).start()
print(json.dumps({"port": server.server_port, "client": CLIENT, "secret": SECRET}), flush=True)
# The test has the other end.
sys.stdin.read()
# Exits without waiting for open connections.
os._exit(0)
