"""Asks a server that speaks HTTP/3, by aioquic: cases.py PORT LENGTH, where /large.bin has so many
octets. Says what each case took, and how many have failed. Run by `make aioquic`."""

import asyncio
import ssl
import sys
import time

from aioquic.asyncio.client import connect
from aioquic.asyncio.protocol import QuicConnectionProtocol
from aioquic.h3.connection import H3_ALPN, H3Connection
from aioquic.h3.events import DataReceived, HeadersReceived
from aioquic.quic.configuration import QuicConfiguration
from aioquic.quic.packet import QuicProtocolVersion
from aioquic.tls import CipherSuite

PORT = int(sys.argv[1])
LENGTH = int(sys.argv[2])
SMALL = (200, b"a small file\n")
V1, V2 = QuicProtocolVersion.VERSION_1, QuicProtocolVersion.VERSION_2


class Client(QuicConnectionProtocol):
    def __init__(self, *args, **words):
        super().__init__(*args, **words)
        self.http = H3Connection(self._quic)
        self.events = {}
        self.waiting = {}
        self.open = {}

    def quic_event_received(self, event):
        for told in self.http.handle_event(event):
            if isinstance(told, (HeadersReceived, DataReceived)):
                if told.stream_id in self.open:
                    self.open[told.stream_id].put_nowait(told)
                    continue
                self.events.setdefault(told.stream_id, []).append(told)
                if told.stream_ended:
                    self.waiting[told.stream_id].set_result(self.events.pop(told.stream_id))

    async def next(self, stream):
        return await asyncio.wait_for(self.open[stream].get(), 30)

    async def get(self, path="/small.txt", fields=()):
        stream = self._quic.get_next_available_stream_id()
        head = [
            (b":method", b"GET"),
            (b":scheme", b"https"),
            (b":authority", b"localhost"),
            (b":path", path.encode()),
            *fields,
        ]
        self.http.send_headers(stream, head, end_stream=True)
        self.waiting[stream] = asyncio.get_running_loop().create_future()
        self.transmit()
        events = await asyncio.wait_for(self.waiting[stream], 30)
        content = b"".join(one.data for one in events if isinstance(one, DataReceived))
        return int(dict(events[0].headers)[b":status"]), content


def to(settings=None, **words):
    made = QuicConfiguration(
        is_client=True,
        alpn_protocols=H3_ALPN,
        verify_mode=ssl.CERT_NONE,
        server_name="localhost",
        **(settings or {}),
    )
    return connect("127.0.0.1", PORT, configuration=made, create_protocol=Client, **words)


async def small(**settings):
    async with to(settings) as client:
        assert await client.get() == SMALL


async def many_at_a_time():
    async with to() as client:
        answers = await asyncio.gather(*[client.get() for _ in range(90)])
        assert all(answer == SMALL for answer in answers)


async def many_in_a_row():
    async with to() as client:
        for _ in range(300):
            assert await client.get() == SMALL


async def large():
    async with to() as client:
        status, content = await client.get("/large.bin")
        assert status == 200 and len(content) == LENGTH


async def missing():
    async with to() as client:
        assert (await client.get("/nothing"))[0] == 404


async def key_updates():
    async with to() as client:
        for _ in range(5):
            assert await client.get() == SMALL
            client.request_key_update()
            assert await client.get() == SMALL


async def connection_ids():
    async with to() as client:
        for _ in range(3):
            assert await client.get() == SMALL
            client.change_connection_id()
            assert await client.get() == SMALL


async def resumption():
    tickets = []
    async with to(session_ticket_handler=tickets.append) as client:
        for _ in range(100):
            assert await client.get() == SMALL
            if tickets:
                break
    assert tickets, "no ticket has come"
    async with to({"session_ticket": tickets[-1]}) as client:
        assert await client.get() == SMALL
        assert client._quic.tls.session_resumed


async def priorities():
    async with to() as client:
        late = client.get("/large.bin", [(b"priority", b"u=7")])
        early = client.get("/small.txt", [(b"priority", b"u=0, i")])
        (status, content), small = await asyncio.gather(late, early)
        assert status == 200 and len(content) == LENGTH and small == SMALL


def text_frame(text):
    mask = b"\x01\x02\x03\x04"
    masked = bytes(octet ^ mask[i % 4] for i, octet in enumerate(text))
    return bytes([0x81, 0x80 | len(text)]) + mask + masked


async def web_socket():
    """RFC 9220: a CONNECT that names its protocol."""
    async with to() as client:
        assert await client.get() == SMALL
        assert client.http.received_settings[8] == 1
        stream = client._quic.get_next_available_stream_id()
        client.open[stream] = asyncio.Queue()
        head = [
            (b":method", b"CONNECT"),
            (b":protocol", b"websocket"),
            (b":scheme", b"https"),
            (b":authority", b"localhost"),
            (b":path", b"/app/ws"),
            (b"sec-websocket-version", b"13"),
        ]
        client.http.send_headers(stream, head)
        client.transmit()
        assert dict((await client.next(stream)).headers)[b":status"] == b"200"
        for text in (b"hello", b"x" * 100):
            client.http.send_data(stream, text_frame(text), end_stream=False)
            client.transmit()
            wanted = b"%d characters" % len(text)
            got = b""
            while len(got) < 2 + len(wanted):
                got += (await client.next(stream)).data
            assert got == bytes([0x81, len(wanted)]) + wanted, got
        close = bytes([0x88, 0x82, 0, 0, 0, 0, 3, 232])
        client.http.send_data(stream, close, end_stream=False)
        client.transmit()
        got = b""
        while got[:1] != b"\x88":
            got += (await client.next(stream)).data
        assert await client.get() == SMALL


CASES = {
    "version 1": lambda: small(supported_versions=[V1], original_version=V1),
    "version 2": lambda: small(supported_versions=[V2], original_version=V2),
    "version 1 of two": lambda: small(supported_versions=[V2, V1], original_version=V1),
    "90 requests at a time": many_at_a_time,
    "300 requests in a row": many_in_a_row,
    "a large file": large,
    "a file that is not there": missing,
    "key updates": key_updates,
    "other connection ids": connection_ids,
    "AES-128": lambda: small(cipher_suites=[CipherSuite.AES_128_GCM_SHA256]),
    "AES-256": lambda: small(cipher_suites=[CipherSuite.AES_256_GCM_SHA384]),
    "ChaCha20": lambda: small(cipher_suites=[CipherSuite.CHACHA20_POLY1305_SHA256]),
    "resumption": resumption,
    "priorities": priorities,
    "a WebSocket": web_socket,
}


async def main():
    failed = 0
    for name, case in CASES.items():
        began = time.time()
        try:
            await case()
            print(f"{name}: {time.time() - began:.2f} s")
        except Exception as why:
            failed += 1
            print(f"{name}: FAILED, {type(why).__name__} {why}")
    print(f"failed: {failed}")


asyncio.run(main())
