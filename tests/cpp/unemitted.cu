// Asks for a sort that has not been emitted: must not compile, and say which command is missing.
#include "block_radix_sort.cuh"

__global__ void wants_more(unsigned int* keys) {
  using Sort = sortsmith::BlockRadixSort<unsigned int, 96, 5>;
  __shared__ Sort::TempStorage storage;
  unsigned int items[5] = {keys[0], keys[1], keys[2], keys[3], keys[4]};
  Sort(storage).Sort(items);
  keys[threadIdx.x] = items[0];
}
