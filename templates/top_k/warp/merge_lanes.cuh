  // The lane in its row.
  __device__ __forceinline__ unsigned int row_lane() const { return lane_ % kRowLanes; }
  __device__ __forceinline__ RowStorage& own_row() const { return storage_.rows[lane_ / kRowLanes]; }

  // Writes the first k slots of each row in the order of their keys. `order` may be read behind the next barrier.
  __device__ __forceinline__ void order_rows(const Key* row, unsigned int columns, unsigned int k) const {
    Limbs<1> composites[kItemsPerThread];
    const Excess excess = composites_of(row, columns, composites);
    sort_lane(composites);
{%- if !keeps_all %}
    // The least composite key that this lane knows not to be among the first kMaxK.
    unsigned int excluded = {% if run_items < items %}composites[kRunItems].limb[0]{% else %}~0u{% endif %};
{%- endif %}
    Limbs<1> run[kRunItems];
#pragma unroll
    for (int i = 0; i < kRunItems; ++i) run[i] = composites[i];
#pragma unroll
    for (int lanes = 1; lanes < kRowLanes; lanes *= 2) merge_with_lanes(run, lanes{% if !keeps_all %}, excluded{% endif %});
    if (row_lane() < kRunLanes) {
      SlotVector slots;
#pragma unroll
      for (int i = 0; i < kRunItems; ++i) slots.slots[i] = static_cast<Slot>(run[i].limb[0] % kMaxColumns);
      reinterpret_cast<SlotVector*>(own_row().order)[row_lane()] = slots;
    }
    const bool are_tied = has_ties(run{% if !keeps_all %}, excluded{% endif %});
    if (!__any_sync(~0u, are_tied && excess.leaves_bits_out())) return;
    __syncwarp();
    bool is_wrong = is_out_of_order(run);
{%- if !keeps_all %}
    // Items that are equal to the last of the k are in order by their slots.
    if (__any_sync(~0u, is_tied_with(excluded, excess, k))) is_wrong |= has_other_tie(excess, k);
{%- endif %}
    const unsigned int wrong_lanes = __ballot_sync(~0u, is_wrong && excess.leaves_bits_out());  //~ bits-of-row-decide
    if (wrong_lanes == 0) return;
    __syncwarp();  //~ check-before-slots
#pragma unroll 1
    for (int number = 0; number < kRowsOfWarp; ++number) {
      const unsigned int lanes_of_row = ~0u >> (32 - kRowLanes) << number * kRowLanes;
      if (wrong_lanes & lanes_of_row) order_slots_by_all_bits(storage_.rows[number], columns);
    }
  }

  // Loads the items of this lane's row, writes their keys to slots, and makes composite keys of them.
  __device__ __forceinline__ Excess composites_of(const Key* row, unsigned int columns,
                                                  Limbs<1> (&composites)[kItemsPerThread]) const {
    Key keys[kItemsPerThread];
    load(row, columns, keys);
    Bits bits[kItemsPerThread];
#pragma unroll
    for (int i = 0; i < kItemsPerThread; ++i) bits[i] = compared_bits(to_ordered_bits(keys[i]));
    const Excess excess = excess_of(bits);
#pragma unroll
    for (int i = 0; i < kItemsPerThread; ++i) composites[i].limb[0] = excess.composite_of(bits[i], position_of(i));
    if (columns < kMaxColumns) {
#pragma unroll
      for (int i = 0; i < kItemsPerThread; ++i) {
        if (position_of(i) >= columns) {  //~ columns-past-the-end
          composites[i].limb[0] = ~0u;
          keys[i] = to_key(kAllBits);
        }
      }
    }
#pragma unroll
    for (int vector = 0; vector < kVectors; ++vector) {
      KeyVector of_vector;
#pragma unroll
      for (int i = 0; i < kVectorItems; ++i) of_vector.keys[i] = keys[vector * kVectorItems + i];
      own_row().vectors[vector * kRowLanes + row_lane()] = of_vector;
    }
    return excess;
  }

  // The least bits of a row, and how many bits others need beyond these. Lanes have items of the row alone.
  static __device__ __forceinline__ Excess excess_of(const Bits (&bits)[kItemsPerThread]) {
    Bits least = bits[0];
    Bits largest = bits[0];
#pragma unroll
    for (int i = 1; i < kItemsPerThread; ++i) {
      least = bits[i] < least ? bits[i] : least;
      largest = largest < bits[i] ? bits[i] : largest;
    }
#pragma unroll
    for (int lanes = 1; lanes < kRowLanes; lanes *= 2) {
      const Bits less = value_of_limbs<Bits>(across(limbs_of<kBitsLimbs>(least), lanes));
      const Bits greater = value_of_limbs<Bits>(across(limbs_of<kBitsLimbs>(largest), lanes));
      least = less < least ? less : least;  //~ least-of-lanes
      largest = largest < greater ? greater : largest;  //~ largest-of-lanes
    }
    return {least, length_of(largest - least)};
  }

  // Sorts the lane's items.
  static __device__ __forceinline__ void sort_lane(Limbs<1> (&items)[kItemsPerThread]) {
    unsigned int words[kItemsPerThread];
#pragma unroll
    for (int i = 0; i < kItemsPerThread; ++i) words[i] = items[i].limb[0];
    OddEvenMerge<kItemsPerThread>::sort(words);
#pragma unroll
    for (int i = 0; i < kItemsPerThread; ++i) items[i].limb[0] = words[i];
  }

  // Merges the run of these lanes with that of as many lanes beside it.{% if !keeps_all %} Of runs of kMaxK items the first kMaxK are kept, by the lanes of
  // either, and `excluded` becomes the least item that this lane knows not to be among them.{% endif %}
  __device__ __forceinline__ void merge_with_lanes(Limbs<1> (&run)[kRunItems], int lanes{% if !keeps_all %}, unsigned int& excluded{% endif %}) const {
{%- if keeps_all %}
    const int lanes_of_run = lanes;
{%- else %}
    const int lanes_of_run = lanes < kRunLanes ? lanes : kRunLanes;
{%- endif %}
    Limbs<1> mirrored[kRunItems];
#pragma unroll
    for (int i = 0; i < kRunItems; ++i) mirrored[i] = across(run[kRunItems - 1 - i], lanes | (lanes_of_run - 1));
{%- if !keeps_all %}
    if (lanes >= kRunLanes) {
#pragma unroll
      for (int i = 0; i < kRunItems; ++i) {
        const unsigned int greater = max(run[i].limb[0], mirrored[i].limb[0]);
        excluded = min(excluded, greater);  //~ excluded-in-lane
        run[i].limb[0] = min(run[i].limb[0], mirrored[i].limb[0]);
      }
      halve_in_warp(run, lanes_of_run);
      return;
    }
{%- endif %}
#pragma unroll
    for (int i = 0; i < kRunItems; ++i) run[i] = one_of((lane_ & lanes) == 0, run[i], mirrored[i]);  //~ half-of-run
    halve_in_warp(run, lanes_of_run);
  }

  // Whether two composite keys that meet in the order agree in all but their slots, as far as this lane knows.
  __device__ __forceinline__ bool has_ties(const Limbs<1> (&run)[kRunItems]{% if !keeps_all %}, unsigned int excluded{% endif %}) const {
    const unsigned int last = run[kRunItems - 1].limb[0];
    const unsigned int first_of_next = __shfl_sync(~0u, run[0].limb[0], lane_of(lane_ + 1));
    const bool is_last_lane = row_lane() % kRunLanes == kRunLanes - 1;
    bool has = !is_last_lane && (last ^ first_of_next) < kMaxColumns;  //~ ties-of-lanes
#pragma unroll
    for (int i = 1; i < kRunItems; ++i) has |= (run[i - 1].limb[0] ^ run[i].limb[0]) < kMaxColumns;  //~ ties-in-run
{%- if !keeps_all %}
    const unsigned int last_of_all = __shfl_sync(~0u, last, lane_ / kRunLanes * kRunLanes + kRunLanes - 1);
    has |= (last_of_all ^ excluded) < kMaxColumns;  //~ ties-with-excluded
{%- endif %}
    return has;
  }

  // Whether items that composite keys have put in order are not, as far as this lane knows.
  __device__ __forceinline__ bool is_out_of_order(const Limbs<1> (&run)[kRunItems]) const {
    Bits before = 0;
    Bits first = 0;
    bool is_wrong = false;
#pragma unroll
    for (int i = 0; i < kRunItems; ++i) {
      const Bits bits = bits_in(own_row(), run[i].limb[0] % kMaxColumns);
      if (i == 0) first = bits;
      is_wrong |= bits < before;  //~ wrong-in-run
      before = bits;
    }
    const Bits of_lane_below = value_of_limbs<Bits>(from_lane(limbs_of<kBitsLimbs>(before), lane_ == 0 ? 0 : lane_ - 1));
    return is_wrong || (row_lane() % kRunLanes > 0 && first < of_lane_below);  //~ wrong-between-lanes
  }

