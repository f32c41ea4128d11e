// A position among marks, which are a bit each in rows of 32:
//
//   | row: all other bits | bit of the row: 5 bits |
struct MarkSlot {
  static constexpr unsigned int kRowPositions = 32;
  unsigned int position;

  __device__ __forceinline__ unsigned int row() const { return position / kRowPositions; }
  __device__ __forceinline__ unsigned int mask() const { return 1u << position % kRowPositions; }
  // The marks of its row from this position on: bit 0 is its own.
  __device__ __forceinline__ unsigned int from_here(const unsigned int* rows) const { return rows[row()] >> position % kRowPositions; }
  __device__ __forceinline__ bool is_set(const unsigned int* rows) const { return (from_here(rows) & 1u) != 0; }
};
