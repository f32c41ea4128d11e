

// Each logical warp sorts its own row of an array: row r is the `columns` items from r * stride on, columns <= kTileItems and
// columns <= stride. Launch ceil(rows / kTilesPerBlock) blocks of kBlockThreads threads. In place or not; items between rows are
// not touched.{% if value.is_position %} keys_out may be null: then positions within rows alone are written.{% endif %}
//
// Its name is the same in every file of a program: one file defines it, in the others `#define SORTSMITH_DECLARE_KERNELS` comes before this header.
{%- if base.is_of_project %}
extern "C" __global__ void
{{ base.name }}_rows({{ parameters.rows.declared }});
{%- endif %}
#if !defined(SORTSMITH_DECLARE_KERNELS) && !defined({{ base.struct_guard }}_ROWS)
#define {{ base.struct_guard }}_ROWS
extern "C" __global__ void __launch_bounds__({{ tile_threads }})
{{ base.name }}_rows({{ parameters.rows.declared }}) {
  using Sort = sortsmith::{{ base.name }};
  Sort().SortRow({{ parameters.rows.names }});
}
#endif
