  // Marks the positions of the tile where bins begin, and lines that begin within a bin.
  static __device__ __forceinline__ void mark_bins(Storage& storage, unsigned int tile, unsigned int start) {
    const bool has_overflows = storage.overflow_count > 0;
    // Each warp has lines of all tiles.
    for (unsigned int line = warp_of(threadIdx.x); line < kBinLines; line += kWarps) {
      const unsigned int first = storage.lines[line] + start;
      const unsigned int end = storage.lines[line + 1] + start;
      if (first == end || first >= tile + kTileItems || end <= tile) continue;  //~ line-in-tile
      const unsigned int bin = first_bin(line);
      unsigned int keys[kVectorKeys];
      load_bins(storage, has_overflows, bin, keys);
      unsigned int own = 0;
#pragma unroll
      for (int i = 0; i < kVectorKeys; ++i) own += keys[i];
      const unsigned int to_here = inclusive_sum_in_warp(own, ~0u);
      // Positions in the tile, which are negative before it.
      int position = static_cast<int>(first + to_here - own - tile);
      const bool crosses_lines = own > 0 && line_of(position) != line_of(position + static_cast<int>(own) - 1);
      if (crosses_lines) mark_lines(storage, bin, keys, position);
#pragma unroll
      for (int i = 0; i < kVectorKeys; ++i) {
        const bool is_in_tile = static_cast<unsigned int>(position) < kTileItems;  //~ mark-in-tile
        if (keys[i] > 0 && is_in_tile) storage.marks[position] = static_cast<unsigned short>(bin + i);
        position += static_cast<int>(keys[i]);
      }
    }
  }

  // The line of a position in the tile; lines before the tile are negative.
  static __device__ __forceinline__ int line_of(int position) { return position >> {{ line_log2 }}; }

  // Marks the lines that begin within the thread's bins, the first of which begins at a position.
  static __device__ __forceinline__ void mark_lines(Storage& storage, unsigned int bin, const unsigned int (&keys)[kVectorKeys],
                                                    int position) {
#pragma unroll
    for (int i = 0; i < kVectorKeys; ++i) {
      const int end = position + static_cast<int>(keys[i]);
      const int most = end < kTileItems ? end : kTileItems;  //~ lines-of-tile
      const int next = line_of(position) + 1;
      for (int line = (next > 0 ? next : 0) * static_cast<int>(kLineKeys); line < most; line += kLineKeys) {  //~ marked-lines
        storage.marks[line] = static_cast<unsigned short>(bin + i);
      }
      position = end;
    }
  }

  // Writes the tile, line by line, of a row that has the positions from start to end.
  static __device__ __forceinline__ void write_tile(const Arguments& arguments, const Storage& storage, unsigned int tile, unsigned int start,
                                                    unsigned int end{% if key.is_float %}, bool has_both_zeros{% endif %}) {
    const unsigned int left = end - tile < kTileItems ? end - tile : kTileItems;
    for (unsigned int line = warp_of(threadIdx.x); line * kLineKeys < left; line += kWarps) {  //~ lines-of-warp
      const unsigned int vector = line * 32 + lane_of(threadIdx.x);
      const Vector own = reinterpret_cast<const Vector*>(storage.marks)[vector];
      unsigned int bins[kVectorKeys];
      unsigned int largest = 0;
#pragma unroll
      for (int i = 0; i < kVectorKeys; ++i) {
        const unsigned int mark = own.key(i);
        largest = mark > largest ? mark : largest;
        bins[i] = largest;
      }
      const unsigned int before = largest_before(largest);
#pragma unroll
      for (int i = 0; i < kVectorKeys; ++i) bins[i] = bins[i] > before ? bins[i] : before;  //~ largest-mark
      write_vector(arguments, bins, tile + vector * kVectorKeys, start, end{% if key.is_float %}, has_both_zeros{% endif %});
    }
  }

  // The largest number of the lanes below.
  static __device__ __forceinline__ unsigned int largest_before(unsigned int largest) {
#pragma unroll
    for (int distance = 1; distance < 32; distance *= 2) {  //~ lanes-below
      const unsigned int below = __shfl_up_sync(~0u, largest, distance);
      largest = below > largest ? below : largest;
    }
    const unsigned int before = __shfl_up_sync(~0u, largest, 1);
    return lane_of(threadIdx.x) == 0 ? 0 : before;
  }

  // Writes the keys of bins at neighbouring positions{% if key.is_float %}, but for zeros that are there already{% endif %}.
  static __device__ __forceinline__ void write_vector(const Arguments& arguments, const unsigned int (&bins)[kVectorKeys],
                                                      unsigned int position, unsigned int start,
                                                      unsigned int end{% if key.is_float %}, bool has_both_zeros{% endif %}) {
    unsigned int bits[kVectorKeys];
#pragma unroll
    for (int i = 0; i < kVectorKeys; ++i) bits[i] = bits_as<StoredBits>(to_key(bins[i]));
    const bool is_full = position >= start && position + kVectorKeys <= end;  //~ full-vector
{%- if key.is_float %}
    const bool has_zeros = has_both_zeros && bins[0] <= kSign && bins[kVectorKeys - 1] >= kSign - 1;  //~ vector-with-zeros
    if (is_full && !has_zeros) {
{%- else %}
    if (is_full) {
{%- endif %}
      Vector vector;
#pragma unroll
      for (int word = 0; word < 4; ++word) vector.words[word] = Vector::pack(bits[2 * word], bits[2 * word + 1]);
      *reinterpret_cast<Vector*>(arguments.keys_out + (position - start)) = vector;
      return;
    }
#pragma unroll
    for (unsigned int i = 0; i < kVectorKeys; ++i) {
      if (position + i < start || position + i >= end) continue;  //~ position-of-row
{%- if key.is_float %}
      if (has_zeros && bits[i] % kSign == 0) continue;  //~ written-zero
{%- endif %}
      arguments.keys_out[position + i - start] = bits_as<Key>(static_cast<StoredBits>(bits[i]));
    }
  }
