 public:
  // Merges runs of kTileItems * 2^round items of long segments. Each block makes tiles of merged runs.
  static __device__ __forceinline__ void merge_runs(const Arguments& arguments, TempStorage& storage, int round) {
    wait_for_previous_grid();  //~ grid-before-merges
    // Rounds that no segment takes are launched too.
    if (round >= rounds_of(*longest_of(arguments))) return;  //~ last-round
    const TileList list = list_of(arguments, kOfLongSegments);
    const unsigned long long items = list.items();
    for (unsigned long long i = blockIdx.x; i < items; i += gridDim.x) {  //~ next-of-merge-block
      const Tile tile = list.tiles[i];
      const int rounds = rounds_of(tile.end - tile.begin);
      if (round >= rounds) continue;
      const bool reads_output = (rounds - round) % 2 == 0;  //~ array-of-round
      merge_tile(arguments, storage.tile, tile, static_cast<unsigned long long>(kTileItems) << round,
                 reads_output ? arguments.keys_out : arguments.keys_alternate, reads_output ? arguments.keys_alternate : arguments.keys_out
{%- if value.exists %},
                 reads_output ? arguments.values_out : arguments.values_alternate,
                 reads_output ? arguments.values_alternate : arguments.values_out
{%- endif %});
    }
  }

 private:
{% include "fragments/split_of_runs.cuh" %}

  static __device__ __forceinline__ void merge_tile(const Arguments& arguments, TileStorage& storage, const Tile& tile, unsigned long long run,
                                                    const Key* keys_from, Key* keys_to{% if value.exists %}, const Value* values_from, Value* values_to{% endif %}) {
    const Bits mask = mask_of(arguments);
    const unsigned long long pair = tile.offset / (2 * run) * (2 * run);  //~ start-of-pair
    const unsigned long long behind_pair = tile.end - tile.begin - pair;
    const unsigned long long first_items = behind_pair < run ? behind_pair : run;  //~ first-run
    const unsigned long long second_items = behind_pair - first_items < run ? behind_pair - first_items : run;  //~ second-run
    const unsigned long long first_run = tile.begin + pair, second_run = first_run + first_items;
    const unsigned int count = tile.items();
    // The first two warps, one for each end of the tile.
    const unsigned int warp = warp_of(threadIdx.x);
    if (warp < 2) {
      const unsigned long long diagonal = tile.offset - pair + (warp == 0 ? 0 : count);
      const unsigned long long split =
          split_of(keys_from + first_run, first_items, keys_from + second_run, second_items, diagonal, mask);
      if (lane_of(threadIdx.x) == 0) storage.splits[warp] = split;
    }
    // It is also behind the reads of the previous tile from the storage.
    __syncthreads();
    const unsigned long long first_begin = storage.splits[0];
    const unsigned long long second_begin = tile.offset - pair - first_begin;
    // Runs of segments that overlap may not be sorted: whatever was found, nothing past a run's end is read.
{% include "fragments/first_of_tile.cuh" %}
    const auto source_of = [&](unsigned int position) {
      return position < first_count ? first_run + first_begin + position : second_run + second_begin + (position - first_count);  //~ source
    };
#pragma unroll
    for (unsigned int i = 0; i < kItemsPerThread; ++i) {
      const unsigned int position = i * kBlockThreads + threadIdx.x;
      if (position < count) {
        storage.items.bits[Slots::of(position)] = static_cast<StoredBits>(to_ordered_bits(keys_from[source_of(position)]));
{%- if value.exists %}
        storage.items.sources[Slots::of(position)] = static_cast<unsigned short>(position);
{%- endif %}
      }
    }
    __syncthreads();
    Items<kItemsPerThread> items;
    const unsigned int own = threadIdx.x * kItemsPerThread;
    merge_own(storage.items, 0, first_count, count - first_count, own < count ? own : count, items, mask);
    __syncthreads();
    put_own(storage.items, threadIdx.x, items);
    __syncthreads();  //~ merged-items
#pragma unroll
    for (unsigned int i = 0; i < kItemsPerThread; ++i) {
      const unsigned int position = i * kBlockThreads + threadIdx.x;
      if (position < count) {  //~ merged-item
        const unsigned long long to = tile.begin + tile.offset + position;
        keys_to[to] = to_key(storage.items.bits[Slots::of(position)]);
{%- if value.exists %}
        values_to[to] = {% if value.is_position %}position_in_array(arguments, {% endif %}values_from[source_of(storage.items.sources[Slots::of(position)])]{% if value.is_position %}){% endif %};
{%- endif %}
      }
    }
  }
{%- if value.is_position %}

  // A position that values may be gathered by, whatever unsorted runs of segments that overlap have left.
  static __device__ __forceinline__ Value position_in_array(const Arguments& arguments, Value position) {
    return position < arguments.n ? position : 0;
  }
{%- endif %}
