"""What the service and its programs bear for the whole of a soak, beside subscribers and changes: subscribers that
never read, and programs whose children leave their group."""
import contextlib, os, pathlib, signal, subprocess, sys, time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "Flood"))
import storms

# Users with so many subscriptions each, which they never read.
DEAF_USERS, DEAF_EACH = 3, 100
# What the processes of programs have in their environment, and for how long they would live.
MARK, LIFE = "PMSOAK", 100_000
# Each run leaves a session behind and a daemon, and every fourth one that takes no SIGTERM.
PROGRAM = f"""#!/bin/sh
printf '%s\\n' "$PATH_STATUS" >> "$1"
setsid sleep {LIFE} &
(setsid sleep {LIFE} &)
[ $(($$ % 4)) != 0 ] || setsid sh -c 'trap "" TERM; sleep {LIFE}' &
"""
# The most processes that the runs of both programs may have at a time, and descriptors that a run may need meanwhile.
MOST, SPARE = 20, 10


class NoSlices:
    """The soak measures no time that other processes could take."""
    def put(self, process, name): pass


class Burdens:
    def __init__(self, directory, address, namespace, programs):
        self.directory, self.address, self.namespace, self.programs = directory, address, namespace, programs
        self.stack = contextlib.ExitStack()
        self.running, self.runs = {}, {}

    def start(self):
        # First of all: its processes would hold the connections of others.
        self.deaf = self.stack.enter_context(
            storms.crowd(self.address, NoSlices(), DEAF_USERS, DEAF_EACH, reads=False))
        hooks = f"{self.directory}/hooks.d"
        os.mkdir(hooks, 0o755)
        for name, words in (("hooks", ["hooks", "--directory", hooks]), ("watch", ["watch", "--exec"])):
            self.runs[name] = f"{self.directory}/runs-{name}"
            program = f"{hooks if name == 'hooks' else self.directory}/{name}"
            with open(program, "w") as file: file.write(PROGRAM.replace("$1", self.runs[name]))
            os.chmod(program, 0o755)
            if name == "watch": words.append(program)
            self.running[name] = subprocess.Popen(
                ["ip", "netns", "exec", self.namespace, self.programs / "pathctl", *words, "--socket", self.address],
                env=dict(os.environ, **{MARK: str(os.getpid())}), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def processes(self):
        """The processes of runs, without pathctl itself."""
        found, mark = [], f"{MARK}={os.getpid()}".encode()
        own = {process.pid for process in self.running.values()}
        for number in filter(str.isdigit, os.listdir("/proc")):
            with contextlib.suppress(OSError):
                environment = pathlib.Path(f"/proc/{number}/environ").read_bytes()
                state = pathlib.Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()[0]
                if int(number) not in own and state != "Z" and mark in environment.split(b"\0"): found.append(int(number))
        return found

    def sizes(self):
        """Memory in bytes and descriptors of each program that runs all the time."""
        def size(number):
            return (int(pathlib.Path(f"/proc/{number}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE"),
                    len(os.listdir(f"/proc/{number}/fd")))
        return {name: size(process.pid) for name, process in self.running.items()}

    def problems(self):
        """What is not as it should be now."""
        found = [f"pathctl {name} has ended with {one.returncode}" for name, one in self.running.items()
                 if one.poll() is not None]
        if len(self.processes()) > MOST: found.append(f"{len(self.processes())} processes of programs have piled up")
        return found

    def end(self, status, patience):
        """Ends everything; returns what was not as it should be."""
        found = []
        for name, path in self.runs.items():
            deadline = time.monotonic() + patience
            while (last := self.last(path)) != status and time.monotonic() < deadline: time.sleep(0.1)
            if last != status: found.append(f"the last run of {name} was for {last}, not {status}")
        if (left := self.deaf()) != DEAF_USERS * DEAF_EACH: found.append(f"{left} subscribers that never read are left")
        for name in self.runs:
            one = self.running[name]
            one.send_signal(signal.SIGTERM)
            try:
                if one.wait(15) not in (0, 128 + signal.SIGTERM, -signal.SIGTERM): found.append(f"pathctl {name}: {one.returncode}")
            except subprocess.TimeoutExpired:
                found.append(f"pathctl {name} ignores SIGTERM")
        if left := self.processes(): found.append(f"{len(left)} processes of programs are left")
        return found

    def last(self, path):
        lines = pathlib.Path(path).read_text().split() if os.path.exists(path) else []
        return lines[-1] if lines else None

    def count(self, name): return len(pathlib.Path(self.runs[name]).read_text().split())

    def clean(self):
        for process in self.running.values():
            if process.poll() is None: process.kill()
            process.wait()
        for number in self.processes():
            with contextlib.suppress(ProcessLookupError): os.kill(number, signal.SIGKILL)
        self.stack.close()
