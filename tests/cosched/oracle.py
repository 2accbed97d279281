#!/usr/bin/env python3
"""oracle.py - cosched(1) once more, slice by slice: oracle.py DEVICES KERNELS JOBS POLICY RELEASE

Written from the manual pages alone, by an author who had not read the simulator; every rule has the manual's sentence
beside it (those of aware were written down for it). Each end of a slice is an event; nothing is a formula over slices.
DEVICES, KERNELS and JOBS are files of cosched's, the YAML with one device on a line. Prints run, job, start, end, devices
and switches. What campaign.py compares, rows of the timeline and slices, are in Node.timeline and Node.slices.
"""
import re
import sys
from fractions import Fraction

from oracle_policies import Decisions, Kernel, Policy, members

SCALE = {"s": 1, "ms": Fraction(1, 10**3), "us": Fraction(1, 10**6), "ns": Fraction(1, 10**9), "min": 60}
BYTES = {"B": 1, "KB": 10**3, "MB": 10**6, "GB": 10**9, "KiB": 2**10, "MiB": 2**20, "GiB": 2**30}


def quantity(text, units):
    number, unit = re.fullmatch(r"([0-9.e+-]+?)([A-Za-z]*)(?:/s)?", text).groups()
    return Fraction(number) * (units[unit] if unit else 1)


def ns(text):
    # "All times are whole nanoseconds.": the nearest
    seconds = quantity(text, SCALE) if isinstance(text, str) else text
    return int(seconds * 10**9 + Fraction(1, 2))


# ---- the files ----

def read_table(path):
    with open(path) as file:
        rows = [line.rstrip("\n").split("\t") for line in file if not line.startswith("##")]
    return [{k: v for k, v in zip(rows[0], row) if v != "."} for row in rows[1:]]


def read_devices(path):
    with open(path) as file:
        found = [re.findall(r"(\w+): *([^,{}]+)", line.split("{")[1]) for line in file if "- {" in line]
    return [dict(device) for device in found]


def read_kernels(path, devices):
    names, sizes, kernels = [device["name"] for device in devices], {}, {}
    for row in read_table(path):
        sizes.setdefault((row["app"], row["size"]), []).append(row)
    for key, rows in sizes.items():
        kernels[key] = one_kernel(rows, names, devices)
    return kernels


def one_kernel(rows, names, devices):
    # "slices, bytes and init_s are properties of the application and its size"
    slices = next(int(row["slices"]) for row in rows if "slices" in row)
    need = next((quantity(row["bytes"], BYTES) for row in rows if "bytes" in row), 0)
    init = next((ns(row["init_s"]) for row in rows if "init_s" in row), 0)
    kernel = Kernel(slices, [None] * len(names), [0] * len(names), [0] * len(names), init, {})
    for row in rows:
        if "+" in row["device"]:
            # "The row of a set … contains only time_s: the time of one launch with its copies."
            kernel.measured[sum(1 << names.index(n) for n in row["device"].split("+"))] = ns(row["time_s"])
        elif row["device"] in names:
            d = names.index(row["device"])
            kernel.copy_in[d] = copy_time(row, "copy_in", need, devices[d])
            kernel.copy_out[d] = copy_time(row, "copy_out", need, devices[d])
            # "A device with less memory than bytes never runs the kernel."
            if "memory" not in devices[d] or quantity(devices[d]["memory"], BYTES) >= need:
                kernel.speed[d] = slice_time(row, slices)
    kernel.can = sum(1 << d for d, speed in enumerate(kernel.speed) if speed is not None)
    kernel.measured = {mask: t for mask, t in kernel.measured.items() if mask & ~kernel.can == 0}
    return kernel


def slice_time(row, slices):
    # "A slice takes 1 / rate_slices_per_s, or time_s / slices, plus slice_overhead_s."
    rate, time = Fraction(row.get("rate_slices_per_s", "0")), quantity(row.get("time_s", "0"), SCALE)
    # "If both are missing or 0, the kernel cannot run on the device."
    if rate == 0 and time == 0:
        return None
    return ns((1 / rate if rate else time / slices) + quantity(row.get("slice_overhead_s", "0"), SCALE))


def copy_time(row, which, need, device):
    # "Copies take copy_in_s and copy_out_s, or bytes divided by the device's bandwidth, or no time."
    if which + "_s" in row:
        return ns(row[which + "_s"])
    return ns(need / quantity(device[which], BYTES)) if which in device else 0


def read_jobs(path, kernels):
    """The jobs of each run, in order."""
    runs = {}
    for number, row in enumerate(read_table(path)):
        runs.setdefault(row.get("run", "."), []).append(Job(number, row, kernels[row["app"], row["size"]]))
    return runs


# ---- the life of a job ----

