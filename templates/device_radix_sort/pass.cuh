  // Sorts by one digit: takes a tile, ranks its items, finds where its digits begin in the array, writes them there.
  static __device__ __forceinline__ void run_pass(const Arguments& arguments, int pass, unsigned char* shared) {
    Control& control = control_of(arguments);
    const int ordinal = control.ordinals[pass];
    if (ordinal == 0) return;
    const int executed = control.executed;
    const bool is_first = ordinal == 1;
    const bool to_scratch = writes_scratch(arguments, ordinal, executed);
    PassStorage& storage = *reinterpret_cast<PassStorage*>(shared);
    const int bit = arguments.begin_bit + pass * kRadixBits;
    const int bit_count = digit_bits(arguments, pass);

    // Tiles are taken in order, so that those before this one are done or being worked on: waiting for them ends.
    if (threadIdx.x == 0) storage.tile = atomicAdd(&control.tickets[pass], 1u);
    clear_histograms(storage);
    __syncthreads();
    const unsigned int tile = storage.tile;
    const Count tile_start = static_cast<Count>(tile) * kTileItems;
    const unsigned int valid_items =
        arguments.n - tile_start < kTileItems ? static_cast<unsigned int>(arguments.n - tile_start) : kTileItems;

    Bits bits[kItemsPerThread];
    load_keys(bits, (is_first ? arguments.keys_in : to_scratch ? arguments.keys_out : arguments.keys_alternate) + tile_start,
              valid_items);

    PackedPositions<kItemsPerThread> positions;
    rank_in_warp(storage, bits, positions, bit, bit_count);
    __syncthreads();

    // The first kBins threads have a digit each.
    Count* const descriptors = reinterpret_cast<Count*>(arguments.workspace + sizeof(Control));
    unsigned int count = 0;
    unsigned int start = 0;
    if (threadIdx.x < kBins) {
#pragma unroll
      for (unsigned int warp = 0; warp < kWarps; ++warp) count += storage.rank.histograms[warp][threadIdx.x];
      publish_count(descriptors, tile, count, ordinal);
      start = inclusive_sum_in_warp(count, ~0u) - count;
      if (threadIdx.x % 32 == 31) storage.warp_totals[threadIdx.x / 32] = start + count;
    }
    __syncthreads();
    if (threadIdx.x < kBins) {
#pragma unroll
      for (unsigned int warp = 0; warp < kBins / 32; ++warp) {
        if (warp < threadIdx.x / 32) start += storage.warp_totals[warp];
      }
      unsigned int position = start;
#pragma unroll
      for (unsigned int warp = 0; warp < kWarps; ++warp) {
        const unsigned int items = storage.rank.histograms[warp][threadIdx.x];
        storage.rank.histograms[warp][threadIdx.x] = position;
        position += items;
      }
    }
    __syncthreads();
#pragma unroll
    for (int i = 0; i < kItemsPerThread; ++i) {
      positions.add(i, storage.rank.histograms[threadIdx.x / 32][digit_of(bits[i], bit, bit_count)]);
    }
    // The histograms have been read; their bytes become the tile's.
    __syncthreads();
#pragma unroll
    for (int i = 0; i < kItemsPerThread; ++i) storage.keys[positions.get(i)] = static_cast<StoredBits>(bits[i]);
{%- if reads_values %}

    Value values[kItemsPerThread];
    load_values(values, (is_first ? arguments.values_in : to_scratch ? arguments.values_out : arguments.values_alternate) + tile_start,
                valid_items);
{%- endif %}
{%- if makes_positions %}

    Value values[kItemsPerThread];
    if (is_first) {
#pragma unroll
      for (int i = 0; i < kItemsPerThread; ++i) values[i] = static_cast<Value>(tile_start + loaded_position(i));
    } else {
      load_values(values, (to_scratch ? arguments.values_out : arguments.values_alternate) + tile_start, valid_items);
    }
{%- endif %}

    if (threadIdx.x < kBins) {
      const Count before = sum_of_tiles_before(descriptors, tile, count, ordinal);
      storage.offsets[threadIdx.x] = control.bins[pass][threadIdx.x] + before - start;
    }
    __syncthreads();

    Key* const keys_out = to_scratch ? arguments.keys_alternate : arguments.keys_out;
    const bool writes_keys = arguments.writes_keys || ordinal < executed;
{%- if has_values %}
    // Four digits a register: where the values go, once the keys have left the shared memory.
    unsigned int digits[(kItemsPerThread + 3) / 4];
{%- endif %}
#pragma unroll
    for (int i = 0; i < kItemsPerThread; ++i) {
      const unsigned int position = i * kBlockThreads + threadIdx.x;
      const Bits ordered = storage.keys[position];
      const unsigned int digit = digit_of(ordered, bit, bit_count);
      if (writes_keys && position < valid_items) keys_out[storage.offsets[digit] + position] = to_key(ordered);
{%- if has_values %}
      digits[i / 4] = i % 4 ? digits[i / 4] | digit << (8 * (i % 4)) : digit;
{%- endif %}
    }
{%- if has_values %}
    __syncthreads();
#pragma unroll
    for (int i = 0; i < kItemsPerThread; ++i) storage.values[positions.get(i)] = values[i];
    __syncthreads();
    Value* const values_out = to_scratch ? arguments.values_alternate : arguments.values_out;
#pragma unroll
    for (int i = 0; i < kItemsPerThread; ++i) {
      const unsigned int position = i * kBlockThreads + threadIdx.x;
      const unsigned int digit = digits[i / 4] >> (8 * (i % 4)) & (kBins - 1);
      if (position < valid_items) values_out[storage.offsets[digit] + position] = storage.values[position];
    }
{%- endif %}
  }

 private:
{%- include "device_radix_sort/rank.cuh" %}

{% include "device_radix_sort/look_back.cuh" %}

 public:
