  // A row in shared memory has a gap behind every kItemsToGap items, and the next row begins kLanes banks further on. So neither lanes that
  // have neighbouring items nor lanes that have runs of kItemsToGap items each meet in a bank.
  static constexpr unsigned int kItemsToGap = 32;
  static constexpr unsigned int kRowPitch = {{ row_pitch }};

  static __device__ __forceinline__ unsigned int slot_of(unsigned int column) { return column + column / kItemsToGap; }

  // The first items of the logical warp's own row, from shared memory to an array. Neighbouring lanes write neighbouring items, when all
  // lanes have written theirs to shared memory.
  template <typename T>
  __device__ __forceinline__ void write_row(T* row, const T (&s_row)[kRowPitch], unsigned int valid_items) const {
    __syncwarp();
#pragma unroll
    for (unsigned int i = 0; i < kItemsPerThread; ++i) {
      const unsigned int column = position<Arrangement::kStriped>(i);
      if (column < valid_items) row[column] = s_row[slot_of(column)];  //~ staged-to
    }
  }

  // The rows of a warp: what is sorted, and then what is written; and the values as they were read.
  struct StagedRows {
    union {
      Key s_keys[kRowsPerWarp][kRowPitch];
{%- if value.exists %}
      Value s_values_out[kRowsPerWarp][kRowPitch];
{%- endif %}
    };
{%- if value.is_read %}
    Value s_values[kRowsPerWarp][kRowPitch];
{%- endif %}
  };

  // Reads the logical warp's own row, of which the first valid_items items are there: neighbouring lanes read neighbouring items, wherever
  // rows begin. The others come last, and are not written.{% if value.is_read %} Values stay in shared memory until their offsets are known.{% endif %}
  __device__ __forceinline__ void load_row(const Key* keys, {% if value.is_read %}const Value* values, StagedRows& staged, {% endif %}CompositeKey (&composites)[kItemsPerThread], unsigned int valid_items) const {
#pragma unroll
    for (unsigned int i = 0; i < kItemsPerThread; ++i) {
      const unsigned int column = position<Arrangement::kStriped>(i);
      const bool is_valid = column < valid_items;  //~ column-is-valid
      composites[i] = composite_of(is_valid ? keys[column] : Key(), column, is_valid);
    }
{%- if value.is_read %}
    Value read[kItemsPerThread];
#pragma unroll
    for (unsigned int i = 0; i < kItemsPerThread; ++i) {
      const unsigned int column = position<Arrangement::kStriped>(i);
      if (column < valid_items) read[i] = values[column];  //~ staged-row
    }
#pragma unroll
    for (unsigned int i = 0; i < kItemsPerThread; ++i) {
      const unsigned int column = position<Arrangement::kStriped>(i);
      if (column < valid_items) staged.s_values[row_of_warp()][slot_of(column)] = read[i];
    }
{%- endif %}
  }

  // Writes it by way of shared memory: the keys, then the values.
  __device__ __forceinline__ void store_row(const CompositeKey (&composites)[kItemsPerThread], Key* keys, {% if value.exists %}Value* {{ value.out }}, {% endif %}StagedRows& staged, unsigned int valid_items) const {
#pragma unroll
    for (unsigned int i = 0; i < kItemsPerThread; ++i) {
      staged.s_keys[row_of_warp()][slot_of(position<Arrangement::kBlocked>(i))] = key_of(composites[i]);
    }
    {% if value.is_position %}if (keys != nullptr) {% endif %}write_row(keys, staged.s_keys[row_of_warp()], valid_items);{% if value.is_position %}  //~ staged-keys-wanted{% endif %}
{%- if value.exists %}
    // The keys have been read from there.
    __syncwarp();
#pragma unroll
    for (unsigned int i = 0; i < kItemsPerThread; ++i) {
      const unsigned int column = position<Arrangement::kBlocked>(i);
{%- if value.is_read %}
      if (column < valid_items) staged.s_values_out[row_of_warp()][slot_of(column)] = staged.s_values[row_of_warp()][slot_of(position_of(composites[i]))];  //~ staged-value
{%- else %}
      staged.s_values_out[row_of_warp()][slot_of(column)] = position_of(composites[i]);
{%- endif %}
    }
    write_row({{ value.out }}, staged.s_values_out[row_of_warp()], valid_items);
{%- endif %}
  }

  static __device__ __forceinline__ unsigned int row_of_warp() { return lane_of_thread() / kLanes; }
