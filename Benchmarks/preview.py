"""The row about typing: previews of a large photo that was uploaded ahead, each with one more letter."""

import http.client
import json
import statistics
import time
import urllib.parse

from harness import Row, photo, server

TEXT = "one does not simply walk into mordor and say so here"
FIRSTS = 9
EDGE = 800


class Editor:
    """An HTTP client with one persistent connection, as in a browser."""

    def __init__(self, url: str):
        self.connection = http.client.HTTPConnection(urllib.parse.urlsplit(url).netloc)

    def send(self, path: str, body: bytes, **headers: str) -> bytes:
        self.connection.request("POST", path, body, headers)
        answer = self.connection.getresponse()
        content = answer.read()
        if answer.status not in (200, 201):
            raise SystemExit(f"{path}: {answer.status} {content[:300]!r}")
        return content

    def upload(self, picture: bytes) -> str:
        return json.loads(self.send("/uploads", picture))["id"]

    def preview(self, upload: str, top: str) -> float:
        """Milliseconds from the first byte sent to the last byte received."""
        body = "".join(f'--b\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{value}\r\n'
                       for name, value in (("upload", upload), ("top", top), ("bottom", TEXT), ("maxEdge", EDGE)))
        start = time.monotonic()
        self.send("/memes/preview", f"{body}--b--\r\n".encode(), **{"Content-Type": "multipart/form-data; boundary=b"})
        return (time.monotonic() - start) * 1000


def rows() -> list[Row]:
    picture = photo(4032, 3024).read_bytes()
    firsts, nexts = [], []
    with server() as (url, _):
        editor = Editor(url)
        editor.preview(editor.upload(photo(2725, 2225).read_bytes()), TEXT)
        for number in range(FIRSTS):
            # The byte after the end makes the picture new to the server. Its pixels are the same.
            upload = editor.upload(picture + bytes([number]))
            firsts.append(editor.preview(upload, TEXT[:1]))
            nexts += [editor.preview(upload, TEXT[:count]) for count in range(2, len(TEXT))]
    nexts.sort()
    first, after, late = statistics.median(firsts), statistics.median(nexts), nexts[len(nexts) * 99 // 100]
    how = f"wall time over one connection, two captions, `maxEdge={EDGE}`"
    return [
        Row("first preview of an upload of 12 megapixels", f"{first:.1f} ms, at most {max(firsts):.1f} ms", "≤ 100 ms",
            first <= 100, f"{how}, median of {len(firsts)} pictures"),
        Row("the next, a letter more each", f"{after:.1f} ms, p99 {late:.1f} ms", "≤ 40 ms", late <= 40,
            f"{how}, median of {len(nexts)}"),
    ]
