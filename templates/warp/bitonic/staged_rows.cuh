  // Rows of a matrix: row r is the `columns` items from r * stride on.
  struct Rows {
    const Key* keys_in;
    Key* keys_out;
{%- if value.is_read %}
    const Value* values_in;
{%- endif %}
{%- if value.exists %}
    Value* {{ value.out }};
{%- endif %}
    unsigned long long rows;
    unsigned int columns;
    unsigned long long stride;
  };

  // A row in shared memory has a gap behind every 32 items, and the next row begins kLanes banks further on. So neither lanes that
  // have neighbouring items nor lanes that have runs of 32 items each meet in a bank.
  static constexpr unsigned int kRowPitch = {{ row_pitch }};

  static constexpr unsigned int kReadsOfRow = (kTileItems + 31) / 32;

  static __device__ __forceinline__ unsigned int slot_of(unsigned int column) { return column + column / 32; }

  // Moves the rows of this warp's logical warps to shared memory. Neighbouring lanes read neighbouring items, wherever rows begin.
  template <typename T>
  static __device__ __forceinline__ void rows_to_shared(const T* items, const Rows& rows, T (*s_rows)[kRowPitch]) {
    const unsigned long long first = first_row_of_warp();
#pragma unroll 4
    for (unsigned int r = 0; r < kRowsPerWarp; ++r) {
      const T* const row = items + (first + r) * rows.stride;  //~ staged-from
      // All reads of a row are under way before the first one ends.
      T read[kReadsOfRow];
#pragma unroll
      for (unsigned int i = 0; i < kReadsOfRow; ++i) {
        const unsigned int column = i * 32 + lane_of_thread();
        if (first + r < rows.rows && column < rows.columns) read[i] = row[column];  //~ staged-row
      }
#pragma unroll
      for (unsigned int i = 0; i < kReadsOfRow; ++i) {
        const unsigned int column = i * 32 + lane_of_thread();
        if (column < rows.columns) s_rows[r][slot_of(column)] = read[i];
      }
    }
  }

  // Moves them from there, when all lanes have written theirs. Nothing between rows is written.
  template <typename T>
  static __device__ __forceinline__ void shared_to_rows(T* items, const Rows& rows, const T (*s_rows)[kRowPitch]) {
    __syncwarp();
    const unsigned long long first = first_row_of_warp();
    for (unsigned int r = 0; r < kRowsPerWarp && first + r < rows.rows; ++r) {
      T* const row = items + (first + r) * rows.stride;  //~ staged-to
      for (unsigned int column = lane_of_thread(); column < rows.columns; column += 32) row[column] = s_rows[r][slot_of(column)];
    }
  }

  static __device__ __forceinline__ unsigned long long first_row_of_warp() {
    return static_cast<unsigned long long>(blockIdx.x) * kTilesPerBlock + threadIdx.x / 32 * kRowsPerWarp;
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

  // Reads the logical warp's own row by way of shared memory. Items beyond the columns and rows beyond the last one come last, and
  // are not written.
  __device__ __forceinline__ void load_staged(const Rows& rows, StagedRows& staged, Word (&words)[kItemsPerThread]) const {
    rows_to_shared(rows.keys_in, rows, staged.s_keys);
{%- if value.is_read %}
    rows_to_shared(rows.values_in, rows, staged.s_values);
{%- endif %}
    __syncwarp();
#pragma unroll
    for (unsigned int i = 0; i < kItemsPerThread; ++i) {
      const unsigned int column = position<Arrangement::kStriped>(i);
      const bool is_valid = column < rows.columns;  //~ column-is-valid
      words[i] = word_of(is_valid ? staged.s_keys[row_of_warp()][slot_of(column)] : Key(), column, is_valid);
    }
  }

  // Writes it by way of the same memory, when all lanes have read theirs there: the keys, then the values.
  __device__ __forceinline__ void store_staged(const Word (&words)[kItemsPerThread], const Rows& rows, StagedRows& staged) const {
#pragma unroll
    for (unsigned int i = 0; i < kItemsPerThread; ++i) {
      staged.s_keys[row_of_warp()][slot_of(position<Arrangement::kBlocked>(i))] = key_of(words[i]);
    }
    {% if value.is_position %}if (rows.keys_out != nullptr) {% endif %}shared_to_rows(rows.keys_out, rows, staged.s_keys);{% if value.is_position %}  //~ staged-keys-wanted{% endif %}
{%- if value.exists %}
    // The keys have been read from there.
    __syncwarp();
#pragma unroll
    for (unsigned int i = 0; i < kItemsPerThread; ++i) {
      const unsigned int column = position<Arrangement::kBlocked>(i);
{%- if value.is_read %}
      if (column < rows.columns) staged.s_values_out[row_of_warp()][slot_of(column)] = staged.s_values[row_of_warp()][slot_of(position_of(words[i]))];  //~ staged-value
{%- else %}
      staged.s_values_out[row_of_warp()][slot_of(column)] = position_of(words[i]);
{%- endif %}
    }
    shared_to_rows(rows.{{ value.out }}, rows, staged.s_values_out);
{%- endif %}
  }

  static __device__ __forceinline__ unsigned int row_of_warp() { return lane_of_thread() / kLanes; }
