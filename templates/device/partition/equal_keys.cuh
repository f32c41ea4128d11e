 private:
  // What a block that moves chunks of equal keys keeps in shared memory.
  struct EqualStorage {
    unsigned int differences[kTileItems];
    unsigned int marks[kTileItems / 32];
    typename WarpScans<kBlockThreads>::Storage sums;
  };
  static_assert(sizeof(EqualStorage) == kEqualSharedBytes, "the storage is laid out as planned");

 public:
  // Moves chunks of buckets of equal keys, until there are no more: keys too, which may be equal and have other bits.
  static __device__ __forceinline__ void move_equal_keys(const Arguments& arguments, unsigned char* shared) {
    EqualStorage& storage = *reinterpret_cast<EqualStorage*>(shared);
    wait_for_previous_grid();
    let_next_grid_start();
    const Scratch scratch(arguments);
    const PieceMap map{storage.marks, storage.differences};
    const unsigned int chunks = scratch.counts().chunks[kEqualList];
#pragma unroll 1
    for (unsigned int number = blockIdx.x; number < chunks; number += gridDim.x) {
      const Chunk chunk = scratch.chunks(kEqualList)[number];
      mark_pieces<kBlockThreads>(arguments, scratch, chunk, map, storage.sums);
      map.template for_each<kItemsPerThread>(
          opaque(warp_of(threadIdx.x) * kItemsPerThread), chunk.size, [&](int, unsigned int position, unsigned int source) {
            if (arguments.writes_keys) arguments.keys_out[chunk.begin + position] = arguments.keys_alternate[source];  //~ key-of-equal-ones
{%- if value.exists %}
            arguments.values_out[chunk.begin + position] = arguments.values_alternate[source];
{%- endif %}
          });
      __syncthreads();
    }
  }
