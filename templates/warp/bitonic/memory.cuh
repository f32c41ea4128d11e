  // The numbers of a lane's items that lie side by side in memory, and move at once if the arrays are aligned to it: of those that are
  // read, and of those that are written.
  static constexpr int kReadItems = {{ read_items }};
  static constexpr int kWrittenItems = {{ written_items }};
  using ReadKeys = {{ read_keys }};
  using WrittenKeys = {{ written_keys }};
{%- if tile_values_break_ties %}
  using ReadValues = {{ read_values }};
{%- endif %}
{%- if value.exists %}
  using WrittenValues = {{ written_values }};
{%- endif %}

  template <typename T, int kItems>
  struct SideBySide {
    T items[kItems];
  };

  template <typename Vector, typename T>
  static __device__ __forceinline__ bool is_aligned(const T* items) {
    return reinterpret_cast<unsigned long long>(items) % sizeof(Vector) == 0;
  }

  // Where in the tile a lane reads its item i. Neighbouring lanes read neighbouring vectors: the network sorts items from
  // wherever they are.
  __device__ __forceinline__ unsigned int loaded_position(unsigned int i) const {
    return (i / kReadItems * kLanes + lane_) * kReadItems + i % kReadItems;
  }

{%- if is_paired %}

  // The number of a lane, or of a vector of a lane, of which two exchange:
  //
  //   | pair: 31 bits | is_second: 1 bit |
  struct OneOfTwo {
    unsigned int number;
    static __device__ __forceinline__ OneOfTwo pack(unsigned int pair, unsigned int is_second) { return {pair << 1 | is_second}; }
    __device__ __forceinline__ unsigned int pair() const { return number >> 1; }
    __device__ __forceinline__ unsigned int is_second() const { return number & 1u; }
  };
{%- endif %}

  // Where it writes it.
  __device__ __forceinline__ unsigned int stored_position(unsigned int i) const {
{%- if is_paired %}
    constexpr unsigned int kVectors = kItemsPerThread / kWrittenItems;
    const OneOfTwo lane{lane_};
    const OneOfTwo vector{i / kWrittenItems};
    if (vector.number == kVectors - 1 && kVectors % 2 == 1) return position<Arrangement::kBlocked>(i);
    const OneOfTwo from_lane = OneOfTwo::pack(lane.pair(), vector.is_second());  //~ exchanged-lane
    const OneOfTwo from_vector = OneOfTwo::pack(vector.pair(), lane.is_second());
    return from_lane.number * kItemsPerThread + from_vector.number * kWrittenItems + i % kWrittenItems;
  }

  // Lanes 2k and 2k + 1 write vectors that are next to each other, a sector of memory in all: of each two vectors the even lane
  // keeps the first and gets the odd lane's first, and the odd lane has both second ones.
  template <typename T>
  __device__ __forceinline__ void pair_vectors(T (&items)[kItemsPerThread]) const {
    const unsigned int odd = opaque(OneOfTwo{lane_}.is_second() != 0 ? ~0u : 0u);
#pragma unroll
    for (unsigned int i = 0; i + kWrittenItems < kItemsPerThread; ++i) {
      if (OneOfTwo{i / kWrittenItems}.is_second() != 0) continue;
      T& first = items[i];
      T& second = items[i + kWrittenItems];
      const T got = across(blended(odd, first, second), 1);  //~ sent-item
      first = blended(odd, got, first);
      second = blended(odd, second, got);
    }
  }
{%- elif is_striped %}
    return position<Arrangement::kStriped>(i);
  }
{%- else %}
    return position<Arrangement::kBlocked>(i);
  }
{%- endif %}

  __device__ __forceinline__ void load_full(const Key* keys, {% if tile_values_break_ties %}const Value* values, {% endif %}CompositeKey (&composites)[kItemsPerThread]) const {
#pragma unroll
    for (int v = 0; v < kItemsPerThread; v += kReadItems) {
      const ReadKeys read = __ldcg(reinterpret_cast<const ReadKeys*>(keys + loaded_position(v)));
      const auto vector = bits_as<SideBySide<Key, kReadItems>>(read);
{%- if tile_values_break_ties %}
      const ReadValues read_values = __ldcg(reinterpret_cast<const ReadValues*>(values + loaded_position(v)));
      const auto value_vector = bits_as<SideBySide<Value, kReadItems>>(read_values);
#pragma unroll
      for (int i = 0; i < kReadItems; ++i) composites[v + i] = pair_of(vector.items[i], value_vector.items[i]);  //~ loaded-pair
{%- else %}
#pragma unroll
      for (int i = 0; i < kReadItems; ++i) composites[v + i] = composite_of(vector.items[i], loaded_position(v + i), true);
{%- endif %}
    }
  }

  __device__ __forceinline__ void load_partial(const Key* keys, CompositeKey (&composites)[kItemsPerThread], unsigned int valid_items) const {
#pragma unroll
    for (int i = 0; i < kItemsPerThread; ++i) {
      const bool is_valid = loaded_position(i) < valid_items;  //~ loaded-position-is-valid
      composites[i] = composite_of(is_valid ? keys[loaded_position(i)] : Key(), loaded_position(i), is_valid);
    }
  }

  __device__ __forceinline__ void store_full(const CompositeKey (&composites)[kItemsPerThread], Key* keys
{%- if value.is_read && !tile_values_break_ties %}, const Value* values_in{% endif %}{% if value.exists %},
                                              Value* {{ value.out }}{% endif %}) const {
{%- if value.exists && !tile_values_break_ties %}
    Value values[kItemsPerThread];
#pragma unroll
    for (int i = 0; i < kItemsPerThread; ++i) values[i] = {% if value.is_read %}values_in[position_of(composites[i])]{% else %}position_of(composites[i]){% endif %};
{%- if value.is_read %}
    // The outputs may be the inputs: all lanes have read before one writes.
    __syncwarp();
{%- endif %}
{%- endif %}
#pragma unroll
    for (int v = 0; v < kItemsPerThread; v += kWrittenItems) {
      SideBySide<Key, kWrittenItems> vector;
#pragma unroll
      for (int i = 0; i < kWrittenItems; ++i) vector.items[i] = {% if tile_values_break_ties %}key_of_pair{% else %}key_of{% endif %}(composites[v + i]);
      {% if value.is_position %}if (keys != nullptr) {% endif %}__stcg(reinterpret_cast<WrittenKeys*>(keys + stored_position(v)), bits_as<WrittenKeys>(vector));{% if value.is_position %}  //~ keys-wanted{% endif %}
{%- if value.exists %}
      SideBySide<Value, kWrittenItems> value_vector;
#pragma unroll
      for (int i = 0; i < kWrittenItems; ++i) value_vector.items[i] = {% if tile_values_break_ties %}value_of_pair(composites[v + i]){% else %}values[v + i]{% endif %};
      __stcg(reinterpret_cast<WrittenValues*>({{ value.out }} + stored_position(v)), bits_as<WrittenValues>(value_vector));
{%- endif %}
    }
  }

  __device__ __forceinline__ void store_partial(const CompositeKey (&composites)[kItemsPerThread], Key* keys,
{%- if value.is_read %} const Value* values_in,{% endif %}{% if value.exists %}
                                             Value* {{ value.out }},{% endif %} unsigned int valid_items) const {
{%- if value.is_read %}
    Value values[kItemsPerThread];
#pragma unroll
    for (int i = 0; i < kItemsPerThread; ++i) {
      if (stored_position(i) < valid_items) values[i] = values_in[position_of(composites[i])];
    }
    __syncwarp();
{%- endif %}
#pragma unroll
    for (int i = 0; i < kItemsPerThread; ++i) {
      const unsigned int target = stored_position(i);
      if (target >= valid_items) continue;  //~ stored-position-is-valid
      {% if value.is_position %}if (keys != nullptr) {% endif %}keys[target] = key_of(composites[i]);{% if value.is_position %}  //~ keys-wanted{% endif %}
{%- if value.is_read %}
      {{ value.out }}[target] = values[i];
{%- elif value.exists %}
      {{ value.out }}[target] = position_of(composites[i]);
{%- endif %}
    }
  }
