
#ifndef {{ struct_guard }}_TILE
#define {{ struct_guard }}_TILE
// Each block sorts its own tile of an array of n items. Launch ceil(n / kTileItems) blocks of kBlockX x kBlockY x kBlockZ
// threads with kSharedBytes of dynamic shared memory. In place or not. Its name is the same in every file that includes this
// header, so let one file of a program do so.
extern "C" __global__ void __launch_bounds__({{ threads }}{% if let Some(blocks) = resident_blocks %}, {{ blocks }}{% endif %})
{{ name }}_tile(
    const {{ key.cuda }}* keys_in, {{ key.cuda }}* keys_out,
{%- if has_values %}
    {% if reads_values %}const {{ value }}* values_in, {% endif %}{{ value }}* {{ values_out }},
{%- endif %}
    unsigned long long n{% if takes_bits && !is_static %}, int begin_bit, int end_bit{% endif %}) {
  extern __shared__ __align__(16) unsigned char sortsmith_shared[];
  using Sort = sortsmith::{{ name }};
  Sort(*reinterpret_cast<Sort::TempStorage*>(sortsmith_shared))
      .SortTile(keys_in, keys_out,{% if reads_values %} values_in,{% endif %}{% if has_values %} {{ values_out }},{% endif %} n{% if takes_bits %}, {% if is_static %}Sort::kBeginBit, Sort::kEndBit{% else %}begin_bit, end_bit{% endif %}{% endif %});
}
#endif
