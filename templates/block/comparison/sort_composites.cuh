{%- if merging.merges_by_path %}  // Whether the thread has some of the items before `end`.
  __device__ __forceinline__ bool has_items(unsigned int end) const { return thread_ * kItemsPerThread < end; }
{%- if !merging.merges.is_empty() %}

  // Whether the second of the thread's two runs, which become one of kThreads threads, has some of them. Else the first one is the result.
  template <unsigned int kThreads>
  __device__ __forceinline__ bool has_second_run(unsigned int end) const {
    return (thread_ / kThreads * kThreads + kThreads / 2) * kItemsPerThread < end;  //~ first-of-second-run
  }
{%- endif %}

  // Sorts the tile, in whatever arrangement it is: it comes out blocked. Positions from `end` on, full warps of them, have items that are
  // greater than all others and come out in any order, so their warps sort and merge nothing.
  __device__ __forceinline__ void sort_composites(CompositeKey (&composites)[kItemsPerThread], unsigned int end) {
    if (has_items(end)) {
      sort_in_lane(composites);
{%- if merging.shuffles %}
#pragma unroll
      for (int lanes = 2; lanes <= kLanes; lanes *= 2) merge_lanes(composites, lanes);  //~ merges-by-shuffles
{%- endif %}
    }
{%- else %}  // Sorts the tile, in whatever arrangement it is: it comes out blocked.
  __device__ __forceinline__ void sort_composites(CompositeKey (&composites)[{{ composites.per_thread }}]) {
    sort_in_lane(composites);
{%- if merging.shuffles %}
#pragma unroll
    for (int lanes = 2; lanes <= kLanes; lanes *= 2) merge_lanes(composites, lanes);  //~ merges-by-shuffles
{%- endif %}
{%- endif %}
{%- for merge in merging.merges %}
{%- if merge.packs_pairs %}
    // Both sequences, one rising and one falling, as one.
    pack_pairs(composites);  //~ packing
{%- else %}
    // Runs of {{ merge.threads }} threads.
{%- endif %}
    run_to_shared(composites);
    {{ merge.sync }}
{%- for exchange in merge.exchanges %}
    merge_columns<{{ exchange.segment }}, {{ exchange.segments }}, {{ exchange.is_mirrored }}, {{ merge.sharing }}>();
    {{ merge.sync }}
{%- endfor %}
{%- if merging.merges_by_path %}
    if (has_items(end) && has_second_run<{{ merge.threads }}>(end)) merge_runs<{{ merge.threads }}>(composites);
    // All have read what is written next.
    {{ merge.sync }}
{%- else if merging.shuffles %}
    merge_from_shared<{{ merge.lanes }}>(composites);
{%- else %}
    shared_to_run(composites);
    merge_in_lane(composites);
{%- endif %}
{%- endfor %}
  }
