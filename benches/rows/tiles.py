#!/usr/bin/env python3
"""Times the rows kernels of tile sorts by CuPy, each in rows of as many items as its tile has: the record of `sortsmith_codegen::rows::ROW_RECORDS`.

    tiles.py FOLDER > benches/record/GPU/row-tiles/DATE.csv

FOLDER has NAME.cuh of `sortsmith emit --rows-kernel`, and NAME.cubin of the same, for specs of the types below. A figure is that of the
fastest of nine launches between two events, over random keys; the first and the last rows are compared with NumPy's sort.
"""

import datetime
import pathlib
import re
import sys

import cupy
import numpy

ITEMS = 1 << 26
NAME = re.compile(r"(warp|block)_(bitonic|merge)_sort_(\w+?)_(?:w|b)(\d+)_i(\d+)_asc(?:_stable)?")
# The types of a name: those of a record, the keys, and whether there are values of 4 bytes.
TYPES = {
    "u32_keys": ("u32_keys", numpy.uint32, False),
    "f16_keys": ("f16_keys", numpy.float16, False),
    "u64_keys": ("u64_keys", numpy.uint64, False),
    "f32_u32": ("f32_u32", numpy.float32, True),
    "u64_u32": ("u64_u32", numpy.uint64, True),
}
METHODS = {("warp", "bitonic"): "warp", ("block", "bitonic"): "stable bitonic", ("block", "merge"): "merge"}
COLUMNS = (
    "group,types,input,n,threads,items,order,method,radix_bits,library,milliseconds,gkeys,spread_percent,"
    "limit_percent,temp_bytes,registers,local_bytes,shared_bytes,mark"
)


def random_keys(key, n):
    if key in (numpy.float16, numpy.float32):
        return cupy.random.random(n, dtype=numpy.float32).astype(key)
    bits = cupy.random.randint(0, 1 << 32, n * key().nbytes // 4, dtype=cupy.uint32)
    return bits.view(key)


def milliseconds(launch):
    launch()
    times = []
    for _ in range(9):
        begin, end = cupy.cuda.Event(), cupy.cuda.Event()
        begin.record()
        launch()
        end.record()
        end.synchronize()
        times.append(cupy.cuda.get_elapsed_time(begin, end))
    return min(times)


def measure(header, match):
    scope, method, name, threads, items = match.groups()
    types, key, has_values = TYPES[name]
    threads, items = int(threads), int(items)
    columns = threads * items
    rows = ITEMS * 4 // key().nbytes // columns
    n = rows * columns
    kernel = cupy.RawModule(path=str(header.with_suffix(".cubin"))).get_function(f"{header.stem}_rows")
    shared = 0
    if scope == "block":
        shared = int(re.search(r"kSharedBytes = (\d+)", header.read_text())[1])
        kernel.max_dynamic_shared_size_bytes = max(shared, kernel.max_dynamic_shared_size_bytes)
    keys = random_keys(key, n)
    arrays = [keys, cupy.empty_like(keys)]
    if has_values:
        arrays += [cupy.arange(n, dtype=cupy.uint32), cupy.empty(n, cupy.uint32)]
    rows_of_block, block = (128 // threads, 128) if scope == "warp" else (1, threads)
    grid = -(-rows // rows_of_block)
    arguments = (*arrays, numpy.uint64(rows), numpy.uint32(columns), numpy.uint64(columns))
    time = milliseconds(lambda: kernel((grid,), (block,), arguments, shared_mem=shared))
    for part in (slice(0, columns), slice(n - columns, n)):
        assert (arrays[1][part].get() == numpy.sort(keys[part].get())).all(), header.stem
    gkeys = n / time / 1e6
    print(f"tiles,{types},random,{n},{threads},{items},asc,{METHODS[scope, method]},,sortsmith,{time:.5g},{gkeys:.4g},,,,,,,")


def main():
    properties = cupy.cuda.runtime.getDeviceProperties(0)
    print("# record: 1")
    print(f"# gpu: {properties['name'].decode()}")
    print(f"# arch: sm_{properties['major']}{properties['minor']}")
    print("# driver:\n# compiler:\n# cub:\n# commit:")  # to be filled in
    print(f"# date: {datetime.datetime.now(datetime.timezone.utc).date()}")
    print("# sm_clock_mhz:\n# memory_clock_mhz:\n# copy_gbytes_per_second:")
    print(COLUMNS)
    for header in sorted(pathlib.Path(sys.argv[1]).glob("*.cuh")):
        match = NAME.fullmatch(header.stem)
        if match and match[3] in TYPES:
            measure(header, match)


if __name__ == "__main__":
    main()
