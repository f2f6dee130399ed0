"""Imported by script/proxies and script/cluster: the nginx of docs/operations.md."""

import os
import pathlib
import re
import socket

ROOT = pathlib.Path(__file__).resolve().parent.parent


def block(first, page="operations.md"):
    """The code block of a page in docs that begins with this line."""
    text = (ROOT / "docs" / page).read_text()
    blocks = re.findall(r"(?:^    .*\n|^\n(?=    ))+", text, re.MULTILINE)
    found = [re.sub(r"(?m)^    ", "", each).strip("\n") for each in blocks if each.strip().startswith(first)]
    assert len(found) == 1, f"docs/{page} has {len(found)} blocks that begin with {first}"
    return found[0] + "\n"


def free_port():
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return free.getsockname()[1]


def command(folder, text):
    """The command that runs nginx with this configuration, and the minimum that nginx needs around it."""
    temporary = "".join(f"{name}_temp_path {folder}/{name};" for name in ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"])
    user = "user root;" if os.geteuid() == 0 else ""
    file = folder / "nginx.conf"
    file.write_text(
        f"daemon off; pid {folder}/nginx.pid; error_log {folder}/proxy.log; {user} events {{}}\n"
        f"http {{ access_log off; {temporary}\n{text}}}\n")
    return ["nginx", "-p", str(folder), "-e", str(folder / "proxy.log"), "-c", str(file)]
