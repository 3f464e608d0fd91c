"""The server of the job `cable`: a port that echoes, with TLS and without, and a page that never ends."""
import asyncio
import ssl


async def echo(reader, writer):
    while data := await reader.read(4096):
        writer.write(data)
        await writer.drain()


async def page(reader, writer):
    await reader.readuntil(b"\r\n\r\n")
    writer.write(b"HTTP/1.0 200 OK\r\n\r\n")
    while True:
        writer.write(b"line\n")
        await writer.drain()
        await asyncio.sleep(1)


async def main():
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain("/run/certificate.pem", "/run/key.pem")
    await asyncio.start_server(echo, None, 7)
    await asyncio.start_server(echo, None, 443, ssl=context)
    await asyncio.start_server(page, None, 80)
    await asyncio.Event().wait()


asyncio.run(main())
