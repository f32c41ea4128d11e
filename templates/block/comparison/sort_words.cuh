  // Sorts the tile, in whatever arrangement it is: it comes out blocked.
  __device__ __forceinline__ void sort_words(Word (&words)[{{ words.per_thread }}]) {
    sort_in_lane(words);
{%- if merging.shuffles %}
#pragma unroll
    for (int lanes = 2; lanes <= kLanes; lanes *= 2) merge_lanes(words, lanes);  //~ merges-by-shuffles
{%- endif %}
{%- for merge in merging.merges %}
{%- if merge.packs_pairs %}
    // Both sequences, one rising and one falling, as one.
    pack_pairs(words);  //~ packing
{%- else %}
    // Runs of {{ merge.threads }} threads.
{%- endif %}
    run_to_shared(words);
    {{ merge.sync }}
{%- for exchange in merge.exchanges %}
    merge_columns<{{ exchange.segment }}, {{ exchange.segments }}, {{ exchange.is_mirrored }}, {{ merge.sharing }}>();
    {{ merge.sync }}
{%- endfor %}
{%- if merging.merges_by_path %}
    merge_runs<{{ merge.threads }}>(words);
    // All have read what is written next.
    {{ merge.sync }}
{%- else if merging.shuffles %}
    merge_from_shared<{{ merge.lanes }}>(words);
{%- else %}
    shared_to_run(words);
    merge_in_lane(words);
{%- endif %}
{%- endfor %}
  }
