#!/usr/bin/env python3
"""PyTorch's sorts and top-k, as records that `cargo xtask report` shows beside the others.

    benches/peers/torch_rows.py [--out FOLDER] [--groups rows,topk,device] [--log2 N] [--repetitions N]

Writes FOLDER/<date>-<group>-torch.csv for each group. The format is that of benches/kit/src/record; cases and inputs are
those of benches/rows and benches/device. Before each timed call its input is copied once more and the stream is idle; the time
is that between two events around the call. Medians, with half the distance between the quartiles as the spread of times.
"""

import argparse
import datetime
import os
import subprocess
import sys

COLUMNS = (
    "group,types,input,n,threads,items,columns,k,order,method,radix_bits,library,milliseconds,gkeys,"
    "spread_percent,limit_percent,temp_bytes,registers,local_bytes,shared_bytes,mark"
).split(",")
OF_ROWS = ("columns", "k")

ROWS = [
    (1 << 22, 32), (1 << 20, 128), (1 << 17, 1024), (1 << 15, 4096), (1 << 13, 16384), (1 << 11, 65536),
    (512, 128256), (64, 128256),
]
TOPK = [
    (1, 128256, 50), (8, 128256, 50), (64, 128256, 50), (64, 128256, 1024), (512, 128256, 50), (1 << 17, 1024, 50),
    (1 << 20, 128, 50), (1 << 20, 128, 8), (1, 1 << 20, 50), (1, 1 << 20, 1024), (1, 1 << 24, 1024), (1, 1 << 27, 1024),
]
DEVICE = [1 << 12, 1 << 14, 1 << 16, 1 << 18, 1 << 20, 1 << 22, 1 << 24, 1 << 26, 1 << 28]

# From this number of keys on there are fewer repetitions; the bytes that copies are measured with.
LONG, LONG_REPETITIONS, WARM_UP, COPY_BYTES = 1 << 26, 7, 2, 1 << 28
UNSTEADY_PERCENT = 5.0


def quantile(times, share):
    position = share * (len(times) - 1)
    below = int(position)
    above = min(below + 1, len(times) - 1)
    return times[below] + (times[above] - times[below]) * (position - below)


def figure(number):
    """Five digits, without an exponent."""
    return f"{float(f'{number:.4e}'):.12f}".rstrip("0").rstrip(".")


class Bench:
    def __init__(self, torch, repetitions):
        self.torch, self.repetitions = torch, repetitions
        source = torch.empty(COPY_BYTES, dtype=torch.uint8, device="cuda")
        target = torch.empty_like(source)
        times = self.times(lambda: None, lambda: target.copy_(source), LONG_REPETITIONS)
        self.copy = 2 * COPY_BYTES / (quantile(times, 0.5) / 1e3)

    def times(self, restore, call, repetitions):
        cuda, milliseconds = self.torch.cuda, []
        for repetition in range(repetitions + WARM_UP):
            restore()
            cuda.synchronize()
            start, end = cuda.Event(enable_timing=True), cuda.Event(enable_timing=True)
            start.record()
            call()
            end.record()
            cuda.synchronize()
            if repetition >= WARM_UP:
                milliseconds.append(start.elapsed_time(end))
        return sorted(milliseconds)

    def input(self, *shape):
        """Multiples of 1/4096 between -2048 and 2048."""
        torch = self.torch
        numbers = torch.randint(-(1 << 23), 1 << 23, shape, device="cuda", dtype=torch.int32)
        return numbers.to(torch.float32) / 4096

    def row(self, group, rows, columns, k):
        torch = self.torch
        n = rows * columns
        # As the records have them: arrays of one dimension, and rows.
        source = self.input(columns) if group == "device" else self.input(rows, columns)
        work = torch.empty_like(source)
        if group == "topk":
            call, method, order = (lambda: torch.topk(work, k, dim=-1)), "ordered", "desc"
        else:
            call, method, order = (lambda: torch.sort(work, dim=-1)), "positions", "asc"
        torch.manual_seed(1)
        repetitions = LONG_REPETITIONS if n >= LONG else self.repetitions
        times = self.times(lambda: work.copy_(source), call, repetitions)
        median = quantile(times, 0.5)
        spread_percent = 100 * (quantile(times, 0.75) - quantile(times, 0.25)) / 2 / median
        # Keys of 4 bytes are read; keys, or for device-wide sorts positions alone, are written: as the other rows count it.
        written = n * 4 if group == "device" else (rows * k if k else n) * 8
        limit = 100 * (n * 4 + written) / self.copy / (median / 1e3)
        spread_percent = figure(spread_percent)
        fields = {
            "group": group, "types": "f32_index", "input": "random", "n": n, "order": order, "method": method,
            "library": "torch", "milliseconds": figure(median), "gkeys": figure(n / median / 1e6),
            "spread_percent": spread_percent, "limit_percent": figure(limit),
            "mark": "unsteady" if float(spread_percent) > UNSTEADY_PERCENT else "",
        }
        if group != "device":
            fields.update(columns=columns, k=k or "")
        return fields


