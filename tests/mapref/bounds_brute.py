#!/usr/bin/env python3
"""bounds_brute.py - what mapref --explain says is proven, beside all mappings: bounds_brute.py FIRST_SEED LAST_SEED FOLDER

A few nodes of several slots on one switch: the greatest load is that of a node's own link, and hop-bytes are twice the bytes
that leave nodes.
"""
import random
import re
import subprocess
import sys


def groupings(nranks, nnodes, room):
    def place(rank, at):
        if rank == nranks:
            yield list(at)
            return
        for node in range(nnodes):
            if at.count(node) < room:
                yield from place(rank + 1, at + [node])

    return place(0, [])


def terms(messages, at):
    out, into = {}, {}
    for (a, b), n in messages.items():
        if at[a] != at[b]:
            out[at[a]] = out.get(at[a], 0) + n
            into[at[b]] = into.get(at[b], 0) + n
    return max([*out.values(), *into.values(), 0]), 2 * sum(out.values())


def main():
    first, last, folder = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
    nproven = 0
    for seed in range(first, last + 1):
        rng = random.Random(seed)
        nnodes, room = rng.choice([(2, 3), (3, 2), (2, 4), (6, 1), (3, 3)])
        nranks = rng.randint(2, min(nnodes * room, 7))
        messages = {}
        for _ in range(rng.randint(1, 3 * nranks)):
            a, b = rng.sample(range(nranks), 2)
            messages[a, b] = rng.randint(1, 9)
        messages[0, nranks - 1] = messages.get((0, nranks - 1), 1)
        with open(folder + "/graph.tsv", "w") as file:
            file.write("##placetools=comm/1\nsrc\tdst\tbytes\n")
            file.write("".join(f"{a}\t{b}\t{n}\n" for (a, b), n in sorted(messages.items())))
        run = ["mapref", "-t", f"fattree:down={nnodes},up=1,cores={room}", "-g", folder + "/graph.tsv", "-o", "/dev/null"]
        text = subprocess.run(run + ["--explain", "/dev/stdout"], check=True, capture_output=True, text=True).stdout
        every = [terms(messages, at) for at in groupings(nranks, nnodes, room)]
        least = min(mc for mc, _ in every), min(hb for _, hb in every)
        found = [float(x) for x in re.findall(r"refiner: at most (\S+) bytes.*, (\S+) hop-bytes", text)[0]]
        if "every mapping is the best" in text:
            assert found == list(least), (seed, text, least)
            nproven += 2
            continue
        leaving = float(re.findall(r"at least (\S+) bytes leave", text)[0])
        assert 2 * leaving <= least[1] + 1e-6, (seed, text, least)
        for name, best, got in zip(("maximum congestion", "hop-bytes"), least, found):
            line = next(line for line in text.splitlines() if line.startswith(name + ":"))
            if line.endswith("the least, proven"):
                assert abs(got - best) < 1e-6, (seed, line, best, got)
                nproven += 1
            elif "below" in line:
                assert float(re.findall(r"below (\S+),", line)[0]) <= best + 1e-6, (seed, line, best)
    print(f"{last - first + 1} cases, {nproven} of {2 * (last - first + 1)} proven")


main()
