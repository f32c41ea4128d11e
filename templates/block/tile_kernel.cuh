
#ifndef {{ base.struct_guard }}_TILE
#define {{ base.struct_guard }}_TILE
// Each block sorts its own tile of an array of n items. Launch ceil(n / kTileItems) blocks of kBlockX x kBlockY x kBlockZ
// threads with kSharedBytes of dynamic shared memory. In place or not. Its name is the same in every file that includes this
// header, so let one file of a program do so.
extern "C" __global__ void __launch_bounds__({{ tile.threads }}{% if let Some(blocks) = tile.resident_blocks %}, {{ blocks }}{% endif %})
{{ base.name }}_tile(
    const {{ key.cuda }}* keys_in, {{ key.cuda }}* keys_out,
{%- if value.exists %}
    {% if value.is_read %}const {{ value.cuda }}* values_in, {% endif %}{{ value.cuda }}* {{ value.out }},
{%- endif %}
    unsigned long long n{{ tile.kernel_parameters }}) {
  extern __shared__ __align__(16) unsigned char sortsmith_shared[];
  using Sort = sortsmith::{{ base.name }};
  Sort(*reinterpret_cast<Sort::TempStorage*>(sortsmith_shared))
      .SortTile(keys_in, keys_out,{% if value.is_read %} values_in,{% endif %}{% if value.exists %} {{ value.out }},{% endif %} n{{ tile.kernel_arguments }});
}
#endif
