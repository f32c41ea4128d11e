 public:
  // Sorts the block's tile of the array. All of it is read before any of it is written.
  __device__ __forceinline__ void sort_tile(const Arguments& arguments) {
    wait_for_previous_grid();  //~ grid-before-tiles
    CompositeKey composites[kItemsPerThread];
    load_striped<true>(arguments, composites);
{%- if !merging.shuffles %}
    // Items past the end stay there only if positions are those of the network.
    striped_to_shared(composites);  //~ transpose
    __syncthreads();  //~ transpose
    shared_to_run(composites);  //~ transpose
{%- endif %}
    sort_composites(composites);
    store_tile(arguments, composites);
  }

  // Merges the block's tile, which is bitonic.
  __device__ __forceinline__ void merge_tile(const Arguments& arguments) {
    wait_for_previous_grid();
    CompositeKey composites[kItemsPerThread];
    load_striped<false>(arguments, composites);  //~ items-to-merge
    striped_to_shared(composites);
    __syncthreads();
{%- if let Some(merge) = merging.merges.last() %}
{%- for exchange in merge.exchanges %}
    merge_columns<{{ exchange.segment }}, {{ exchange.segments }}, false, kBlockThreads>();
    __syncthreads();
{%- endfor %}
{%- if merging.shuffles %}
    merge_from_shared<{{ merge.lanes }}>(composites);
{%- else %}
    shared_to_run(composites);
    merge_in_lane(composites);
{%- endif %}
{%- endif %}
    store_tile(arguments, composites);
  }

 private:
  // Neighbouring threads read and write neighbouring items.
  template <bool kIsInput>
  __device__ __forceinline__ void load_striped(const Arguments& arguments, CompositeKey (&composites)[kItemsPerThread]) const {
    const unsigned long long start = static_cast<unsigned long long>(blockIdx.x) * kTileItems;
#pragma unroll
    for (int i = 0; i < kItemsPerThread; ++i) {
      composites[i] = item_at<kIsInput>(arguments, start + position<Arrangement::kStriped>(i));
    }
  }

  __device__ __forceinline__ void striped_to_shared(const CompositeKey (&composites)[kItemsPerThread]) {
#pragma unroll
    for (int i = 0; i < kItemsPerThread; ++i) put_composite(Slots::of_step<kBlockThreads>(thread_, i), composites[i]);
  }

  __device__ __forceinline__ void store_tile(const Arguments& arguments, CompositeKey (&composites)[kItemsPerThread]) {
    rearrange<Arrangement::kStriped>(composites);
    const unsigned long long start = static_cast<unsigned long long>(blockIdx.x) * kTileItems;
#pragma unroll
    for (int i = 0; i < kItemsPerThread; ++i) {
      put_item(arguments, start + position<Arrangement::kStriped>(i), composites[i]);
    }
  }
