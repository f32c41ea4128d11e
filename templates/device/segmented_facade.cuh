{% extends "fragments/facade.cuh" %}

{% block summary %}// sortsmith::DeviceSegmentedSort and sortsmith::DeviceSegmentedRadixSort, with the functions of CUB's structs of these names: {{ title }}.
//
// A call written for CUB works with `cub::` changed to `sortsmith::`, where offsets are arrays. All sorts are stable, and what is outside of the
// segments is not written. Nothing is allocated and nothing is waited for, and the host does not read the offsets, so calls can be captured;
// any number of threads may call at once, on any devices. Errors are returned: cudaErrorInvalidValue if an argument is not legal, and then
// nothing is enqueued.{% endblock %}

{% block made_from %}segmented_facade{% endblock %}

{% block body %}
#ifndef {{ guard }}
#define {{ guard }}
namespace segmented_facade {

using namespace device_facade;

// The segments of a sort: numbers on the device.
struct Segments {
  unsigned long long count;
  const void* begins;
  const void* ends;
  unsigned int offset_bytes;
  bool are_signed;
};

// What an iterator over offsets is, which has to be an address.
template <typename Iterator>
struct OffsetsOf {
  static constexpr KeyKind kKind = KeyKind::kUnknown;
};
template <typename Offset>
struct OffsetsOf<Offset*> {
  static constexpr KeyKind kKind = facade::kKindOf<Offset>;
};
template <typename Offset>
struct OffsetsOf<const Offset*> : OffsetsOf<Offset*> {};
{%- let class = "DeviceSegmentedSort" %}
{%- let command = "--facade cub-segmented" %}
{%- let further_keys = "" %}
{%- let further_words = " --out <a folder of its own, to be included too>" %}
{%- let positions = "" %}

{% include "fragments/emitted_sorts.cuh" %}

}  // namespace segmented_facade
#endif

namespace segmented_facade {
{% for host in hosts %}
#ifndef {{ host.guard }}
#define {{ host.guard }}
// The host's part of {{ host.name }}.
template <int kInstance>
struct {{ host.name }}_host {
  using Sort = sortsmith::{{ host.name }};

  Segments bounds;

  Scratch scratch(const Facts& facts) const {
    const unsigned long long n = facts.n;
    const unsigned long long segments = bounds.count;
    return {
        {{ host.zeroed }},
        {{ host.workspace }},
        {{ host.alternate }},
        {{ host.alternate_keys }}};
  }

  void run(const Facts& facts, const Arrays& arrays, void* workspace, Launches& launches) const {
    [[maybe_unused]] const auto [n, begin_bit, end_bit, multiprocessors, shared_bytes_per_block] = facts;
    const unsigned long long segments = bounds.count;
    typename Sort::Arguments arguments = {};
    arguments.keys_in = static_cast<const typename Sort::Key*>(arrays.keys_in);
    arguments.keys_out = static_cast<typename Sort::Key*>(arrays.keys_out);
    arguments.keys_alternate = static_cast<typename Sort::Key*>(arrays.keys_alternate);
    arguments.values_in = static_cast<const typename Sort::Value*>(arrays.values_in);
    arguments.values_out = static_cast<typename Sort::Value*>(arrays.values_out);
    arguments.values_alternate = static_cast<typename Sort::Value*>(arrays.values_alternate);
    arguments.begins = bounds.begins;
    arguments.ends = bounds.ends;
    arguments.workspace = workspace;
    arguments.segments = segments;
    arguments.n = n;
    arguments.offset_bytes = bounds.offset_bytes;
    arguments.begin_bit = static_cast<int>(begin_bit);
    arguments.end_bit = static_cast<int>(end_bit);
    // All segments are sorted, and have both offsets.
    typename Sort::Count counted = {};
    counted.signed_offsets = bounds.are_signed;
    int round = 0;
    void* parameters[] = {&arguments, &round};
    void* of_classify[] = {&arguments{% for argument in count_arguments %}, &counted.{{ argument }}{% endfor %}};
    launches.clear(workspace, Sort::kZeroedBytes);
{%- for launch in host.launches %}
    if ({{ launch.condition }}) {
{%- if let Some(rounds) = launch.rounds %}
      const int rounds = static_cast<int>({{ rounds }});
      for (round = 0; round < rounds; ++round) {
        launches.launch(reinterpret_cast<const void*>(&{{ launch.kernel }}<kInstance>), {{ launch.blocks }}, {{ launch.threads }}, {{ launch.shared_bytes }}, {{ launch.parameters }});
      }
{%- else %}
      launches.launch(reinterpret_cast<const void*>(&{{ launch.kernel }}<kInstance>), {{ launch.blocks }}, {{ launch.threads }}, {{ launch.shared_bytes }}, {{ launch.parameters }});
{%- endif %}
    }
{%- endfor %}
  }
};
#endif

#ifndef {{ host.emitted_guard }}
#define {{ host.emitted_guard }}
template <>
struct Emitted<{{ kind }}, {{ value_bytes }}, {{ host.descending }}> {
  static constexpr bool kExists = true;
  static constexpr unsigned long long kKeyBits = {{ key_bits }};
  static constexpr unsigned long long kMaxItems = {{ max_items }}ull;
  // The shared memory that a block of the device may have, at least.
  static constexpr unsigned long long kSharedBytesPerBlock = {{ host.shared_bytes }};

