// Which CUB this library was built with, as CUB's own number: 300200 is 3.2.0.
#include <cub/version.cuh>

extern "C" __attribute__((visibility("default"))) int sortsmith_peer_cub_version() { return CUB_VERSION; }
