#!/usr/bin/env python3
"""oracle.py - cosched(1) once more, slice by slice: oracle.py DEVICES KERNELS POLICY RELEASE JOBS

Written from the manual page's section MODEL; nothing is a formula over slices here. DEVICES is a table "name open_ns close_ns",
KERNELS "app device slice_ns copy_in_ns copy_out_ns slices" (device a+b: measured T in slice_ns), JOBS
"run job submit_ns app init_ns launches priority". POLICY is a pick of cosched. Prints run, job, start, end, devices, switches.
"""
import sys
from itertools import combinations


def rows(path):
    with open(path) as file:
        names = file.readline().split()
        for line in file:
            yield dict(zip(names, line.split()))


class Kernel:
    def __init__(self):
        self.slice, self.copy_in, self.copy_out, self.measured = {}, {}, {}, {}

    def deal(self, devices, launches, slice_of):
        """T, one slice after the other."""
        end = 0
        for _ in range(launches):
            free = {d: max(self.copy_in[d], end) for d in devices}
            for _ in range(self.slices):
                d = min(devices, key=lambda d: (free[d], d))
                free[d] += slice_of[d]
                end = max(end, free[d])
        return max([end] + [self.copy_in[d] for d in devices]) + max(self.copy_out[d] for d in devices)


