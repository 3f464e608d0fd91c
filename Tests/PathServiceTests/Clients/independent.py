"""Makes the calls of scenario.txt through an independent implementation of varlink, which also reads the descriptions
of the interfaces."""

import queue
import sys
import threading
from pathlib import Path

import varlink

sys.dont_write_bytecode = True
sys.path.append(str(Path(__file__).parents[2] / "Clients"))
import calls


class Stream:
    """The replies to a call with more: the library sends it when somebody waits for the first."""

    def __init__(self, method, parameters):
        interface, _, name = method.rpartition(".")
        self.service, self.replies = client.open(interface), queue.Queue()
        threading.Thread(target=self.follow, args=[name, parameters], daemon=True).start()

    def follow(self, name, parameters):
        try:
            for reply in getattr(self.service, name)(_more=True, **parameters):
                self.replies.put({"parameters": reply})
        except (OSError, AttributeError, ValueError):
            pass

    def __next__(self):
        return self.replies.get(timeout=calls.PATIENCE)

    def close(self):
        self.service._connection.shutdown(2)


def call(method, parameters, is_oneway):
    interface, _, name = method.rpartition(".")
    if name == "Nothing":
        # The library makes no call that the description does not have.
        return {"error": "org.varlink.service.MethodNotFound", "parameters": {"method": method}}
    try:
        return {"parameters": services[interface]._call(name, _oneway=is_oneway, **parameters)}
    except varlink.VarlinkError as error:
        return {"error": error.error(), "parameters": error.parameters()}


client = varlink.Client("unix:" + sys.argv[1])
services = {name: client.open(name) for name in client.get_interfaces()}
for name in client.info["interfaces"]:
    description = client.get_interface(name)
    if description.name != name:
        raise SystemExit(f"not as expected: {description.name}")
calls.play("eth0", call, Stream)
print("done", flush=True)
