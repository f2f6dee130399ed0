#!/usr/bin/env python3
"""The nginx of docs/operations.md, for script/proxies, script/cluster, script/torture and compose.yaml.

As a program, it prints packaging/compose/nginx.conf, or becomes nginx in front of servers:

    script/nginx.py [DIR LISTEN SERVER…]    such as: /tmp/nginx 127.0.0.1:8080 127.0.0.1:8081
"""

import os
import pathlib
import re
import socket
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent


def block(first, page="operations.md"):
    """The code block of a page in docs that begins with this line."""
    text = (ROOT / "docs" / page).read_text()
    blocks = re.findall(r"(?:^    .*\n|^\n(?=    ))+", text, re.MULTILINE)
    found = [re.sub(r"(?m)^    ", "", each).strip("\n") for each in blocks if each.strip().startswith(first)]
    assert len(found) == 1, f"docs/{page} has {len(found)} blocks that begin with {first}"
    return found[0] + "\n"


def cluster_configuration(servers, listen):
    """The configuration of docs/guides/several-servers.md.

    The servers, such as 127.0.0.1:8081, replace those of the page.
    """
    text = block("map $http_x_request_id").replace("listen 443 ssl;", f"listen {listen};")
    upstreams = block("upstream mememe {", "guides/several-servers.md")
    upstreams = re.sub(r"(?m)^ *server 10\.0\.0\.2.*\n", "", upstreams)
    upstreams = re.sub(
        r"(?m)^ *server 10\.0\.0\.1:8080(.*)\n",
        lambda found: "".join(f"    server {server}{found[1]}\n" for server in servers), upstreams)
    text = re.sub(r"(?ms)^upstream mememe \{.*?^\}\n", lambda _: upstreams, text)
    addition = block("proxy_next_upstream", "guides/several-servers.md")
    return text.replace("    location /metrics {", f"{addition}    location /metrics {{")


def compose_configuration():
    """The configuration of compose.yaml, whose network has these addresses.

    nginx does not start if it cannot look up a name, such as that of a server that is down. The proxy in front of nginx
    connects from the machine, which is the gateway of the network.
    """
    text = cluster_configuration(["172.30.77.11:8080", "172.30.77.12:8080"], "80")
    body = "    client_max_body_size"
    assert text.count(body) == 1
    return text.replace(body, f"    set_real_ip_from 172.30.77.1;\n    real_ip_header X-Forwarded-For;\n\n{body}")


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


if __name__ == "__main__":
    if len(sys.argv) > 1:
        folder, listen, *servers = sys.argv[1:]
        words = command(pathlib.Path(folder), cluster_configuration(servers, listen))
        os.execvp(words[0], words)
    # packaging/compose/nginx.conf
    print(compose_configuration(), end="")
