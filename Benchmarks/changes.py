"""Changes that `baselines/flip.c` makes in network namespaces, and the rounds in which contenders are measured."""

from watching import Operation

# Each contender runs alone, as on a machine of a user: another one beside it would evict its memory from the caches.
# In each round all of them are measured one after the other, so that a slower machine is slower for all. A program that
# has just started is slow at first; so the rounds are few and long.
ROUNDS = 3
WARM_UP = 20
INTERVAL, JITTER = 10_000, 5_000  # microseconds between two changes


def flip(bench, pair, namespaces, count, kind="route", interval=INTERVAL, jitter=JITTER):
    """Takes something away from each of the namespaces in turn, and gives it back; namespace -> operations."""
    output = pair.run(bench.programs["flip"], kind, count, interval, jitter, *namespaces)
    operations = {namespace: [] for namespace in namespaces}
    for namespace, sent, _, state in (line.split() for line in output.splitlines()):
        operations[namespace].append(Operation(int(sent), state))
    return operations
