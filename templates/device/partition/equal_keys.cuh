 private:
  // What a block that moves chunks of equal keys keeps in shared memory.
  struct EqualStorage {
    unsigned int differences[kTileItems];
    unsigned int marks[kTileItems / MarkSlot::kRowPositions];
    typename WarpScans<kBlockThreads>::Storage sums;
  };
  static_assert(sizeof(EqualStorage) == kEqualSharedBytes, "the storage is laid out as planned");

 public:
  // Writes chunks of buckets of equal keys, until there are no more. Keys are gathered with their values, also where they are equal and have
  // other bits; else there is one to write.
  static __device__ __forceinline__ void move_equal_keys(const Arguments& arguments, unsigned char* shared) {
    EqualStorage& storage = *reinterpret_cast<EqualStorage*>(shared);
    wait_for_previous_grid();
    let_next_grid_start();
    const Scratch scratch(arguments);
    const unsigned int chunks = scratch.counts().chunks[kEqualList];
#pragma unroll 1
    for (unsigned int number = blockIdx.x; number < chunks; number += gridDim.x) {
      const Chunk chunk = scratch.chunks(kEqualList)[number];
      if constexpr (kEqualItemsDiffer) {
        move_chunk(arguments, scratch, storage, chunk);
      } else {
        const Bits compared = chunk.bucket == kAllOfParent ? scratch.parents().minima[chunk.parent]
                                                        : range_of_bucket(arguments, scratch, chunk.parent, chunk.bucket).min;
        for (unsigned int item = threadIdx.x; item < chunk.size; item += kBlockThreads) arguments.keys_out[chunk.begin + item] = to_key(compared);
      }
    }
  }

 private:
  static __device__ __forceinline__ void move_chunk(const Arguments& arguments, const Scratch& scratch, EqualStorage& storage, const Chunk& chunk) {
    const PieceMap map{storage.marks, storage.differences};
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
