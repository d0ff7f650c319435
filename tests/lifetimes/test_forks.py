"""Children of a fork: they compile, whatever other threads of the parent did at that moment."""

from __future__ import annotations

import subprocess
import sys
import threading

from hangs import HANG
from tilewright import forks

PROGRAM = """
import os, signal, sys, threading, time
import numpy as np
import tilewright
from tilewright import te

def product(factor):
    n = 32
    a, b = te.placeholder((n, n), name="A"), te.placeholder((n, n), name="B")
    k = te.reduce_axis((0, n), "k")
    c = te.compute((n, n), lambda i, j: te.sum(a[i, k] * b[k, j] * factor, axis=k), name="C")
    x = np.eye(n, dtype=np.float32)
    found = tilewright.build([a, b, c], [a, b, c], threads=1)(x, x)
    assert np.array_equal(found, x * np.float32(factor))

product(1.0)
done = False

def work(start):
    while not done:
        start += 1
        product(float(start))

threads = [threading.Thread(target=work, args=(1000 * n,), daemon=True) for n in (1, 2)]
for thread in threads:
    thread.start()
for number in range(6):
    child = os.fork()
    if not child:
        signal.alarm(int(sys.argv[1]))  # a child that hangs dies
        product(0.5 + number)
        os._exit(0)
    assert os.waitpid(child, 0)[1] == 0, number
done = True
for thread in threads:
    thread.join()
print("all children compiled")
"""


def test_a_child_compiles_while_threads_of_its_parent_do() -> None:
    run = subprocess.run([sys.executable, "-c", PROGRAM, str(HANG)], capture_output=True, text=True, env=None)
    assert run.returncode == 0, run.stderr
    assert run.stdout == "all children compiled\n"


def test_a_fork_waits_for_work_and_new_work_for_the_fork() -> None:
    gate = forks._Gate()
    entered, leave, order = threading.Event(), threading.Event(), list[str]()

    def work() -> None:
        gate.enter()
        entered.set()
        leave.wait(HANG)
        order.append("work")
        gate.leave()

    def late() -> None:
        gate.enter()
        order.append("late")
        gate.leave()

    def fork() -> None:
        gate.close()
        order.append("fork")
        gate.reopen()

    threads = [threading.Thread(target=task) for task in (work, fork, late)]
    threads[0].start()
    assert entered.wait(HANG)
    threads[1].start()
    while not gate._forks:
        pass
    assert not gate.enter(blocking=False)
    threads[2].start()
    leave.set()
    for thread in threads:
        thread.join(HANG)
    assert order[:2] == ["work", "fork"] and sorted(order) == ["fork", "late", "work"]
    assert gate.enter(blocking=False)
    gate.close()  # by a thread that is inside itself
    gate.reopen()
    gate.leave()