class Job:
    def __init__(self, number, row, kernel):
        self.name, self.row, self.kernel = row["job"], number, kernel
        self.submit = ns(row.get("submit_s", "0"))
        self.init = ns(row["init_s"]) if "init_s" in row else kernel.init
        self.launches, self.priority = int(row.get("launches", 1)), int(row.get("priority", 0))
        self.state = "outside"  # waiting, init, on, leaving, out, between, ending, done
        self.assigned = self.holds = self.runs = self.going = self.had = 0
        self.begun, self.untaken = 1, kernel.slices  # launches that have begun; slices to take of the last of them
        self.running = self.taken = self.switches = 0
        self.checks, self.left_at = False, None
        self.start = self.end = None
        self.phase = {}  # device -> [what, until, since]
        # for the timeline, by device: [first start, last end] on this set; since when it drains; has had no work
        self.worked, self.drains, self.idle = {}, {}, {}

    def slices_left(self):
        return self.untaken + (self.launches - self.begun) * self.kernel.slices

    def all_are(self, mask, what):
        return all(self.phase[d][0] == what for d in members(mask))


class Node(Decisions):
    def __init__(self, devices, policy, release):
        self.devices = [(ns(device.get("open", "0")), ns(device.get("close", "0"))) for device in devices]
        self.policy, self.release = policy, release

    def add_row(self, job, d, since, state):
        if self.now > since:
            self.timeline.append((job.name, d, since, self.now, state))

    def set_phase(self, job, d, what, length):
        job.phase[d] = [what, None if length is None else self.now + length, self.now]

    def take(self, job):
        job.holds = job.runs = job.assigned
        job.had |= job.runs
        job.checks = False  # "So it runs at least one slice on each set."
        if job.state == "waiting":
            # "It takes them and initialises its host part for init_s"
            job.start, job.state = self.now, "init"
            for d in members(job.runs):
                self.set_phase(job, d, "init", job.init)
        else:
            job.state = "on"
            self.open(job, job.runs)

    def open(self, job, mask):
        # "Then it opens all its devices in parallel. Each device needs its open time, and then the time to copy the
        # input in."
        for d in members(mask):
            self.set_phase(job, d, "open", self.devices[d][0])

    def copy_out(self, job, mask):
        for d in members(mask):
            self.end_work(job, d)
            self.add_row(job, d, job.idle.pop(d), "held")
            self.set_phase(job, d, "out", job.kernel.copy_out[d])

    def end_phase(self, job, d):
        """What a device does has ended."""
        what, _, since = job.phase[d]
        if what == "slice":
            self.end_slice(job, d, since)
        else:
            states = {"init": "init", "open": "open", "in": "copy", "out": "copy", "close": "open"}
            self.add_row(job, d, since, states[what])
        if what == "init":
            job.state = "on"
            self.open(job, 1 << d)
        elif what == "open":
            self.set_phase(job, d, "in", job.kernel.copy_in[d])
        elif what == "out":
            self.set_phase(job, d, "close", self.devices[d][1])
        elif what == "close":
            self.set_phase(job, d, "closed", None)
        else:
            job.idle[d] = self.now if what == "in" else job.idle.get(d)
            self.set_phase(job, d, "ready", None)
            if job.going >> d & 1:
                # --release changed: "Each of the others finishes its slice or its opening, copies out, and is closed."
                self.copy_out(job, 1 << d)

    def end_slice(self, job, d, since):
        job.running -= 1
        self.learn(job, d, self.now - since)
        # "It checks when a slice ends on a device of the new set, not on one that it leaves."
        job.checks = job.checks or bool(job.runs >> d & 1)
        # "When all slices of a launch have ended, the next launch begins."
        if job.running == 0 and job.untaken == 0 and job.begun < job.launches:
            job.begun, job.untaken = job.begun + 1, job.kernel.slices
        if d in job.drains:
            self.add_row(job, d, job.drains.pop(d), "drain")
            job.idle[d] = self.now
        elif d in job.worked:
            job.worked[d][1] = self.now

    def end_work(self, job, d):
        """The row "run: Executing slices, from the first to the last one that began on this set of devices"."""
        if d not in job.worked:
            return
        first, last = job.worked.pop(d)
        if job.phase[d][0] == "slice":
            # "drain: Finishing a slice after the job was assigned other devices."
            leaves = job.state == "leaving" or not job.assigned >> d & 1
            last = self.now if leaves else job.phase[d][1]
            if leaves:
                job.drains[d] = self.now
        self.timeline.append((job.name, d, first, last, "run"))
        job.idle[d] = last

    def settle(self, job):
        """Whether anything follows for the whole job from what its devices have ended."""
        if job.state in ("on", "leaving") and job.running == 0 and job.all_are(job.runs, "ready"):
            # "After the last launch, and when all devices are ready, they copy the output out in parallel and are closed."
            # "It waits for running slices and for devices that are still opening. Then all devices copy out in parallel"
            if job.state == "leaving" or job.slices_left() == 0:
                job.state = "out" if job.state == "leaving" else "ending"
                self.copy_out(job, job.runs)
                return True
        if job.going and job.all_are(job.going, "closed"):
            # "They are released together, when the last one is closed."
            self.give_back(job, job.going)
            job.going = 0
            return True
        if job.state in ("out", "ending") and job.going == 0 and job.all_are(job.runs, "closed"):
            # "When the last one is closed, all are released."
            self.give_back(job, job.runs)
            if job.state == "ending":
                # "The job is complete when the last device is closed."
                job.end, job.assigned = self.now, 0
                self.jobs.remove(job)
            job.state, job.runs = "between" if job.state == "out" else "done", 0
            return True
        return False

    def give_back(self, job, mask):
        job.holds &= ~mask
        for d in members(mask):
            self.add_row(job, d, job.phase.pop(d)[2], "held")
        self.is_due = True

    def check(self, job):
        # "A job checks its assignment whenever a slice ends on one of its devices." "Until then the job does not check
        # its assignment again". "A job can leave a set only once per time."
        if job.state != "on" or not job.checks or job.left_at == self.now or job.going:
            return False
        # "If the assignment differs from its current set, and slices are left to take, the job starts no more slices."
        if job.assigned == job.runs or job.slices_left() == 0:
            return False
        job.left_at = self.now
        job.switches += 1
        if self.release == "all":
            job.state = "leaving"
        for d in members(job.runs):
            self.end_work(job, d)
        if self.release == "changed":
            # "devices in both the old and the new set continue with their slices. New devices begin to open immediately."
            new, job.going = job.assigned & ~job.runs, job.runs & ~job.assigned
            job.runs = job.assigned
            job.holds |= new
            job.had |= new
            self.open(job, new)
            self.copy_out(job, sum(1 << d for d in members(job.going) if job.phase[d][0] == "ready"))
        return True

    # ---- "Events at the same time" ----

    def ends(self):
        # "slices end, devices become ready, devices are released, jobs complete, jobs arrive"
        goes_on = True
        while goes_on:
            goes_on = False
            for job in list(self.jobs):
                for d in sorted(job.phase):
                    while job.phase[d][1] is not None and job.phase[d][1] <= self.now:
                        self.end_phase(job, d)
                        goes_on = True
                while self.settle(job):
                    goes_on = True
            # "A state contains at most 1 024 jobs; the others wait outside in order of arrival."
            while self.outside and self.outside[0].submit <= self.now and len(self.jobs) < 1024:
                self.jobs.append(self.outside.pop(0))
                self.jobs[-1].state = "waiting"
                self.is_due = goes_on = True

    def instant(self):
        for job in self.jobs:
            job.checks = False
        again = True
        while again:
            again = self.is_due = False
            self.ends()
            # "the policy decides once, if a device was released, or a job completed or arrived"
            if self.is_due:
                self.decide()
            # "jobs take assigned devices that are free, and jobs that ended a slice check their assignment"
            held = sum(job.holds for job in self.jobs)
            for job in self.jobs:
                if job.state in ("waiting", "between") and job.assigned and not job.assigned & held:
                    self.take(job)
                    again = True
                # "If a job releases its devices at once …, the first three steps are repeated before the fourth."
                again = self.check(job) or again
        # "devices take slices"
        for job in self.jobs:
            for d in members(job.runs) if job.state == "on" else []:
                if job.untaken and job.phase[d][0] == "ready":
                    self.take_slice(job, d)
        self.reserve()

    def take_slice(self, job, d):
        length = job.kernel.slice_time(job.runs, d)
        self.slices.append((job.name, d, self.now, self.now + length, job.taken))
        job.untaken, job.taken, job.running = job.untaken - 1, job.taken + 1, job.running + 1
        if d not in job.worked:
            self.add_row(job, d, job.idle[d], "held")
            job.worked[d] = [self.now, None]
        self.set_phase(job, d, "slice", length)

    def reserve(self):
        # "reserved: Free and assigned to the job, which cannot leave its old devices yet."
        held = sum(job.holds for job in self.jobs)
        now = {d: job for job in self.jobs for d in members(job.assigned & ~held)}
        for d, (job, since) in list(self.reserved.items()):
            if now.get(d) is not job:
                self.add_row(job, d, since, "reserved")
                del self.reserved[d]
        for d, job in now.items():
            self.reserved.setdefault(d, (job, self.now))

    def run(self, jobs):
        """Fills in start, end, had and switches of the jobs; one that no device can run stays outside."""
        self.slices, self.timeline, self.reserved, self.learnt, self.found = [], [], {}, {}, {}
        self.jobs, self.outside = [], [job for job in jobs if job.kernel.can]
        while self.jobs or self.outside:
            times = [until for job in self.jobs for _, until, _ in job.phase.values() if until is not None]
            if self.outside and len(self.jobs) < 1024:
                times.append(self.outside[0].submit)
            self.now = min(times)
            self.instant()


def main():
    devices_path, kernels_path, jobs_path, policy, release = sys.argv[1:]
    devices = read_devices(devices_path)
    for run, jobs in read_jobs(jobs_path, read_kernels(kernels_path, devices)).items():
        Node(devices, Policy(policy), release).run(jobs)
        for job in jobs:
            print(run, job.name, job.start, job.end, "+".join(devices[d]["name"] for d in members(job.had)), job.switches)


if __name__ == "__main__":
    main()
