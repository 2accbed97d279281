"""oracle_policies.py - what cosched(1) says of T and of policies; every rule with the manual's sentence beside it"""
from fractions import Fraction

NEVER = float("inf")


def members(mask):
    return [d for d in range(mask.bit_length()) if mask >> d & 1]


class Kernel:
    """An application of one size. By device, in ns: one slice (None: it cannot run there), copies."""

    def __init__(self, slices, speed, copy_in, copy_out, init, measured):
        self.slices, self.speed, self.copy_in, self.copy_out = slices, speed, copy_in, copy_out
        self.init, self.measured = init, measured  # measured: set -> ns of one launch with its copies
        self.can = sum(1 << d for d, ns in enumerate(speed) if ns is not None)
        self.known = {}

    def deal(self, launches, speed, ready, first=None):
        # "A device that is ready takes its first slice immediately, and another one whenever a slice ends. If several
        # devices are ready at the same time, the first one in the file takes a slice first. When all slices of a launch
        # have ended, the next launch begins." Until the last has ended and all devices are ready.
        free, now = dict(ready), 0
        for launch in range(launches):
            ends = []
            for _ in range(first if first is not None and launch == 0 else self.slices):
                d = min(free, key=lambda d: (free[d], d))
                free[d] += speed[d]
                ends.append(free[d])
            now = max(ends, default=now)
            free = {d: max(free[d], now) for d in free}
        return max([now, *ready.values()])

    def computed(self, mask, launches):
        # "T includes copying in, the slices as distributed above, and copying out."
        ready = {d: self.copy_in[d] for d in members(mask)}
        return self.deal(launches, self.speed, ready) + max(self.copy_out[d] for d in ready)

    def slice_time(self, mask, d):
        # "the time of each slice on this set [is] the computed one times measured T over computed T of one launch,
        # rounded down"
        if mask not in self.measured:
            return self.speed[d]
        return max(1, self.speed[d] * self.measured[mask] // self.computed(mask, 1))

    def time(self, mask, launches):
        # "T, the time that the whole job would take on a set"
        if mask & ~self.can or mask == 0:
            return NEVER
        if (mask, launches) not in self.known:
            t = self.computed(mask, launches)
            if mask in self.measured:
                # "T of several launches … [is] the computed one times measured T over computed T of one launch"
                t = t * self.measured[mask] // self.computed(mask, 1)
            self.known[mask, launches] = t
        return self.known[mask, launches]


class Policy:
    """A pick of cosched's, as elastic:gain=0,contract=arrival."""

    def __init__(self, pick):
        self.name, _, given = pick.partition(":")
        most = {"baseline": "1", "greedy-up": "1", "best-fit": "1", "elastic-dl": "2"}.get(self.name, "0")
        value = {"max": most, "start-limit": "30", "gain": "0.02", "first": "expand", "contract": "no", "age": "60",
                 "alpha": "0.5", **dict(word.split("=") for word in given.split(",") if word)}
        self.first, self.contract = value["first"], value["contract"]
        self.max = int(value["max"]) or 16
        self.start_limit, self.gain, self.alpha = (Fraction(value[k]) for k in ("start-limit", "gain", "alpha"))
        self.age = int(Fraction(value["age"]) * 10**9)


class Decisions:
    """What a node decides: its jobs, devices [(open, close)], policy, release and the time now are those of Node."""

    # ---- what a job is offered ----

    def free(self):
        # "A device is free if no job holds it and it is assigned to none."
        taken = 0
        for job in self.jobs:
            taken |= job.holds | job.assigned
        return (1 << len(self.devices)) - 1 & ~taken

    def of_others(self, job):
        return sum(other.assigned for other in self.jobs if other is not job)

    def sets(self, job, pool):
        # "all subsets of the devices …, with at most max devices"; "With more than eight candidate devices … The
        # sets tried are each device, the two fastest by slice time, the three fastest, and so on, and all measured sets."
        pool &= job.kernel.can
        if pool.bit_count() <= 8:
            tried, mask = [], pool
            while mask:
                tried.append(mask)
                mask = (mask - 1) & pool
        else:
            online = self.policy.name == "online"
            speed = {d: self.guess(job, d) if online else job.kernel.speed[d] for d in members(pool)}
            fast = sorted(speed, key=lambda d: (speed[d], d))
            tried = [sum(1 << d for d in fast[:n]) for n in range(1, len(fast) + 1)]
            tried += [1 << d for d in fast]
            tried += [mask for mask in job.kernel.measured if mask & ~pool == 0]
        return [mask for mask in tried if mask.bit_count() <= self.policy.max]

    def best(self, job, pool, time):
        # "The best set has the least T. Of equal sets it has the fewest devices, then the smallest sum of 1, 2, 4, …"
        # What depends on T alone is found once.
        by_t = time == self.time or self.policy.name != "aware"
        key = (job.kernel, job.launches, pool) if by_t else None
        if key is None or key not in self.found:
            self.found[key] = min(self.sets(job, pool), default=0, key=lambda m: (time(job, m), m.bit_count(), m))
        return self.found[key]

    def single(self, job):
        # "The best one has the least T; of equal ones, it is the first in the file."
        return min((1 << d for d in members(job.kernel.can)), key=lambda m: (self.time(job, m), m))

    def may_start(self, job, mask):
        # not "one whose T exceeds start-limit times the T of its best single device"
        return mask != 0 and self.time(job, mask) <= self.policy.start_limit * self.time(job, self.single(job))

    # ---- the time of a set ----

    def time(self, job, mask):
        if self.policy.name != "online":
            return job.kernel.time(mask, job.launches)
        # "T is estimated from completed slices … Copies are assumed to take no time."
        if mask & ~job.kernel.can or mask == 0:
            return NEVER
        speed = {d: self.guess(job, d) for d in members(mask)}
        return job.kernel.deal(job.launches, speed, {d: 0 for d in speed})

    def guess(self, job, d):
        # "A device without a completed slice is assumed to be as fast as the fastest known one …. If none is known all
        # are equally fast."
        known = self.learnt.get(job.kernel, {})
        return known.get(d) or min(known.values(), default=1)

    def learn(self, job, d, took):
        # "The first slice on a device sets the estimate. Each further slice moves it by alpha times the difference,
        # rounded towards 0."
        known = self.learnt.setdefault(job.kernel, {})
        step = int(abs(took - known.get(d, took)) * self.policy.alpha)
        known[d] = known.get(d, took) + (step if took > known.get(d, took) else -step)
        if self.policy.name == "online":
            self.found.clear()

    def rest(self, job, mask):
        # aware: "a job that has started compares sets by its remaining time instead of T"
        if self.policy.name != "aware" or job.state == "waiting":
            return self.time(job, mask)
        if mask & ~job.kernel.can or mask == 0:
            return NEVER
        left = job.slices_left()
        if job.state in ("leaving", "out", "between"):
            # "Of a job that is leaving its set, all devices open and copy in at once."
            return self.finish(job, mask, left, {d: self.opening(job, d) for d in members(mask)}, 0)
        if mask == job.runs:
            # "If the job stays, its devices begin at once or, while it initialises, when they will be ready."
            return self.finish(job, mask, left, self.begins(job), 0)
        return self.moved_rest(job, mask, left)

    def begins(self, job):
        wait = job.start + job.init - self.now
        return {d: wait + self.opening(job, d) if job.state == "init" else 0 for d in members(job.runs)}

    def moved_rest(self, job, mask, left):
        speed = {d: job.kernel.slice_time(job.runs, d) for d in members(job.runs)}
        ends, changed, check = self.begins(job), self.release == "changed", 0
        if job.state == "init":
            # "these are the first slices, of devices that are ready before the first of them ends"
            check = min(ends[d] + speed[d] for d in ends)
            for d in sorted(ends):
                if ends[d] < check and left > 0:
                    ends[d], left = ends[d] + speed[d], left - 1
            kept = ends
        else:
            # "If it moves, each current device first finishes one whole slice, which is not among those left."
            kept, ends = ends, speed
        # "When all have finished, those that it leaves copy out and are closed. After that, new devices open and copy in."
        gone = max(ends.values()) + self.closing(job, job.runs & ~mask if changed else job.runs)
        # "With --release changed new devices open at once or, while it initialises, when its first slice ends; devices
        # that it keeps do not wait."
        ready = {d: kept[d] if changed and d in kept else self.opening(job, d) + (check if changed else gone)
                 for d in members(mask)}
        return self.finish(job, mask, left, ready, gone)

    def finish(self, job, mask, left, ready, gone):
        # "The remaining time is that of the slices left to take, distributed as for T, then of copying out and closing."
        "The time does not end before the old devices are closed"
        slices = job.kernel.slices
        launches = -(-left // slices)
        speed = {d: job.kernel.slice_time(mask, d) for d in ready}
        end = job.kernel.deal(launches, speed, ready, left - (launches - 1) * slices) if left else 0
        return max(end, gone) + self.closing(job, mask)

    def closing(self, job, mask):
        return max((job.kernel.copy_out[d] + self.devices[d][1] for d in members(mask)), default=0)

    def opening(self, job, d):
        return self.devices[d][0] + job.kernel.copy_in[d]

    # ---- a decision ----

    def decide(self):
        for job in self.jobs:
            # "When a job has taken its last slice, devices reserved for it are free at the next decision, unless all
            # devices that it runs on are assigned to others."
            if job.assigned and job.slices_left() == 0:
                job.assigned = job.runs & ~self.of_others(job) or job.assigned
        # "Jobs are considered in order: by priority (highest first), then by arrival, then by row."
        order = sorted(self.jobs, key=lambda job: (-job.priority, job.submit, job.row))
        # "first=queue lets waiting jobs select first."
        queue_first, blocked = self.policy.first == "queue", None
        if self.policy.name == "baseline":
            self.start_baseline(order)
        elif self.policy.name == "aware":
            # "Jobs that are still initialising select last …. With first=queue waiting jobs select once more before them."
            if queue_first:
                self.start(order)
            self.expand([job for job in order if job.state != "init"])
            self.start(order)
            self.expand([job for job in order if job.state == "init"])
        elif queue_first:
            blocked = self.start(order)
            self.expand(order)
        else:
            self.expand(order)
            blocked = self.start(order)
        if blocked and self.policy.contract == "arrival":
            # "This comes last in a decision, after all other jobs have selected."
            self.contract(blocked, order)

    def start_baseline(self, order):
        # "In order, each waiting job is assigned its best single device if that is free."
        for job in order:
            if job.assigned == 0 and self.single(job) & self.free():
                job.assigned = self.single(job)

    def expand(self, order):
        # "First, in order, each job that has devices assigned and slices left to take selects its best set. The
        # candidates are all subsets of the devices that it holds, that are assigned to it, or that are free"
        for job in order:
            if job.assigned and job.slices_left() > 0:
                # "A device that one job holds and another is assigned is not a candidate for the first."
                pool = (job.holds | job.assigned | self.free()) & ~self.of_others(job)
                best = self.best(job, pool, self.rest)
                # "It replaces the current assignment if its T is less than (1 - gain) times the current T."
                if self.rest(job, best) < (1 - self.policy.gain) * self.rest(job, job.assigned):
                    job.assigned = best

    def start(self, order):
        # "Then, in order, each waiting job is assigned the best set of free devices. This stops at the first job that
        # finds no set, or only one whose T exceeds start-limit" times …: that job.
        waiting = [job for job in order if job.assigned == 0]
        if self.policy.name == "best-fit":
            return self.start_best_fit(waiting)
        for job in waiting:
            best = self.best(job, self.free(), self.time)
            if not self.may_start(job, best):
                return job
            job.assigned = best
        return None

    def start_best_fit(self, waiting):
        # "Of the jobs that can start, the next is the one that … has the largest ratio of T on its best single device to
        # T on the best free set. Of equal ones it is the first in order."
        while True:
            chosen, fit = None, 0
            for job in waiting:
                best = self.best(job, self.free(), self.time)
                if self.may_start(job, best):
                    ratio = Fraction(self.time(job, self.single(job)), self.time(job, best))
                    if ratio > fit:
                        chosen, fit, assigned = job, ratio, best
                # "A job that has waited for age seconds cannot be overtaken: until it starts, no job after it does."
                if self.now - job.submit >= self.policy.age:
                    break
            if chosen is None:
                return None
            chosen.assigned = assigned
            waiting.remove(chosen)

    def contract(self, waiting, order):
        # "The running job is the one with the most devices assigned, at least two; of equal ones the last in order. It
        # must have started and have slices left to take."
        givers = [job for job in order if job.state != "waiting" and job.slices_left() and job.assigned.bit_count() > 1]
        if not givers:
            return
        most = max(job.assigned.bit_count() for job in givers)
        giver = [job for job in givers if job.assigned.bit_count() == most][-1]
        # "It gives up the device without which its T is least; of equal ones the first in the file. It does so only if
        # the waiting job may start on that device alone."
        d = min(members(giver.assigned), key=lambda d: (self.time(giver, giver.assigned & ~(1 << d)), d))
        if waiting.kernel.can >> d & 1 and self.may_start(waiting, 1 << d):
            giver.assigned &= ~(1 << d)
            waiting.assigned = 1 << d
