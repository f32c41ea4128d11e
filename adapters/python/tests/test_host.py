"""Threads, lifetimes and the rest of the module on the host."""

import gc
import os
import sys
import threading
import weakref

import numpy as np
import pytest
from conftest import same

import sortsmith


def test_other_threads_run_while_one_sorts():
    keys = np.random.default_rng(1).integers(0, 1 << 60, 4_000_000)
    counted, stop = [0], threading.Event()

    def count():
        while not stop.is_set():
            counted[0] += 1

    thread = threading.Thread(target=count)
    thread.start()
    interval = sys.getswitchinterval()
    sys.setswitchinterval(0.5)  # the thread runs only where the sort lets it, and then for half a second
    try:
        before = counted[0]
        sortsmith.argsort(keys)
        ran = counted[0] - before
    finally:
        sys.setswitchinterval(interval)
        stop.set()
        thread.join()
    assert ran > 0


def test_threads_sort_arrays_of_their_own():
    failures = []

    def work(seed):
        rng = np.random.default_rng(seed)
        for _ in range(20):
            keys = rng.random(20_000, np.float32)
            if not same(sortsmith.sort(keys.copy()), np.sort(keys)):
                failures.append(seed)

    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures


def test_owners_are_let_go():
    keys = np.ones(1000)
    references = sys.getrefcount(keys)
    for _ in range(100):
        sortsmith.sort(keys)
        sortsmith.topk(keys, 3)
        with pytest.raises(TypeError):
            sortsmith.sort(keys, out=[])
    gc.collect()
    assert sys.getrefcount(keys) == references

    class Watched(np.ndarray):
        pass

    watched = np.ones(10).view(Watched)
    reference = weakref.ref(watched)
    sortsmith.sort(watched)
    del watched
    gc.collect()
    assert reference() is None


def test_a_forked_process_sorts():
    keys = np.random.default_rng(2).integers(0, 1000, 300_000)
    expected = np.sort(keys)
    sortsmith.sort(keys.copy())  # the threads are there
    child = os.fork()
    if child == 0:
        os._exit(0 if same(sortsmith.sort(keys), expected) else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


def test_subclasses_and_empty_arrays():
    keys = np.ma.array([3, 1, 2], mask=[0, 1, 0])
    sortsmith.sort(keys)
    assert list(keys.data) == [1, 2, 3]
    assert sortsmith.argsort(np.zeros(0)).shape == (0,)
    assert sortsmith.argsort_rows(np.zeros((3, 0))).shape == (3, 0)
    assert sortsmith.topk(np.zeros((0, 5)), 2)[0].shape == (0, 2)
    assert sortsmith.topk(np.zeros((4, 5)), 0)[1].shape == (4, 0)


class Exported:
    """An array that says what it is by DLPack alone, as those of other libraries do."""

    def __init__(self, array, **members):
        self.array, self.members = array, members

    def __dlpack_device__(self):
        return self.members.get("device", self.array.__dlpack_device__())

    def __dlpack__(self, **arguments):
        if self.members.get("is_old") and "max_version" in arguments:
            raise TypeError("unexpected keyword argument 'max_version'")
        return self.array.__dlpack__(**arguments)


def test_arrays_by_dlpack():
    keys = np.array([[3.0, 1.0, 2.0], [6.0, 5.0, 4.0]], np.float32)
    positions = np.empty(keys.shape, np.uint32)
    sortsmith.argsort_rows(Exported(keys), out=Exported(positions))
    assert positions.tolist() == [[1, 2, 0], [2, 1, 0]]
    sortsmith.sort_rows(Exported(keys[:, :2]))
    assert keys.tolist() == [[1.0, 3.0, 2.0], [5.0, 6.0, 4.0]]
    read_only = keys.copy()
    read_only.flags.writeable = False
    with pytest.raises((ValueError, BufferError), match="read-?only"):
        sortsmith.sort_rows(Exported(read_only))
    # An old export does not say whether it may be written.
    with pytest.raises(ValueError, match="keys is read-only"):
        sortsmith.sort_rows(Exported(keys, is_old=True))
    sortsmith.argsort_rows(Exported(keys, is_old=True), out=positions)
    with pytest.raises(TypeError, match="DLPack's type 7"):
        sortsmith.sort(Exported(keys, device=(7, 0)))


def test_a_device_that_is_not_there_is_an_error():
    keys = np.arange(3)
    class OnDevice:
        __cuda_array_interface__ = {
            "shape": (2,),
            "typestr": "<i4",
            "data": (256, False),
            "version": 3,
        }
        device = type("Device", (), {"id": 99})

    with pytest.raises(sortsmith.Error, match="driver|device 99"):
        sortsmith.sort(OnDevice())
    with pytest.raises(ValueError, match="out is on CUDA device 99; legal: on the host, where keys is"):
        sortsmith.sort(keys, out=OnDevice())


def test_headers():
    name = "block_radix_sort_f32_u32_b256_i16_r6_desc"
    header = sortsmith.header(name)
    assert f"struct {name}" in header and "#include" not in header
    assert f"{name}_tile(" in sortsmith.header(name, tile_kernel=True)
    assert "warp_bitonic_sort" in sortsmith.header("warp_bitonic_sort_f32_u32_w32_i1_asc")


def test_kernels_are_compiled_where_there_is_a_compiler():
    try:
        cubin = sortsmith.compile("block_radix_sort_f32_keys_b128_i8_r4_asc", 90)
    except sortsmith.Error as error:
        pytest.skip(f"no compiler: {error}")
    assert cubin.startswith(b"\x7fELF")
    with pytest.raises(ValueError, match="^arch: "):
        sortsmith.compile("block_radix_sort_f32_keys_b128_i8_r4_asc", 12)


def test_release_without_a_device():
    sortsmith.release()
