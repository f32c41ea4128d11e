 public:
  // Sorts the buckets that the first phase has left, a block one after the other. One that is larger than a block holds, or has too many
  // items in a sub-bucket, is left as it is. Behind the others the block sorts the left ones that have few distinct keys, and queues the rest
  // for the second phase: they overflow.
  static __device__ __forceinline__ void sort_buckets(const Arguments& arguments, unsigned char* shared) {
    wait_for_previous_grid();
    let_next_grid_start();
    Control& control = control_of(arguments);
    if (!control.sorts_upper_digits) return;
    BucketStorage& storage = *reinterpret_cast<BucketStorage*>(shared);
    const BucketRange range = bucket_range(arguments, control);
    const unsigned int buckets = bucket_count(arguments, control);
    Bucket bucket = find_bucket(arguments, blockIdx.x, buckets);
    bool leaves_any = false;
    while (bucket.number < buckets) {
      // The next bucket is prefetched while one is sorted.
      const Bucket next = find_bucket(arguments, bucket.number + gridDim.x, buckets);
      if (threadIdx.x == 0) prefetch_bucket(arguments, next);
      const bool is_left = bucket.size > kBucketItems || (bucket.size > 0 && !sort_bucket(arguments, storage, range, bucket));  //~ bucket-left-to-passes
      leaves_any |= is_left;
      if (threadIdx.x == 0) sorted_offsets_of(arguments)[bucket.number] = is_left ? bucket.size : 0;  //~ left-bucket
      // All have read what the next bucket overwrites.
      __syncthreads();  //~ next-bucket
      bucket = next;
    }
    if (leaves_any) sort_left_buckets(arguments, control, storage, range, buckets);
  }

 private:
  // The items of one number.
  struct Bucket {
    unsigned int number;
    Count first;
    Count size;
  };

  // What a bucket is sorted by: some compared bits, which are the key's from `bit` up{% if maps_values %}, or what the linear map gives
  // behind the point{% endif %}; and the sub-buckets that it makes.
  struct BucketRange {
    int bit;
    int bits;
    // Sub-buckets for each 2^32 values of compared bits.
    unsigned int scale;
{%- if maps_values %}
    bool is_mapped;
{%- endif %}

    __device__ __forceinline__ unsigned int sub_bucket_of(unsigned int compared) const { return __umulhi(compared, scale); }
    // Where in their sub-bucket's range compared bits are, of 2^32.
    __device__ __forceinline__ unsigned int within_sub_bucket(unsigned int compared) const { return compared * scale; }
  };

  static __device__ __forceinline__ BucketRange bucket_range(const Arguments& arguments, const Control& control) {
    const int bits = is_mapped(control) ? 32 : control.upper_bit - arguments.begin_bit;
{%- if maps_values %}
    const unsigned int scale = static_cast<unsigned int>((static_cast<unsigned long long>(kSubBuckets) << 32) >> bits);
    return {arguments.begin_bit, bits, scale, is_mapped(control)};
{%- else %}
    // Below shared bits there may be fewer values than sub-buckets: then nearly each has one of its own.
    constexpr unsigned long long kMostScale = ~0u;
    const unsigned long long even = (static_cast<unsigned long long>(kSubBuckets) << 32) >> bits;
    const unsigned int scale = static_cast<unsigned int>(even < kMostScale ? even : kMostScale);
    return {arguments.begin_bit, bits, scale};
{%- endif %}
  }
{%- if !sorts_positions %}

  // What all keys of a bucket are above its range. The bits that all keys share are read for each bucket: in a register they would cost spills.
  static __device__ __forceinline__ Bits bits_above_range(const Arguments& arguments, BucketRange range, const Bucket& bucket) {
    const SharedBits shared_bits = control_of(arguments).shared_bits;
    const Bits shared = shared_bits.count != 0 ? shared_bits.of_keys() : 0;
    return shared | static_cast<Bits>(bucket.number) << range.bits;  //~ bits-above-range
  }
{%- endif %}

  // As many sub-buckets as items.
  static constexpr unsigned int kSubBuckets = kBucketItems;
{%- if sorts_positions %}
  // One of more items than this overflows: composite keys do not tell it from those near by.
  static constexpr unsigned int kMaxSubBucket = {{ max_sub_bucket }};
{%- else %}
  // One overflows that is not in order after this many rounds. As many as any sub-bucket of this many items takes.
  static constexpr unsigned int kMaxSubBucket = {{ max_sub_bucket }};
  static constexpr unsigned int kMaxRounds = (kMaxSubBucket + kRows / 2 - 2) / kRows;
{%- endif %}
  using KeySlots = PaddedSlots<kRows>;
  using BucketScan = WarpScans<kBucketThreads>;
  // Whether register windows compare composite keys with items' positions, and not keys alone.
  static constexpr bool kSortsPositions = {{ sorts_positions }};
{%- if sorts_positions %}
  using Keys = CompositeKeys<13, 7>;
  static_assert(kBucketThreads * KeySlots::kSlotsPerThread <= 1u << Keys::kPositionBits, "a slot has room, and so have an offset and a position");
  // Buckets differ in the uppermost digit, at least; three are left. A fraction tells all {% if maps_values %}keys that are compared by their own bits{% else %}keys of a sub-bucket{% endif %} apart.
  static_assert(static_cast<unsigned long long>(kSubBuckets) << Keys::kFractionBits >= 1ull << 3 * kRadixBits, "a fraction tells keys apart");
  static_assert(kMaxSubBucket + 2 * kRows <= 1u << Keys::kStartBits, "the start bits tell sub-buckets apart");
{%- else %}
  using Keys = PlainKeys;
{%- endif %}
  using Windows = RegisterWindows<kRows, KeySlots, Keys, kMaxSubBucket>;

  // What a block keeps of a bucket in shared memory.
  struct BucketStorage {
{%- if sorts_positions %}
    union {
{%- endif %}
      // Items of each sub-bucket, then its first offset.
      __align__(16) unsigned int counters[kBucketThreads * KeySlots::kSlotsPerThread];
      // At each offset what register windows compare; one register window's behind the last one.
      __align__(16) unsigned int keys_to_sort[(kBucketThreads + 1) * KeySlots::kSlotsPerThread];
{%- if sorts_positions %}
    };
{%- endif %}
    typename BucketScan::Storage scan;
    // The items of the largest sub-bucket, where one is not small.
    unsigned int max_count;
{%- if interleaves %}
    Item items[kBucketItems];
{%- else %}
{%- if sorts_positions %}
    StoredBits keys[kBucketItems];
{%- endif %}
{%- if value.exists %}
    Value values[kBucketItems];
{%- endif %}
{%- endif %}
  };
  static_assert(sizeof(BucketStorage) == kBucketSharedBytes, "the storage is laid out as planned");

  static __device__ __forceinline__ Bucket find_bucket(const Arguments& arguments, unsigned int number, unsigned int buckets) {
    if (number >= buckets) return {number, 0, 0};
    const Count* const offsets = bucket_offsets_of(arguments) + number;
    return {number, offsets[0], offsets[1] - offsets[0]};
  }

  // Sorts a bucket: scatters its items to sub-buckets, then sorts overlapping register windows of them. Returns false, and has written
  // nothing, if a sub-bucket overflows. All threads of the block call it; barriers lie within, and none at the end.
  static __device__ __forceinline__ bool sort_bucket(const Arguments& arguments, BucketStorage& storage, BucketRange range, Bucket bucket) {
    unsigned int compared_keys[kRows];
    load_bucket(arguments, storage, compared_keys, bucket, range);
    FourWords* const own = reinterpret_cast<FourWords*>(storage.counters + threadIdx.x * KeySlots::kSlotsPerThread);
#pragma unroll
    for (unsigned int i = 0; i < KeySlots::kSlotsPerThread / 4; ++i) own[i] = FourWords{};
    if (threadIdx.x == 0) storage.max_count = 0;
    __syncthreads();
{%- if value.exists %}
    if (!scatter_to_sub_buckets(storage, compared_keys, bucket, range)) {
      // Copies land where those of the block's next bucket go.
      wait_for_copies();
      return false;
    }
{%- else %}
    if (!scatter_to_sub_buckets(storage, compared_keys, bucket, range)) return false;
{%- endif %}
    const unsigned int behind = bucket.size + threadIdx.x;
    if (threadIdx.x < kRows) storage.keys_to_sort[KeySlots::of(behind)] = Keys::Compared::behind_last(behind).bits;  //~ padding-of-register-windows
    __syncthreads();
    {% if value.exists %}wait_for_copies();
    {% endif %}{% if sorts_positions %}sort_register_windows(storage, bucket.size, storage.max_count);{% else %}if (!sort_register_windows(storage, bucket.size, storage.max_count)) return false;{% endif %}
{%- if maps_values %}
    if (range.is_mapped) {
      const bool in_order = write_bucket<true>(arguments, storage, bucket, range);
      if (!__syncthreads_or(!in_order)) return true;  //~ ties-left
      sort_ties(storage, bucket.size);
    }
    write_bucket<false>(arguments, storage, bucket, range);
{%- else %}
    write_bucket(arguments, storage, bucket, range);
{%- endif %}
    return true;
  }

{% include "device/radix/bucket_items.cuh" %}

{% include "device/radix/sub_buckets.cuh" %}

{% include "device/radix/distinct_keys.cuh" %}