def answer(*command):
    try:
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return ""


def head(torch, bench, version):
    major, minor = torch.cuda.get_device_capability()
    smi = answer("nvidia-smi", "--query-gpu=driver_version,clocks.sm,clocks.mem", "--format=csv,noheader,nounits")
    facts = [fact.strip() for fact in (smi.splitlines() or [""])[0].split(",")] + ["", "", ""]
    commit = os.environ.get("SORTSMITH_COMMIT", "")
    return [
        ("record", version), ("gpu", torch.cuda.get_device_name()), ("arch", f"sm_{major}{minor}"),
        ("driver", facts[0] if "." in facts[0] else ""), ("compiler", f"PyTorch {torch.__version__}"), ("cub", ""),
        ("commit", commit), ("date", datetime.datetime.now(datetime.timezone.utc).date().isoformat()),
        ("sm_clock_mhz", facts[1] if facts[1].isdigit() else ""),
        ("memory_clock_mhz", facts[2] if facts[2].isdigit() else ""),
        ("copy_gbytes_per_second", figure(bench.copy / 1e9)),
    ]


def write(folder, group, torch, bench, rows):
    # All are warm, as whatever a record without the column `cache` says is.
    version = 1 if group == "device" else 2
    columns = [column for column in COLUMNS if version == 2 or column not in OF_ROWS]
    lines = [f"# {key}: {value}".rstrip() for key, value in head(torch, bench, version)]
    lines.append(",".join(columns))
    lines += [",".join(str(row.get(column, "")) for column in columns) for row in rows]
    date = next(line.split()[-1] for line in lines if line.startswith("# date:"))
    os.makedirs(folder, exist_ok=True)
    path = os.path.join(folder, f"{date}-{group}-torch.csv")
    with open(path, "w", encoding="utf-8") as file:
        file.write("\n".join(lines) + "\n")
    print(f"rows: {path}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", default=os.environ.get("SORTSMITH_OUT", "bench-out"))
    parser.add_argument("--groups", default="rows,topk,device")
    parser.add_argument("--log2", type=int, default=27, help="the logarithm of the most keys")
    parser.add_argument("--repetitions", type=int, default=25)
    arguments = parser.parse_args()
    cases = {
        "rows": [(rows, columns, None) for rows, columns in ROWS], "topk": TOPK,
        "device": [(1, n, None) for n in DEVICE],
    }
    groups = arguments.groups.split(",")
    for group in groups:
        if group not in cases:
            sys.exit(f"--groups is `{group}`; legal: {', '.join(cases)}")
    try:
        import torch
    except ImportError as error:
        sys.exit(f"left out: no PyTorch: {error}")
    if not torch.cuda.is_available():
        sys.exit("left out: PyTorch finds no GPU")
    bench = Bench(torch, arguments.repetitions)
    for group in groups:
        rows = []
        for rows_of, columns, k in cases[group]:
            if rows_of * columns <= 1 << arguments.log2:
                rows.append(bench.row(group, rows_of, columns, k))
                print(f"{group} {rows_of} x {columns}{f', top {k}' if k else ''}: {rows[-1]['milliseconds']} ms")
        write(arguments.out, group, torch, bench, rows)


if __name__ == "__main__":
    main()
