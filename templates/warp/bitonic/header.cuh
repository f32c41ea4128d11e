{% extends "fragments/file.cuh" %}

{% block summary %}a logical warp of {{ lanes }} lanes sorts a tile of {{ tile_items }} items in registers, by
// shuffles. {% if stable %}Stable: equal keys keep their input order.{% else %}Not stable: equal keys come out in any order.{% endif %}
{%- let zeros_are_equal = composites.marks_negative_zero || orders_zeros %}
{%- include "fragments/float_order.cuh" %}
{%- let positions_of = "the tile's input order" %}
{%- include "fragments/made_positions.cuh" %}
//
//   tile           the items that the lanes of a logical warp sort
//   composite key  what is compared: a key's ordered bits, with the index in the input below them where equal keys are told apart
//   step           comparisons of items that are equally far apart, within a lane or by one shuffle
//
// In a kernel, with Keys an array of {{ items }} keys{% if value.exists %} and Values one of {{ items }} {% if value.is_position %}positions{% else %}values{% endif %}{% endif %}:
//   using Sort = sortsmith::{{ base.name }};
//   Sort().Sort(keys{% if value.exists %}, {% if value.is_position %}positions{% else %}values{% endif %}{% endif %});{% endblock %}

{% block constants %}
{% include "warp/bitonic/constants.cuh" %}{% endblock %}

{% block members %}
  using Key = {{ key.cuda }};
  using Value = {{ value.cuda }};

{% include "warp/bitonic/constants.cuh" %}

  // One lane's items.
  using Keys = Key[kItemsPerThread];
{%- if value.exists %}
  using Values = Value[kItemsPerThread];
{%- endif %}

  __device__ __forceinline__ {{ base.name }}() : lane_(lane_of_thread() % kLanes) {}

  // The members below sort one tile of each logical warp. All threads of a (hardware) warp call the same one together.
  //   valid_items: the first valid_items items of the tile are sorted and come out in front. What the others hold does not
  //                matter, and is unspecified afterwards. The same in a logical warp, its own in each.
{% for entry in entries %}
  // {{ entry.words }}
{%- for call in entry.calls %}
  __device__ __forceinline__ void {{ entry.name }}(Keys& keys{% if value.exists %}, Values& values{% endif %}{{ call.parameters }}) const {
    sort<Arrangement::{{ input }}, Arrangement::{{ entry.output }}>(keys{% if value.exists %}, values{% endif %}{% if !(tile_values_break_ties && call.parameters.is_empty()) %}, {{ call.arguments }}{% endif %});
  }
{%- endfor %}
{% endfor %}
{% include "warp/bitonic/tile_member.cuh" %}

{% include "warp/bitonic/rows_member.cuh" %}

 private:
  // Ordered bits are unsigned integers that order as the keys do.
  using Bits = {{ key.register_bits }};
  using StoredBits = {{ key.stored_bits }};
{%- include "fragments/ordered_bits.cuh" %}
{%- if composites.marks_negative_zero %}
{%- include "fragments/compared_bits.cuh" %}
{%- else if orders_zeros %}
{%- include "fragments/signed_zeros.cuh" %}
{%- endif %}

{% include "fragments/composite_keys.cuh" %}
{%- if tile_values_break_ties %}

{% include "warp/bitonic/pairs.cuh" %}
{%- endif %}
{%- if value.is_read %}

{% include "warp/bitonic/items.cuh" %}
{%- endif %}

{% include "warp/bitonic/network.cuh" %}

{% include "warp/bitonic/arrangements.cuh" %}
{%- if orders_zeros %}

{% include "warp/bitonic/signed_zeros.cuh" %}
{%- endif %}

{% include "warp/bitonic/sort.cuh" %}

{% include "warp/bitonic/memory.cuh" %}

{% include "warp/bitonic/sort_in_memory.cuh" %}
{%- if stages_rows %}

{% include "warp/bitonic/staged_rows.cuh" %}
{%- endif %}

  // In the logical warp.
  const unsigned int lane_;
{% endblock %}

{% block tile_kernel %}
{%- if base.has_tile_kernel %}
{% include "warp/bitonic/tile_kernel.cuh" %}
{%- endif %}
{%- if base.has_rows_kernel %}
{% include "warp/bitonic/rows_kernel.cuh" %}
{%- endif %}
{%- if base.has_counted_rows_kernel %}
{% include "warp/bitonic/counted_rows_kernel.cuh" %}
{%- endif %}
{%- endblock %}
