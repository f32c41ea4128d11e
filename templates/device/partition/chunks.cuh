 private:
  // A size of blocks that sort chunks of at most kThreads * kRows items.
  template <unsigned int kNumber, int kThreads, int kRows>
  struct ChunkClass {
    static constexpr unsigned int kFinishList = kNumber;
    static constexpr unsigned int kMergeList = kClasses + kNumber;
    static constexpr int kBlock = kThreads;
    static constexpr int kRowsOfThread = kRows;
    static constexpr unsigned int kItems = kThreads * kRows;

    // What a block keeps in shared memory: items by their positions in the chunk.
    struct Storage {
      StoredBits keys[kItems];
      union {
        unsigned int differences[kItems];
        // Items of each sub-bucket, then its first offset.
        __align__(16) unsigned int counters[kItems];
        // At each offset what register windows compare.
        __align__(16) unsigned int composite_keys[kItems];
        unsigned short positions[kItems];
      };
{%- if value.exists %}
      Value values[kItems];
{%- endif %}
      // Of pieces, then of offsets with an item that ties with the next one.
      unsigned int marks[kItems / MarkSlot::kRowPositions];
      typename WarpScans<kThreads>::Storage sums;
      // Items of the largest sub-bucket, if it is no small one.
      unsigned int max_count;
    };

    static __device__ __forceinline__ Key key_at(const Storage& storage, unsigned int position) {
      return bits_as<Key>(storage.keys[key_slot(position)]);
    }
  };

  // Begins to copy a chunk's items to shared memory, by their positions. A thread may read what it has copied after
  // wait_for_copies. All threads of the block call it, with a barrier since marks were read.
  template <typename Class>
  static __device__ __forceinline__ void gather(const Arguments& arguments, const Scratch& scratch, const Chunk& chunk,
                                                typename Class::Storage& storage) {
    const PieceMap map{storage.marks, storage.differences};
    mark_pieces<Class::kBlock>(arguments, scratch, chunk, map, storage.sums);
    map.template for_each<Class::kRowsOfThread>(
        opaque(warp_of(threadIdx.x) * Class::kRowsOfThread), chunk.size, [&](int, unsigned int position, unsigned int source) {
          copy_async(&storage.keys[key_slot(position)], reinterpret_cast<const StoredBits*>(arguments.keys_alternate) + source);
{%- if value.exists %}
          copy_async(&storage.values[position], arguments.values_alternate + source);
{%- endif %}
        });
  }

{% for class in classes %}
  using {{ class.title }}Class = ChunkClass<{{ loop.index0 }}, {{ class.threads }}, {{ class.rows }}>;
  static_assert(sizeof({{ class.title }}Class::Storage) == k{{ class.title }}SharedBytes, "the storage is laid out as planned");
{%- endfor %}
