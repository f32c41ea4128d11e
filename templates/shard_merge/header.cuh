{% extends "fragments/file.cuh" %}

{% block summary %}finds where sorted runs
// are cut, and merges two ranges of them at a time. Stable: of equal keys those of the first range come first, and those of a range keep
// their order.
{%- let zeros_are_equal = true %}
{%- include "fragments/float_order.cuh" %}
//
//   run        sorted items of one rank
//   range      a part of a run
//   compared bits
//              what keys are compared by: their ordered bits in a range of bits, and zeros elsewhere
//   border     between the shares of two ranks, or two pieces of a share, in the order of all runs
//   splitter   of a border: the largest compared bits with no more items of all runs below them than are to be in front of the border
//   candidate  what a splitter may be: its known upper bits, a value of the next digit but zero, and zeros
//   tile       the merged items that a block makes at once: {{ threads * items }}
//
// Borders are found digit by digit from the upper end down, by all ranks in lock step: a round searches each run for all candidates, and the sums
// over the runs decide. Then ranges travel, and are merged two by two:
{%- if value.is_position %}
//
//   {{ base.name }}_positions<<<any, {{ threads }}, 0, stream>>>(arguments);  // values of a shard, before it is sorted
{%- endif %}
//
//   splitters = 0
//   for each digit
//     {{ base.name }}_search<<<any, {{ threads }}, 0, stream>>>(arguments);
//     sums = below, added over all ranks
//     {{ base.name }}_narrow<<<any, {{ threads }}, 0, stream>>>(arguments);
//   {{ base.name }}_around<<<any, {{ threads }}, 0, stream>>>(arguments);
//   {{ base.name }}_merge <<<any, {{ threads }}, {{ shared_bytes }}, stream>>>(arguments);  // for each two ranges
//
// Each is given what it works on, and the bits that are compared. A digit does not begin below begin_bit. Merged items overlap no range.{% endblock %}

{% block members %}
  using Key = {{ key.cuda }};
  using Value = {{ value.cuda }};
  // Compared bits, and the bits of a key in memory.
  using Bits = {{ key.register_bits }};
  using StoredBits = {{ key.stored_bits }};

  static constexpr unsigned int kBlockThreads = {{ threads }};
  static constexpr unsigned int kItemsPerThread = {{ items }};
  static constexpr unsigned int kTileItems = kBlockThreads * kItemsPerThread;
  static constexpr int kKeyBits = {{ key.bits }};
{%- if value.exists %}
  // Values that a thread loads before it stores the first of them.
  static constexpr unsigned int kLoadedValues = {{ loaded_values }};
{%- endif %}
  // The dynamic shared memory of a block of _merge.
  static constexpr unsigned int kSharedBytes = {{ shared_bytes }};

  // What all kernels are given.
  struct Arguments {
{%- for argument in arguments %}
{%- for line in argument.comment %}
    // {{ line }}
{%- endfor %}
    {{ argument.cuda }} {{ argument.name }};
{%- endfor %}
  };

 private:
{%- include "fragments/ordered_bits.cuh" %}
{%- include "fragments/compared_bits.cuh" %}

  // Neighbouring items of a thread and those of its neighbours lie in different banks.
  using Slots = GappedSlots<32, 1>;

{% include "fragments/merged_items.cuh" %}

{% include "fragments/compared_mask.cuh" %}

{% let sources_are_positions = true -%}
{% include "fragments/merge_own.cuh" %}

{% include "shard_merge/splitters.cuh" %}

{% include "shard_merge/merge.cuh" %}
{% endblock %}

{% block kernels %}

extern "C" __global__ void __launch_bounds__({{ threads }})
{{ base.name }}_positions(sortsmith::{{ base.name }}::Arguments{% if value.is_position %} arguments{% endif %}) {
{%- if value.is_position %}
  sortsmith::{{ base.name }}::write_positions(arguments);
{%- else %}
  // Values are no positions.
{%- endif %}
}

extern "C" __global__ void __launch_bounds__({{ threads }})
{{ base.name }}_search(sortsmith::{{ base.name }}::Arguments arguments) {
  sortsmith::{{ base.name }}::search_candidates(arguments);
}

extern "C" __global__ void __launch_bounds__({{ threads }})
{{ base.name }}_narrow(sortsmith::{{ base.name }}::Arguments arguments) {
  sortsmith::{{ base.name }}::narrow_splitters(arguments);
}

extern "C" __global__ void __launch_bounds__({{ threads }})
{{ base.name }}_around(sortsmith::{{ base.name }}::Arguments arguments) {
  sortsmith::{{ base.name }}::find_around(arguments);
}

{% include "fragments/merge_bounds.cuh" %}
{{ base.name }}_merge(sortsmith::{{ base.name }}::Arguments arguments) {
  extern __shared__ __align__(16) unsigned char sortsmith_shared[];
  using Merge = sortsmith::{{ base.name }};
  Merge::merge_ranges(arguments, *reinterpret_cast<Merge::TempStorage*>(sortsmith_shared));
}
{% endblock %}
