

#ifndef {{ struct_guard }}_TILE
#define {{ struct_guard }}_TILE
// Each logical warp sorts its own tile of an array of n items. Launch ceil(n / (kTileItems * kTilesPerBlock)) blocks of
// kBlockThreads threads. In place or not. Its name is the same in every file that includes this header, so let one file of a
// program do so.
extern "C" __global__ void __launch_bounds__({{ tile_threads }})
{{ name }}_tile(
    const {{ key.cuda }}* keys_in, {{ key.cuda }}* keys_out,
{%- if has_values %}
    {% if reads_values %}const {{ value }}* values_in, {% endif %}{{ value }}* {{ values_out }},
{%- endif %}
    unsigned long long n) {
  using Sort = sortsmith::{{ name }};
  Sort().SortTile(keys_in, keys_out,{% if reads_values %} values_in,{% endif %}{% if has_values %} {{ values_out }},{% endif %} n);
}
#endif
