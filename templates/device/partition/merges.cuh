 public:
{%- for class in classes %}
  static __device__ __forceinline__ void merge_{{ class.name }}_chunks(const Arguments& arguments, unsigned char* shared) {
    merge_chunks<{{ class.title }}Class>(arguments, shared);
  }
{%- endfor %}

 private:
  // Sorts the chunks of a class that are not sorted by sub-buckets: each thread merges as many items as its rows, or more.
  template <typename Class>
  static __device__ __forceinline__ void merge_chunks(const Arguments& arguments, unsigned char* shared) {
    typename Class::Storage& storage = *reinterpret_cast<typename Class::Storage*>(shared);
    wait_for_previous_grid();
    let_next_grid_start();
    const Scratch scratch(arguments);
    const unsigned int chunks = scratch.counts().chunks[Class::kMergeList];
#pragma unroll 1
    for (unsigned int number = blockIdx.x; number < chunks; number += gridDim.x) {  //~ merged-chunks-of-block
      const Chunk chunk = scratch.chunks(Class::kMergeList)[number];
      gather<Class>(arguments, scratch, chunk, storage);
      wait_for_copies();
      __syncthreads();
      const auto key_at = [&](unsigned int position) { return Class::key_at(storage, position); };
      sort_positions(storage.positions, chunk.size, [&](unsigned int position) { return compared_of(key_at(position)); });
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
