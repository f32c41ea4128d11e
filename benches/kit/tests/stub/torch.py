"""As much of PyTorch as benches/peers/torch_rows.py uses, without a GPU: every call takes a millisecond and does nothing."""

__version__ = "0.0-stub"
uint8 = int32 = float32 = None


class Tensor:
    def copy_(self, _source):
        return self

    def to(self, _type):
        return self

    def __truediv__(self, _number):
        return self


def empty(*_shape, **_options):
    return Tensor()


def empty_like(_tensor):
    return Tensor()


def randint(*_arguments, **_options):
    return Tensor()


def manual_seed(_seed):
    pass


def sort(_tensor, dim):
    assert dim == -1


def topk(_tensor, k, dim):
    assert k > 0 and dim == -1


class cuda:
    class Event:
        def __init__(self, enable_timing):
            assert enable_timing

        def record(self):
            pass

        def elapsed_time(self, _end):
            return 1.0

    @staticmethod
    def is_available():
        return True

    @staticmethod
    def synchronize():
        pass

    @staticmethod
    def get_device_capability():
        return (9, 0)

    @staticmethod
    def get_device_name():
        return "NVIDIA STUB"
