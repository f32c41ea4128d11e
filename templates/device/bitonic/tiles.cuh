 public:
  // Sorts the block's tile of the array. All of it is read before any of it is written.
  __device__ __forceinline__ void sort_tile(const Arguments& arguments) {
    wait_for_previous_grid();  //~ grid-before-tiles
    Word words[kItemsPerThread];
    load_striped<true>(arguments, words);
{%- if !merging.shuffles %}
    // Items past the end stay there only if positions are those of the network.
    striped_to_shared(words);  //~ transpose
    __syncthreads();  //~ transpose
    shared_to_run(words);  //~ transpose
{%- endif %}
    sort_words(words);
    store_tile(arguments, words);
  }

  // Merges the block's tile, which is bitonic.
  __device__ __forceinline__ void merge_tile(const Arguments& arguments) {
    wait_for_previous_grid();
    Word words[kItemsPerThread];
    load_striped<false>(arguments, words);  //~ items-to-merge
    striped_to_shared(words);
    __syncthreads();
{%- if let Some(merge) = merging.merges.last() %}
{%- for exchange in merge.exchanges %}
    merge_columns<{{ exchange.segment }}, {{ exchange.segments }}, false, kBlockThreads>();
    __syncthreads();
{%- endfor %}
{%- if merging.shuffles %}
    merge_from_shared<{{ merge.lanes }}>(words);
{%- else %}
    shared_to_run(words);
    merge_in_lane(words);
{%- endif %}
{%- endif %}
    store_tile(arguments, words);
  }

 private:
  // Neighbouring threads read and write neighbouring items.
  template <bool kIsInput>
  __device__ __forceinline__ void load_striped(const Arguments& arguments, Word (&words)[kItemsPerThread]) const {
    const unsigned long long start = static_cast<unsigned long long>(blockIdx.x) * kTileItems;
#pragma unroll
    for (int i = 0; i < kItemsPerThread; ++i) {
      words[i] = item_at<kIsInput>(arguments, start + position<Arrangement::kStriped>(i));
    }
  }

  __device__ __forceinline__ void striped_to_shared(const Word (&words)[kItemsPerThread]) {
#pragma unroll
    for (int i = 0; i < kItemsPerThread; ++i) put_word(Slots::of_step<kBlockThreads>(thread_, i), words[i]);
  }

  __device__ __forceinline__ void store_tile(const Arguments& arguments, Word (&words)[kItemsPerThread]) {
    rearrange<Arrangement::kStriped>(words);
    const unsigned long long start = static_cast<unsigned long long>(blockIdx.x) * kTileItems;
#pragma unroll
    for (int i = 0; i < kItemsPerThread; ++i) {
      put_item(arguments, start + position<Arrangement::kStriped>(i), words[i]);
    }
  }
