"""Shards of one clash by Dask, and their merging.

    python shards_dask.py SCHEDULER 64 plant.bws clashes [options of boxwood clash]

Workers need boxwood on their path and see the store and the files of the shards by the same names. Run it again after a failure: shards
that are whole are not run again.
"""
import subprocess
import sys

from dask.distributed import Client, as_completed


def shard(i, n, store, out, options):
    part = f"{out}.part.{i}"
    command = ["boxwood", "clash", store, *options, "--threads", "1", "--shard", f"{i}/{n}", "-o", part, "--resume"]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        raise RuntimeError(done.stderr)
    return part


def main(scheduler, count, store, out, *options):
    client = Client(scheduler)
    n = int(count)
    futures = [client.submit(shard, i, n, store, out, options, retries=2) for i in range(1, n + 1)]
    parts = [future.result() for future in as_completed(futures)]
    sys.exit(subprocess.run(["boxwood", "merge", *parts, "-o", f"{out}.csv"]).returncode)


if __name__ == "__main__":
    main(*sys.argv[1:])
