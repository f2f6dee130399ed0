"""Forwards the connections of a Unix socket to another one, for tests. Prints a line when it listens.

    socket-forwarder.py HERE THERE
"""

import asyncio
import contextlib
import sys

HERE, THERE = sys.argv[1:]


async def copy(reader, writer):
    with contextlib.suppress(OSError):
        while piece := await reader.read(65536):
            writer.write(piece)
            await writer.drain()
    writer.close()


async def forward(reader, writer):
    far_reader, far_writer = await asyncio.open_unix_connection(THERE)
    await asyncio.gather(copy(reader, far_writer), copy(far_reader, writer))


async def main():
    async with await asyncio.start_unix_server(forward, HERE) as server:
        print("ready", flush=True)
        await server.serve_forever()


asyncio.run(main())