  Segments bounds;

  // Calls `visit` with the host's part of the sort, which is the same for all lengths.
  template <int kInstance, typename Visit>
  void choose(unsigned long long, const Visit& visit) const {
    visit({{ host.name }}_host<kInstance>{bounds});
  }
};
#endif
{% endfor %}
}  // namespace segmented_facade

#ifndef {{ guard }}_CLASSES
#define {{ guard }}_CLASSES
namespace segmented_facade {

// The sort of all calls.
template <bool kDescending, typename KeyT, typename ValueT, typename NumItemsT, typename NumSegmentsT, typename Begins, typename Ends>
cudaError_t sort(void* d_temp_storage, size_t& temp_storage_bytes, const Arrays& arrays, NumItemsT num_items, NumSegmentsT num_segments,
                 Begins d_begin_offsets, Ends d_end_offsets, int begin_bit, int end_bit, cudaStream_t stream) {
  constexpr KeyKind kOffsets = OffsetsOf<Begins>::kKind;
  constexpr bool kAreWide = kOffsets == KeyKind::k_i64 || kOffsets == KeyKind::k_u64;
  constexpr bool kAreSigned = kOffsets == KeyKind::k_i32 || kOffsets == KeyKind::k_i64;
  constexpr bool kAreOffsets = kAreWide || kAreSigned || kOffsets == KeyKind::k_u32;
  static_assert(kAreOffsets && OffsetsOf<Ends>::kKind == kOffsets,
                "offsets must be addresses of integers of 4 or 8 bytes, begins and ends of the same width and sign; other iterators are not "
                "taken: write their offsets to device memory before");
  static_assert(static_cast<NumSegmentsT>(3) / 2 == 1, "NumSegmentsT must be an integer");
  using Sorts = typename Requested<facade::kKindOf<KeyT>, facade::kValueBytes<ValueT>, kDescending>::Sorts;
  if constexpr (Sorts::kExists && kAreOffsets && OffsetsOf<Ends>::kKind == kOffsets) {
    if (is_negative(num_items) || is_negative(num_segments)) return cudaErrorInvalidValue;
    constexpr unsigned int kOffsetBytes = kAreWide ? 8 : 4;
    const Segments bounds = {static_cast<unsigned long long>(num_segments), d_begin_offsets, d_end_offsets, kOffsetBytes, kAreSigned};
    if (bounds.count > Sorts::kMaxItems) return cudaErrorInvalidValue;
    const bool are_legal = are_arrays(arrays, sizeof(KeyT), facade::kValueBytes<ValueT>) && is_array(d_begin_offsets, kOffsetBytes) &&
                           is_array(d_end_offsets, kOffsetBytes);
    // Without segments there is nothing to sort.
    const NumItemsT sorted_items = bounds.count == 0 ? static_cast<NumItemsT>(0) : num_items;
    return sort_emitted<KeyT, ValueT>(Sorts{bounds}, d_temp_storage, temp_storage_bytes, arrays, are_legal, sorted_items, begin_bit, end_bit, stream);
  } else {
    return cudaErrorNotSupported;
  }
}

}  // namespace segmented_facade
{% for class in classes %}
struct {{ class.name }} {
{%- for member in class.members %}
  // {{ member.words }}
{%- include "device/segmented_members.cuh" %}
{%- endfor %}
};
{% endfor %}
#endif{% endblock %}