{%- if !keeps_all %}
  // Whether the composite keys of the least excluded item that this lane knows and of the last of the k items differ in the slot alone.
  __device__ __forceinline__ bool is_tied_with(unsigned int excluded, const Excess& excess, unsigned int k) const {
    const unsigned int last = own_row().order[k - 1];
    return excess.composite_of(bits_in(own_row(), last), last) / kMaxColumns == excluded / kMaxColumns;  //~ tie-with-excluded
  }

  // Whether one of this lane's items differs from the last of the k items in the bits that are left out alone.
  __device__ __forceinline__ bool has_other_tie(const Excess& excess, unsigned int k) const {
    const RowStorage& row = own_row();
    const Bits last = bits_in(row, row.order[k - 1]);
    const unsigned int upper = excess.composite_of(last, 0) / kMaxColumns;
    bool has = false;
#pragma unroll 4
    for (int i = 0; i < kItemsPerThread; ++i) {
      const Bits bits = bits_in(row, position_of(i));
      has |= bits != last && excess.composite_of(bits, 0) / kMaxColumns == upper;  //~ other-tie
    }
    return has;
  }
{% endif %}
  // Puts the first k slots of the order in the order of their positions. It ends with a barrier.
  __device__ __forceinline__ void order_by_positions(unsigned int k) const {
    RowStorage& row = own_row();
    row.found[row_lane()] = {};
    __syncwarp();
    unsigned char* const found = reinterpret_cast<unsigned char*>(row.found);
    for (unsigned int rank = row_lane(); rank < k; rank += kRowLanes) found[row.order[rank]] = 1;
    __syncwarp();
    const Flags flags = row.found[row_lane()];
    unsigned int count = 0;
#pragma unroll
    for (int word = 0; word < kItemsPerThread / 4; ++word) count += flags.words[word];
    // The bytes' sum.
    count = count * 0x01010101u >> 24;
    unsigned int rank = count;
#pragma unroll
    for (unsigned int lanes = 1; lanes < kRowLanes; lanes *= 2) {
      const unsigned int of_lower_lanes = __shfl_up_sync(~0u, rank, lanes);
      if (row_lane() >= lanes) rank += of_lower_lanes;  //~ lanes-of-row-below
    }
    rank -= count;
#pragma unroll
    for (int i = 0; i < kItemsPerThread; ++i) {
      if (flags.words[i / 4] >> 8 * (i % 4) & 1) row.order[rank++] = static_cast<Slot>(row_lane() * kItemsPerThread + i);
    }
    __syncwarp();
  }

  // Writes the first k items of the order of each row.
  __device__ __forceinline__ void write(unsigned int count, unsigned int k, Key* keys_out, {% if found.is_more %}const Output& output{% if found.is_read %}, unsigned long long stride{% endif %}{% else %}unsigned int* positions_out{% endif %}) const {
    // A row's ranks are neighbouring lanes', as many as a warp may have.
    constexpr unsigned int kRankLanes = kMaxK < kWarpThreads ? kMaxK : kWarpThreads;
    constexpr unsigned int kRowsAtOnce = kWarpThreads / kRankLanes;
#pragma unroll 4
    for (unsigned int first = 0; first < kRowsOfWarp; first += kRowsAtOnce) {
      const unsigned int number = first + lane_ / kRankLanes;
      if (number >= count) continue;  //~ rows-that-are-there
#pragma unroll
      for (unsigned int first_rank = 0; first_rank < kMaxK; first_rank += kRankLanes) {
        const unsigned int rank = first_rank + lane_ % kRankLanes;
        if (rank >= k) continue;  //~ ranks-that-are-found
        const unsigned int slot = storage_.rows[number].order[rank];
        {% if found.is_read %}output.of_later_row(number * stride).write(number * k + rank, slot){% else if found.is_more %}output.write(number * k + rank, slot){% else %}positions_out[number * k + rank] = slot{% endif %};{% if found.is_read %}  //~ values-of-row{% endif %}
        if (keys_out) keys_out[number * k + rank] = key_in(storage_.rows[number], slot);
      }
    }
  }
