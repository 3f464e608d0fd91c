"""Both ends of connections. 'peers.py serve' accepts connections at port 7000 and holds them. 'peers.py hold JSON'
makes connections, and prints the fate of each: the name of the error that a blocked recv(2) returns."""
import errno, json, resource, socket, sys, threading

resource.setrlimit(resource.RLIMIT_NOFILE, (resource.getrlimit(resource.RLIMIT_NOFILE)[1],) * 2)
PORT = 7000
held = []


def say(*words):
    sys.stdout.write(" ".join(str(word) for word in words) + "\n")
    sys.stdout.flush()


def listener(family, address):
    s = socket.socket(family)
    s.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    if family == socket.AF_INET6:
        s.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
    s.bind((address, PORT))
    s.listen(4096)
    return s


def serve():
    def accept(s):
        while True:
            c, _ = s.accept()
            held.append(c)
            # The first byte is a wish.
            wish = c.recv(1)
            if wish == b"c":
                c.shutdown(socket.SHUT_WR)
            if wish == b"t":
                c.recv(1)
                c.close()

    for s in listener(socket.AF_INET, "0.0.0.0"), listener(socket.AF_INET6, "::"):
        threading.Thread(target=accept, args=(s,), daemon=True).start()
    say("ready")
    threading.Event().wait()


def watch(name, s):
    try:
        data = s.recv(1)
        say(name, "fate", "end" if data == b"" else data)
    except OSError as error:
        say(name, "fate", errno.errorcode[error.errno])


def connect(name, local, remote, kind):
    family = socket.AF_INET6 if ":" in remote else socket.AF_INET
    s = socket.socket(family)
    if kind == "transparent":
        s.setsockopt(socket.SOL_IP, 19, 1)  # IP_TRANSPARENT
    if local:
        s.bind((local, 0))
    held.append(s)
    if kind == "listen":
        s.listen()
        return say(name, "port", s.getsockname()[1])
    if kind == "loop":
        own = socket.create_server((local, 0))
        remote, port = own.getsockname()
        s.connect((remote, port))
        held.extend((own, own.accept()))
        threading.Thread(target=watch, args=(name, s), daemon=True).start()
        return say(name, "port", s.getsockname()[1])
    if kind == "syn-sent":
        s.setblocking(False)
        s.connect_ex((remote, PORT))
        say(name, "port", s.getsockname()[1])

        def poll():
            import select
            select.select([], [s], [])
            say(name, "fate", errno.errorcode[s.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR)])
        return threading.Thread(target=poll, daemon=True).start()
    s.connect((remote, PORT))
    s.sendall({"close-wait": b"c", "time-wait": b"t"}.get(kind, b"h"))
    port = s.getsockname()[1]
    if kind == "half-closed":
        s.shutdown(socket.SHUT_WR)
    if kind == "close-wait":
        assert s.recv(1) == b""
    if kind == "time-wait":
        # The first to close waits.
        s.close()
    if kind == "close-wait":
        # Its recv(2) has seen the end already; a program that still writes is what hangs.
        def write():
            try:
                while True:
                    s.sendall(b"x" * 65536)
            except OSError as error:
                say(name, "fate", errno.errorcode[error.errno])
        threading.Thread(target=write, daemon=True).start()
    elif kind != "time-wait":
        threading.Thread(target=watch, args=(name, s), daemon=True).start()
    say(name, "port", port)


def many(count, locals_, remote):
    import select
    poll = select.epoll()
    names = {}
    for number in range(count):
        local = locals_[number % len(locals_)]
        s = socket.socket()
        s.setsockopt(socket.SOL_IP, 24, 1)  # IP_BIND_ADDRESS_NO_PORT
        s.bind((local, 0))
        s.connect((remote, PORT))
        s.sendall(b"h")
        s.setblocking(False)
        poll.register(s.fileno(), select.EPOLLIN)
        names[s.fileno()] = (local, s)

    def collect():
        fates = {}
        while True:
            for number, _ in poll.poll():
                local, s = names[number]
                poll.unregister(number)
                try:
                    fate = "end" if s.recv(1) == b"" else "data"
                except OSError as error:
                    fate = errno.errorcode[error.errno]
                fates[(local, fate)] = fates.get((local, fate), 0) + 1
                if fates[(local, fate)] in (count // len(locals_), count // len(locals_) + 1):
                    say(local, "all", fate)

    threading.Thread(target=collect, daemon=True).start()


if sys.argv[1] == "serve":
    serve()
for one in json.loads(sys.argv[2]):
    if "count" in one:
        many(one["count"], one["locals"], one["remote"])
    else:
        connect(one["name"], one.get("local"), one.get("remote", ""), one.get("kind", "hold"))
say("ready")
threading.Event().wait()
