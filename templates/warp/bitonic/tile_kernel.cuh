

#ifndef {{ base.struct_guard }}_TILE
#define {{ base.struct_guard }}_TILE
// Each logical warp sorts its own tile of an array of n items. Launch ceil(n / (kTileItems * kTilesPerBlock)) blocks of
// kBlockThreads threads. In place or not. Its name is the same in every file that includes this header, so let one file of a
// program do so.
extern "C" __global__ void __launch_bounds__({{ tile_threads }})
{{ base.name }}_tile(
    const {{ key.cuda }}* keys_in, {{ key.cuda }}* keys_out,
{%- if value.exists %}
    {% if value.is_read %}const {{ value.cuda }}* values_in, {% endif %}{{ value.cuda }}* {{ value.out }},
{%- endif %}
    unsigned long long n) {
  using Sort = sortsmith::{{ base.name }};
  Sort().SortTile(keys_in, keys_out,{% if value.is_read %} values_in,{% endif %}{% if value.exists %} {{ value.out }},{% endif %} n);
}
#endif
