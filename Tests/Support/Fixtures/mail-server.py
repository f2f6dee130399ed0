"""A mail server on the loopback interface, for tests. Prints its port, and then a line of JSON for each accepted mail.

    mail-server.py [--tls CERTIFICATE KEY] [--account NAME PASSWORD] [--refuse STATUS] [--silent] [--hang-up]
"""

import argparse
import asyncio
import base64
import email
import email.policy
import json
import os
import ssl
import sys

from aiosmtpd.smtp import SMTP, AuthResult

parser = argparse.ArgumentParser()
parser.add_argument("--tls", nargs=2)
parser.add_argument("--account", nargs=2)
parser.add_argument("--refuse")
parser.add_argument("--silent", action="store_true")
parser.add_argument("--hang-up", action="store_true")
options = parser.parse_args()


def say(thing):
    print(json.dumps(thing), flush=True)


class Handler:
    async def handle_RCPT(self, server, session, envelope, address, rcpt_options):
        if options.refuse:
            return f"{options.refuse} no such mailbox"
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server, session, envelope):
        content = envelope.original_content
        message = email.message_from_bytes(content, policy=email.policy.default)
        say(
            {
                "from": envelope.mail_from,
                "to": envelope.rcpt_tos,
                "encrypted": session.ssl is not None,
                "longestLine": max(map(len, content.split(b"\r\n"))),
                "bareLineEnds": content.replace(b"\r\n", b"").count(b"\n")
                + content.replace(b"\r\n", b"").count(b"\r"),
                "isASCII": content.isascii(),
                "defects": [str(d) for part in message.walk() for d in part.defects],
                "headers": {name: str(value) for name, value in message.items()},
                "parts": [
                    {
                        "type": part.get_content_type(),
                        "name": part.get_filename(),
                        "bytes": base64.b64encode(part.get_payload(decode=True)).decode(),
                    }
                    for part in message.walk()
                    if not part.is_multipart()
                ],
            }
        )
        if options.hang_up:
            server.transport.abort()
        return "250 OK"


def authenticate(server, session, envelope, mechanism, data):
    say({"mechanism": mechanism, "encrypted": session.ssl is not None})
    shown = [data.login.decode(), data.password.decode()]
    # Not handled: aiosmtpd responds to a failure.
    return AuthResult(success=shown == options.account, handled=False)


def session():
    if options.silent:
        return asyncio.Protocol()
    context = None
    if options.tls:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(*options.tls)
    return SMTP(
        Handler(),
        hostname="localhost",
        tls_context=context,
        authenticator=authenticate if options.account else None,
        auth_required=bool(options.account),
        auth_require_tls=False,
    )


async def main():
    server = await asyncio.get_running_loop().create_server(session, "127.0.0.1", 0)
    say({"port": server.sockets[0].getsockname()[1]})
    # The test has the other end. The server exits when the test closes it.
    await asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)
    server.close()


asyncio.run(main())
sys.stdout.flush()
# Exits without waiting for open connections.
os._exit(0)
