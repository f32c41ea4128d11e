

// Each logical warp sorts its own tile of an array of n items. Launch ceil(n / (kTileItems * kTilesPerBlock)) blocks of
// kBlockThreads threads. In place or not.
//
// Its name is the same in every file of a program: one file defines it, in the others `#define SORTSMITH_DECLARE_KERNELS` comes before this header.
{%- if base.is_of_project %}
extern "C" __global__ void
{{ base.name }}_tile({{ parameters.tile.declared }});
{%- endif %}
#if !defined(SORTSMITH_DECLARE_KERNELS) && !defined({{ base.struct_guard }}_TILE)
#define {{ base.struct_guard }}_TILE
extern "C" __global__ void __launch_bounds__({{ tile_threads }})
{{ base.name }}_tile({{ parameters.tile.declared }}) {
  using Sort = sortsmith::{{ base.name }};
  Sort().SortTile({{ parameters.tile.names }});
}
#endif
