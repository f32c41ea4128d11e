
// Each block sorts its own tile of an array of n items. Launch ceil(n / kTileItems) blocks of kBlockX x kBlockY x kBlockZ
// threads with kSharedBytes of dynamic shared memory. In place or not.
//
// Its name is the same in every file of a program: one file defines it, in the others `#define SORTSMITH_DECLARE_KERNELS` comes before this header.
{%- if base.is_of_project %}
extern "C" __global__ void
{{ base.name }}_tile({{ parameters.tile.declared }});
{%- endif %}
#if !defined(SORTSMITH_DECLARE_KERNELS) && !defined({{ base.struct_guard }}_TILE)
#define {{ base.struct_guard }}_TILE
extern "C" __global__ void __launch_bounds__({{ tile.threads }}{% if let Some(blocks) = tile.resident_blocks %}, {{ blocks }}{% endif %})
{{ base.name }}_tile({{ parameters.tile.declared }}) {
  extern __shared__ __align__(16) unsigned char sortsmith_shared[];
  using Sort = sortsmith::{{ base.name }};
  Sort(*reinterpret_cast<Sort::TempStorage*>(sortsmith_shared))
      .SortTile({{ parameters.tile.names }}{{ tile.constant_bits }});
}
#endif
