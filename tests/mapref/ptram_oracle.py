#!/usr/bin/env python3
"""ptram_oracle.py - mapref -p ptram beside Algorithms 1 and 2 of the paper, line by line and slowly

ptram_oracle.py FIRST_SEED LAST_SEED FOLDER

Mirsadeghi and Afsahi, PTRAM. Machines are random trees of routers, whose routes need no choice. The paper does not say which
of several links with the greatest load is l. Where that changes the result, a case is counted as open, and left out. Whom
mapref takes among equals the manual says: the first of the allocation's list, the closest, the lowest rank. All arithmetic is
in whole numbers and fractions.
"""
import random
import subprocess
import sys
from fractions import Fraction


class Open(Exception):
    """The paper does not say which link is l."""


class Case:
    def __init__(self, seed):
        rng = random.Random(seed)
        nrouters = rng.randint(2, 6)
        self.parent = [None] + [rng.randrange(r) for r in range(1, nrouters)]
        self.router_of = [rng.randrange(nrouters) for _ in range(rng.randint(4, 14))]
        self.hosts = list(range(len(self.router_of)))
        rng.shuffle(self.hosts)
        self.hosts = self.hosts[: rng.randint(3, len(self.hosts))]
        self.nranks = rng.randint(2, len(self.hosts))
        self.cp = {}
        for _ in range(rng.randint(1, 4) * self.nranks):
            a, b = rng.randrange(self.nranks), rng.randrange(self.nranks)
            if a != b:
                self.cp[a, b] = rng.randint(1, 10**6)
        self.cp[0, self.nranks - 1] = rng.randint(1, 10**6)  # all ranks are there
        self.alpha = rng.choice(["text", "printed"])
        self.ends = rng.choice(["out", "out", "both"])
        self.k = rng.choice([1, 3, 7])
        self.rounds = rng.choice([1, 10])
        self.refines = rng.random() < 0.7
        self.begins_in_order = self.refines and rng.random() < 0.5  # Algorithm 2 alone
        self.weights = rng.choice([(1, 1, 1, 1), (1, 1, 1, 1), (2, 5, 0, 1), (1, 0, 0, 0), (0, 1, 1, 0)])

    def write(self, folder):
        with open(folder + "/machine.yaml", "w") as file:
            file.write("placetools: topology/1\nname: tree\ntopology: explicit\nlinks:\n  terminal: {}\n  up: {}\ntables:\n")
            file.write("  routers: |\n    router\n" + "".join(f"    r{r}\n" for r in range(len(self.parent))))
            file.write("  nodes: |\n    node\n" + "".join(f"    n{n}\n" for n in range(len(self.router_of))))
            file.write("  links: |\n    from\tto\tlevel\n")
            file.write("".join(f"    n{n}\tr{r}\tterminal\n" for n, r in enumerate(self.router_of)))
            file.write("".join(f"    r{r}\tr{p}\tup\n" for r, p in enumerate(self.parent) if p is not None))
        with open(folder + "/graph.tsv", "w") as file:
            file.write("##placetools=comm/1\nsrc\tdst\tbytes\n")
            file.write("".join(f"{a}\t{b}\t{n}\n" for (a, b), n in sorted(self.cp.items())))

    def command(self, folder):
        command = [
            "mapref", "-t", folder + "/machine.yaml", "-g", folder + "/graph.tsv",
            "--hosts", ",".join(f"n{n}" for n in self.hosts), "--ranks-per-node", "1",
            "--refine", f"ptram:k={self.k},rounds={self.rounds},ends={self.ends}" if self.refines else "none",
        ]
        if self.begins_in_order:
            return command + ["-p", "in-order"]
        return command + [
            "-p", f"ptram:alpha={self.alpha},ends={self.ends}", "--partition", "none",
            "-m", "hybrid:hb={},mc={},nzca={},nzcv={}".format(*self.weights),
        ]

    def route(self, a, b):
        """Directed links from node to node, the nodes' own included."""
        if a == b:
            return []

        def up(r):
            return [r] if self.parent[r] is None else [r] + up(self.parent[r])

        here, there = up(self.router_of[a]), up(self.router_of[b])
        meet = next(r for r in here if r in there)
        stops = here[: here.index(meet) + 1] + there[: there.index(meet)][::-1]
        stops = [("n", a)] + stops + [("n", b)]
        return list(zip(stops, stops[1:]))

    def loads(self, tau):
        loads = {}
        for (a, b), n in self.cp.items():
            if a in tau and b in tau:
                for link in self.route(tau[a], tau[b]):
                    loads[link] = loads.get(link, 0) + n
        return loads

    def metric(self, tau):
        """Equation (3), weighted."""
        loads = list(self.loads(tau).values())
        if not loads:
            return 0
        mean = Fraction(sum(loads), len(loads))
        variance = Fraction(sum(x * x for x in loads), len(loads)) - mean**2
        hb, mc, nzca, nzcv = self.weights
        return hb * sum(loads) + mc * max(loads) + nzca * mean + nzcv * variance

    def algorithm_1(self):
        both = {}
        for (a, b), n in self.cp.items():
            both[a, b] = both.get((a, b), 0) + n
            both[b, a] = both.get((b, a), 0) + n
        tau = {}
        while len(tau) < self.nranks:  # line 2
            rest = [q for q in range(self.nranks) if q not in tau]
            alpha = Fraction(1, len(rest) + 1 if self.alpha == "printed" else len(tau) + 1)  # line 4
            delta = {  # lines 5 to 7
                q: sum(both.get((q, r), 0) for r in tau) + alpha * sum(both.get((q, s), 0) for s in rest)
                for q in rest
            }
            p = max(rest, key=lambda q: (delta[q], -q))  # line 8
            free = [n for n in self.hosts if n not in tau.values()]
            values = {n: self.metric({**tau, p: n}) for n in free}  # lines 10 to 13
            tau[p] = min(free, key=lambda n: (values[n], self.hosts.index(n)))  # lines 14 and 15
        return tau

    def algorithm_2(self, tau):
        """One round; None: no swap reduces the maximum."""
        loads = self.loads(tau)
        most = max(loads.values(), default=0)  # line 3
        swaps = [self.best_swap(tau, most, link) for link, load in loads.items() if load == most]  # line 4
        if any(swap != swaps[0] for swap in swaps):
            raise Open
        return swaps[0] if swaps else None

    def best_swap(self, tau, most, link):
        at = {n: p for p, n in tau.items()}
        best, saved = most, None
        for n in self.hosts:  # the leaders; a lower one wins among equals
            if n not in at:
                continue
            p = at[n]
            talks = any(
                (a == p or (b == p and self.ends == "both")) and link in self.route(tau[a], tau[b]) for (a, b) in self.cp
            )
            if not talks:  # line 5
                continue
            near = sorted((len(self.route(n, m)), self.hosts.index(m), m) for m in self.hosts if m != n)
            for _, _, m in near[: self.k]:  # lines 6 and 7
                swapped = dict(tau)
                swapped[p] = m
                if m in at:
                    swapped[at[m]] = n
                new = max(self.loads(swapped).values(), default=0)  # line 10
                if new < best:  # line 11
                    best, saved = new, swapped
        return saved

    def begin(self):
        return dict(enumerate(self.hosts[: self.nranks])) if self.begins_in_order else self.algorithm_1()

    def run(self):
        tau = self.begin()
        for _ in range(self.rounds if self.refines else 0):
            swapped = self.algorithm_2(tau)
            if swapped is None:
                break
            tau = swapped
        return tau


def main():
    first, last, folder = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
    nopen = nmoved = 0
    for seed in range(first, last + 1):
        case = Case(seed)
        case.write(folder)
        try:
            tau = case.run()
        except Open:
            nopen += 1
            continue
        nmoved += tau != case.begin()
        text = subprocess.run(case.command(folder), check=True, capture_output=True, text=True).stdout
        rows = [line.split("\t") for line in text.splitlines() if line[:1].isdigit()]
        found = {int(row[0]): int(row[1][1:]) for row in rows}
        if found != tau:
            sys.exit(f"seed {seed}: expected {tau}, mapref has {found}: {' '.join(case.command(folder))}")
    print(f"{last - first + 1} cases, {nopen} open, {nmoved} refined")


main()
