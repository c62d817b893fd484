"""The contact timeline as an iterator."""

from __future__ import annotations

import contextlib
import queue
import threading
from collections.abc import Generator, Iterable
from typing import Literal

from boxwood._core import ContactEvent, Motion, Pool, timeline

__all__ = ["timeline_events"]

AHEAD = 256  # events that wait to be taken, at most: then the search waits, too


def timeline_events(
    motions: Iterable[Motion],
    *,
    mode: Literal["objects", "triangles", "first"] = "objects",
    self_contacts: bool = False,
    begin: float | None = None,
    end: float | None = None,
    pool: Pool | None = None,
) -> Generator[ContactEvent, None, None]:
    """The events of ``timeline``, each as soon as it is found: what comes later is still being looked for.

    A thread looks ahead by some hundred events. Leaving the loop, or ``close()``, ends the search. The arrays of the motions are
    read until then.

    >>> import boxwood as bw
    >>> cube = bw.samples.cube()
    >>> a = bw.Motion(cube, [0, 1], [cube.vertices, cube.vertices])
    >>> b = bw.Motion(cube, [0, 1], [cube.vertices - [4, 0, 0], cube.vertices + [4, 0, 0]])
    >>> for event in bw.timeline_events([a, b]):
    ...     print(round(event.time, 3), event.begins)
    0.375 True
    0.625 False
    """
    found: queue.Queue[ContactEvent | BaseException | None] = queue.Queue(AHEAD)
    over = threading.Event()
    held = list(motions)

    def tell(item: ContactEvent | BaseException | None) -> bool:
        while not over.is_set():
            with contextlib.suppress(queue.Full):
                found.put(item, timeout=0.05)
                return True
        return False

    def go_on(done: object, total: object) -> bool:
        return not over.is_set()

    def search() -> None:
        last: BaseException | None = None
        try:
            timeline(
                held, mode=mode, self_contacts=self_contacts, begin=begin, end=end, pool=pool, progress=go_on, visit=tell
            )
        except BaseException as error:  # raised where the events are taken
            last = error
        tell(last)

    thread = threading.Thread(target=search, name="boxwood.timeline_events", daemon=True)
    thread.start()
    try:
        while (item := found.get()) is not None:
            if isinstance(item, BaseException):
                raise item
            yield item
    finally:
        over.set()
        thread.join()