class Job:
    def __init__(self, row, order, kernels):
        self.row, self.id = row, order
        self.arrival, self.init = int(row["submit_ns"]), int(row["init_ns"])
        self.launches, self.priority = int(row["launches"]), int(row["priority"])
        self.kernel = kernels[row["app"]]
        self.bag, self.more = self.kernel.slices, self.launches - 1
        self.assigned, self.runs_on, self.held = frozenset(), frozenset(), set()
        self.start = self.finish = self.init_until = self.gone = None
        self.leaving = False           # starts no slice, all devices go
        self.going = {}                # device: None while it works, else when it is closed
        self.busy = {}                 # device: (until, is a slice)
        self.ended = False             # a slice ended at this instant
        self.switches, self.used, self.cache = 0, set(), {}

    def T(self, devices):
        if devices not in self.cache:
            k = self.kernel
            if any(d not in k.slice for d in devices):
                self.cache[devices] = None
            elif devices in k.measured:
                one, all_of_them = (k.deal(sorted(devices), n, k.slice) for n in (1, self.launches))
                self.cache[devices] = k.measured[devices] * all_of_them // one
            else:
                self.cache[devices] = k.deal(sorted(devices), self.launches, k.slice)
        return self.cache[devices]

    def slice_ns(self, d):
        k = self.kernel
        if self.runs_on in k.measured:
            computed = k.deal(sorted(self.runs_on), 1, k.slice)
            return max(1, k.slice[d] * k.measured[self.runs_on] // computed)
        return k.slice[d]

    def left(self):
        return self.bag + self.more * self.kernel.slices

    def closing(self, d, node):
        return self.kernel.copy_out[d] + node.close[d]


class Node:
    def __init__(self, devices, policy, release):
        self.open = [int(r["open_ns"]) for r in devices]
        self.close = [int(r["close_ns"]) for r in devices]
        self.n, self.changed = len(devices), release == "changed"
        name, _, params = policy.partition(":")
        self.policy = name
        self.p = {"start-limit": "30", "gain": "0.02", "first": "expand", "contract": "no",
                  "max": {"greedy-up": "1", "elastic-dl": "2"}.get(name, "0")}
        self.p.update(x.split("=") for x in params.split(",") if x)
        self.ppm = round(float(self.p["gain"]) * 10**6)
        self.milli = round(float(self.p["start-limit"]) * 1000)
        self.max = int(self.p["max"]) or self.n

    # ---- policies ----

    def free(self):
        taken = set()
        for job in self.jobs:
            taken |= job.held | job.assigned
        return set(range(self.n)) - taken

    def best(self, job, devices):
        found = None
        for size in range(1, min(self.max, len(devices)) + 1):
            for devs in combinations(sorted(devices), size):
                t = job.T(frozenset(devs))
                if t is not None:
                    key = (t, size, sum(1 << d for d in devs))
                    if found is None or key < found[0]:
                        found = (key, frozenset(devs))
        return (found[1], found[0][0]) if found else (None, None)

    def best_single(self, job):
        return min((job.T(frozenset([d])), d) for d in range(self.n) if job.T(frozenset([d])) is not None)

    def may_start(self, job, t):
        return t * 1000 <= self.best_single(job)[0] * self.milli

    def decide(self):
        order = sorted(self.jobs, key=lambda j: (-j.priority, j.arrival, j.id))
        if self.policy == "baseline":
            for job in order:
                if job.start is None and not job.assigned:
                    d = self.best_single(job)[1]
                    if d in self.free():
                        job.assigned = frozenset([d])
            return
        for job in order:
            if job.runs_on and job.left() == 0 and job.assigned - job.runs_on:
                job.assigned = (job.runs_on - self.others(job)) or job.assigned
        head = None
        if self.p["first"] == "queue":
            head = self.start_waiting(order)
        self.improve(order)
        if self.p["first"] != "queue":
            head = self.start_waiting(order)
        if head is not None and self.p["contract"] == "arrival":
            self.contract(order, head)

    def others(self, job):
        return set().union(*[j.assigned for j in self.jobs if j is not job])

    def improve(self, order):
        for job in order:
            if not job.assigned or job.left() == 0:
                continue
            best, t = self.best(job, (job.held - self.others(job)) | job.assigned | self.free())
            if best is not None and t * 10**6 < job.T(job.assigned) * (10**6 - self.ppm):
                job.assigned = best

    def start_waiting(self, order):
        for job in order:
            if job.start is None and not job.assigned:
                best, t = self.best(job, self.free())
                if best is None or not self.may_start(job, t):
                    return job
                job.assigned = best
        return None

    def contract(self, order, head):
        givers = [j for j in order if j.start is not None and j.left() > 0 and len(j.assigned) >= 2]
        if not givers:
            return
        most = max(len(j.assigned) for j in givers)
        giver = [j for j in givers if len(j.assigned) == most][-1]
        _, d = min((giver.T(giver.assigned - {d}), d) for d in giver.assigned)
        t = head.T(frozenset([d]))
        if t is not None and self.may_start(head, t):
            giver.assigned -= {d}
            head.assigned = frozenset([d])

    # ---- jobs ----

    def begin(self, job, devices, t):
        for d in devices:
            job.busy[d] = (t + self.open[d] + job.kernel.copy_in[d], False)

    def take(self, job, t):
        job.held |= job.assigned
        job.runs_on = job.assigned
        job.used |= job.runs_on
        if job.start is None:
            job.start, job.init_until = t, t + job.init
            if job.init == 0:
                self.begin(job, job.runs_on, t)
        else:
            job.switches += 1
            job.leaving = False
            self.begin(job, job.runs_on, t)

    def ends(self, t):
        """What ends at t: whether a decision is due."""
        point = False
        for job in list(self.jobs):
            if job.init_until == t and not job.busy and job.start != t:
                self.begin(job, job.runs_on, t)
            for d in [d for d, (until, _) in job.busy.items() if until <= t]:
                _, was_slice = job.busy.pop(d)
                if was_slice and d in job.runs_on and d not in job.going:
                    job.ended = True
            if job.start is None:
                continue
            running = any(is_slice for _, is_slice in job.busy.values())
            if job.bag == 0 and job.more > 0 and not running and not job.leaving and job.init_until <= t:
                job.bag, job.more = job.kernel.slices, job.more - 1
            self.close_going(job, t)
            if job.going and all(at is not None and at <= t for at in job.going.values()):
                job.held -= set(job.going)
                job.runs_on -= set(job.going)
                job.going = {}
                point = True
            if job.left() == 0 and not job.leaving and not [d for d in job.busy if d not in job.going]:
                if job.finish is None and not running:
                    job.finish = t + max(job.closing(d, self) for d in job.runs_on)
                if job.finish is not None and job.finish <= t and not job.going:
                    self.jobs.remove(job)
                    self.done.append((job, t))
                    point = True
        while self.coming and self.coming[0].arrival <= t:
            self.jobs.append(self.coming.pop(0))
            point = True
        return point

    def close_going(self, job, t):
        if job.leaving:
            if job.going and not job.busy and None in job.going.values():
                job.going = {d: t + job.closing(d, self) for d in job.going}
        else:
            for d in job.going:
                if job.going[d] is None and d not in job.busy:
                    job.going[d] = t + job.closing(d, self)

    def look(self, job, t):
        if job.leaving or job.going or job.left() == 0 or job.assigned == job.runs_on:
            return
        job.ended = False              # it leaves once at an instant
        if self.changed:
            gone, new = job.runs_on - job.assigned, job.assigned - job.runs_on
            job.going = {d: None for d in gone}
            job.held |= job.assigned
            job.runs_on = job.assigned
            job.used |= job.runs_on
            job.switches += 1
            self.begin(job, new, t)
        else:
            job.leaving = True
            job.going = {d: None for d in job.runs_on}
        self.close_going(job, t)

    def take_slices(self, t):
        for job in self.jobs:
            if job.start is None or job.leaving or job.init_until > t or job.finish is not None:
                continue
            for d in sorted(job.runs_on):
                if d not in job.busy and job.bag > 0:
                    job.bag -= 1
                    job.busy[d] = (t + job.slice_ns(d), True)

    def settle(self, t):
        while True:
            if self.ends(t):
                self.decide()
                for job in self.jobs:
                    if job.assigned and (job.start is None or (job.leaving and not job.held)):
                        if not any(j is not job and j.held & job.assigned for j in self.jobs):
                            self.take(job, t)
                            if job.init_until == t and job.init == 0:
                                pass
            for job in self.jobs:
                if job.ended:
                    self.look(job, t)
            again = False
            for job in self.jobs:
                again |= any(until <= t for until, _ in job.busy.values())
                again |= bool(job.going) and all(at is not None and at <= t for at in job.going.values())
            if not again:
                break
        for job in self.jobs:
            job.ended = False
        self.take_slices(t)

    def run(self, jobs):
        self.coming, self.jobs, self.done = sorted(jobs, key=lambda j: (j.arrival, j.id)), [], []
        while self.coming or self.jobs:
            times = [self.coming[0].arrival] if self.coming else []
            for job in self.jobs:
                times += [until for until, _ in job.busy.values()]
                times += [at for at in job.going.values() if at is not None]
                if job.start is not None and not job.busy and job.init_until is not None and not job.leaving:
                    if job.finish is None and job.init_until > self.now:
                        times.append(job.init_until)
                if job.finish is not None:
                    times.append(max(job.finish, self.now + 1))
            times = [t for t in times if t > self.now]
            self.now = min(times)
            self.settle(self.now)
        return self.done


def main():
    devices_path, kernels_path, policy, release, jobs_path = sys.argv[1:]
    devices = list(rows(devices_path))
    names = [r["name"] for r in devices]
    kernels = {}
    for r in rows(kernels_path):
        k = kernels.setdefault(r["app"], Kernel())
        devs = frozenset(names.index(n) for n in r["device"].split("+"))
        k.slices = int(r["slices"])
        if len(devs) > 1:
            k.measured[devs] = int(r["slice_ns"])
            continue
        (d,) = devs
        k.slice[d], k.copy_in[d], k.copy_out[d] = (int(r[c]) for c in ("slice_ns", "copy_in_ns", "copy_out_ns"))
    runs, order = {}, []
    for number, row in enumerate(rows(jobs_path)):
        job = Job(row, number, kernels)
        runs.setdefault(row["run"], []).append(job)
        order.append(job)
    result = {}
    for jobs in runs.values():
        node = Node(devices, policy, release)
        node.now = -1
        for job, end in node.run(jobs):
            result[job] = end
    for job in order:
        print(job.row["run"], job.row["job"], job.start, result[job], "+".join(names[d] for d in sorted(job.used)), job.switches)


main()
