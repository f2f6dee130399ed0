"""A proxy between a browser and a server that loses or delays responses, and simulates another version of the app."""

import contextlib
import http.client
import http.server
import re
import select
import socket
import threading
import urllib.parse

HOP_BY_HOP = {"connection", "keep-alive", "transfer-encoding", "content-length"}


class Front:
    def __init__(self, server, port=0, part=""):
        self.upstream = urllib.parse.urlsplit(server.url).netloc
        # The path prefix of the proxy, which it removes before it forwards a request.
        self.part = part
        # Replaces the server's version of the app. Files of any other version get 404.
        self.version = None
        # The paths of writes whose responses are lost. All responses to writes wait for `may_answer`.
        self.loses = set()
        self.may_answer = threading.Event()
        self.may_answer.set()
        # All responses whose paths contain `holds` wait for `may_show`.
        self.holds = ""
        self.may_show = threading.Event()
        self.may_show.set()
        # The requests so far, such as "POST /memes".
        self.seen = []
        front = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def answer(self):
                front.pass_on(self)

            def log_message(self, *_):
                pass

            do_GET = do_HEAD = do_POST = do_PUT = do_PATCH = do_DELETE = answer

        class Listener(http.server.ThreadingHTTPServer):
            daemon_threads = True

            def handle_error(self, *_):
                """Ignores errors: the server or the browser has closed the connection on purpose."""

        self.listener = Listener(("127.0.0.1", port), Handler)
        self.url = f"http://127.0.0.1:{self.listener.server_port}{part}"
        threading.Thread(target=self.listener.serve_forever, daemon=True).start()

    def pass_on(self, request):
        if self.part and not request.path.startswith(f"{self.part}/"):
            return self.send(request, 404, [], b"")
        path = request.path.removeprefix(self.part)
        self.seen.append(f"{request.command} {path}")
        if self.holds in path:
            self.may_show.wait(60)
        body = request.rfile.read(int(request.headers.get("Content-Length") or 0))
        own = self.own_version()
        if self.version and path.startswith("/web/"):
            if not path.startswith(f"/web/{self.version}/"):
                return self.send(request, 404, [("Content-Type", "application/problem+json")], b'{"code": "not-found"}')
            path = path.replace(self.version, own, 1)
        upstream = http.client.HTTPConnection(self.upstream, timeout=60)
        headers = {name: value for name, value in request.headers.items() if name.lower() not in ("connection", "accept-encoding", "if-none-match")}
        upstream.request(request.command, path, body or None, headers)
        response = upstream.getresponse()
        if path == "/memes/events":
            return self.stream(request, response, upstream.sock)
        content = response.read()
        if self.version:
            content = content.replace(own.encode(), self.version.encode())
        if request.command != "GET":
            self.may_answer.wait(60)
            if path in self.loses:
                self.loses.discard(path)
                # The browser itself repeats a request that breaks before the response's headers.
                request.wfile.write(b"HTTP/1.1 201 Created\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{")
                request.close_connection = True
                return None
        self.send(request, response.status, response.getheaders(), content)

    def own_version(self):
        upstream = http.client.HTTPConnection(self.upstream, timeout=60)
        upstream.request("GET", "/")
        return re.search(rb"/web/([0-9a-f]{16})/", upstream.getresponse().read()).group(1).decode()

    def send(self, request, status, headers, content):
        request.send_response(status)
        for name, value in headers:
            if name.lower() not in HOP_BY_HOP | {"etag"}:
                request.send_header(name, value)
        request.send_header("Content-Length", str(len(content)))
        request.end_headers()
        if request.command != "HEAD":
            request.wfile.write(content)

    def stream(self, request, response, upstream):
        request.send_response(response.status)
        for name, value in response.getheaders():
            if name.lower() not in HOP_BY_HOP:
                request.send_header(name, value)
        request.send_header("Connection", "close")
        request.close_connection = True
        request.end_headers()
        threading.Thread(target=self.end_with, args=(request.connection, upstream), daemon=True).start()
        with contextlib.suppress(OSError):
            while piece := response.read1(65536):
                request.wfile.write(piece)
                request.wfile.flush()

    def end_with(self, client, upstream):
        """Ends the server's stream when the client has disconnected, as any proxy does."""
        with contextlib.suppress(OSError, ValueError):
            select.select([client], [], [])
            upstream.shutdown(socket.SHUT_RDWR)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.may_answer.set()
        self.may_show.set()
        self.listener.shutdown()
        self.listener.server_close()
