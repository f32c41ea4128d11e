 private:
  // A size of blocks that sort chunks of at most kThreads * kRows items.
  template <unsigned int kNumber, int kThreads, int kRows>
  struct ChunkClass {
    static constexpr unsigned int kList = kNumber;
    static constexpr int kBlock = kThreads;
    static constexpr int kRowsOfThread = kRows;
    static constexpr unsigned int kItems = kThreads * kRows;

    // What a block keeps in shared memory: items by their positions in the chunk.
    struct Storage {
      StoredBits keys[kItems];
      union {
        unsigned int differences[kItems];
        unsigned short positions[kItems];
      };
{%- if value.exists %}
      Value values[kItems];
{%- endif %}
      unsigned int marks[kItems / 32];
      typename WarpScans<kThreads>::Storage sums;
    };
  };

  // Sorts chunks until there are no more: each thread merges as many items as its rows, or more.
  template <typename Class>
  static __device__ __forceinline__ void sort_chunks(const Arguments& arguments, unsigned char* shared) {
    using Storage = typename Class::Storage;
    Storage& storage = *reinterpret_cast<Storage*>(shared);
    wait_for_previous_grid();
    let_next_grid_start();
    const Scratch scratch(arguments);
    const PieceMap map{storage.marks, storage.differences};
    const unsigned int chunks = scratch.counts().chunks[Class::kList];
#pragma unroll 1
    for (unsigned int number = blockIdx.x; number < chunks; number += gridDim.x) {  //~ chunks-of-block
      const Chunk chunk = scratch.chunks(Class::kList)[number];
      mark_pieces<Class::kBlock>(arguments, scratch, chunk, map, storage.sums);
      map.template for_each<Class::kRowsOfThread>(
          opaque(warp_of(threadIdx.x) * Class::kRowsOfThread), chunk.size, [&](int, unsigned int position, unsigned int source) {
            copy_async(&storage.keys[key_slot(position)], reinterpret_cast<const StoredBits*>(arguments.keys_alternate) + source);
{%- if value.exists %}
            copy_async(&storage.values[position], arguments.values_alternate + source);
{%- endif %}
          });
      wait_for_copies();
      __syncthreads();
      const auto key_at = [&](unsigned int position) { return bits_as<Key>(storage.keys[key_slot(position)]); };
      sort_positions(storage.positions, chunk.size, [&](unsigned int position) { return order_of(key_at(position)); });
      // What is left of an oversized bucket goes by its keys.
      const bool writes_keys = arguments.writes_keys || Class::kItems == kMaxChunkItems;  //~ keys-of-chunk
      for (unsigned int offset = threadIdx.x; offset < chunk.size; offset += Class::kBlock) {
        const unsigned int position = storage.positions[position_slot(offset)];
        if (writes_keys) arguments.keys_out[chunk.begin + offset] = key_at(position);
{%- if value.exists %}
        arguments.values_out[chunk.begin + offset] = storage.values[position];
{%- endif %}
      }
      // Positions are overwritten behind the next barrier of mark_pieces.
    }
  }
{% for class in classes %}
  using {{ class.title }}Class = ChunkClass<{{ loop.index0 }}, {{ class.threads }}, {{ class.rows }}>;
  static_assert(sizeof({{ class.title }}Class::Storage) == k{{ class.title }}SharedBytes, "the storage is laid out as planned");
{%- endfor %}

  // What a block that moves chunks of equal keys keeps in shared memory.
  struct EqualStorage {
    unsigned int differences[kTileItems];
    unsigned int marks[kTileItems / 32];
    typename WarpScans<kBlockThreads>::Storage sums;
  };
  static_assert(sizeof(EqualStorage) == kEqualSharedBytes, "the storage is laid out as planned");

 public:
{%- for class in classes %}
  static __device__ __forceinline__ void sort_{{ class.name }}_chunks(const Arguments& arguments, unsigned char* shared) {
    sort_chunks<{{ class.title }}Class>(arguments, shared);
  }
{%- endfor %}

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
