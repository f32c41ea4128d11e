  // Rows of items have one for each thread. How many items there are from the thread's own in the first row on.
  static __device__ __forceinline__ int items_from_here(Part part) { return static_cast<int>(opaque(part.size) - threadIdx.x); }

  // Whether a row has an item for the thread.
  static __device__ __forceinline__ bool is_there(int row, int left) { return row * static_cast<int>(kPartThreads) < left; }  //~ item-of-bucket

  // Does something for those rows that may have an item: the last ones of small parts have none.
  template <typename Work>
  static __device__ __forceinline__ void for_rows(Part part, const Work& work) {
    constexpr int kFewRows = {{ few_rows }};
    work(0, kFewRows);
    if (part.size > kFewRows * kPartThreads) work(kFewRows, kPlacesPerThread);  //~ rows-of-a-bucket
  }

  template <typename Work>
  static __device__ __forceinline__ void for_each_row(Part part, const Work& work) {
    for_rows(part, [&](int first, int end) {
#pragma unroll
      for (int row = first; row < end; ++row) work(row);
    });
  }

  static __device__ __forceinline__ void prefetch_part(const Arguments& arguments, Part part) {
{%- if interleaves %}
    if (leaves_items(arguments)) {
      BulkCopies::prefetch(left_items(arguments) + part.first, part.size * sizeof(Item));
      return;
    }
{%- endif %}
    BulkCopies::prefetch(arguments.keys_out + part.first, part.size * sizeof(Key));
{%- if has_values %}
    BulkCopies::prefetch(arguments.values_out + part.first, part.size * sizeof(Value));
{%- endif %}
  }

  // Brings the part to shared memory where its items are to be found by their positions, and what they are sorted by to registers.
  static __device__ __forceinline__ void load_part(const Arguments& arguments, {% if !places_items %}[[maybe_unused]] {% endif %}PartStorage& storage,
                                                   unsigned int (&orders)[kPlacesPerThread], Part part, PartRange range) {
    const int left = items_from_here(part);
{%- if interleaves %}
    if (leaves_items(arguments)) {
      const Item* const items = left_items(arguments) + part.first + threadIdx.x;
      Item loaded[kPlacesPerThread];
      for_each_row(part, [&](int row) { loaded[row] = is_there(row, left) ? items[row * kPartThreads] : Item{}; });
      for_each_row(part, [&](int row) {
        storage.items[row * kPartThreads + threadIdx.x] = loaded[row];
        orders[row] = loaded[row].key;
      });
    } else {
      load_arrays(arguments, storage, orders, part, left);
    }
{%- else %}
    load_arrays(arguments, storage, orders, part, left);
{%- endif %}
    const auto key_at = [&](int row) { return bits_as<Key>(static_cast<StoredBits>(orders[row])); };
{%- if spreads %}
    if (range.is_spread) {
      const Spread spread = control_of(arguments).spread;
      for_each_row(part, [&](int row) { orders[row] = spread.order_within(part.number, key_at(row)); });
      return;
    }
{%- endif %}
    const unsigned int mask = (1u << range.bits) - 1u;
    for_each_row(part, [&](int row) {
      const Bits ordered = to_ordered_bits(key_at(row));
      orders[row] = {% if key.is_float %}compared_bits(ordered){% else %}ordered{% endif %} >> range.bit & mask;
    });
  }

  // Keys and values from arrays of their own.
  static __device__ __forceinline__ void load_arrays(const Arguments& arguments, {% if !places_items %}[[maybe_unused]] {% endif %}PartStorage& storage,
                                                     unsigned int (&orders)[kPlacesPerThread], Part part, int left) {
    const Key* const keys = arguments.keys_out + part.first + threadIdx.x;
    for_each_row(part, [&](int row) {
      orders[row] = is_there(row, left) ? bits_as<StoredBits>(keys[row * kPartThreads]) : StoredBits(0);
    });
{%- if has_values %}
    // Where there is no item the last one is copied: that is less work than to ask.
    const Value* const values = arguments.values_out + part.first;
    for_each_row(part, [&](int row) {
      const unsigned int position = row * kPartThreads + threadIdx.x;
      copy_async(&storage.{% if interleaves %}items[position].value{% else %}values[position]{% endif %}, &values[position < part.size ? position : part.size - 1]);
    });
{%- endif %}
{%- if places_items %}
    for_each_row(part, [&](int row) {
      const unsigned int position = row * kPartThreads + threadIdx.x;
      storage.{% if interleaves %}items[position].key{% else %}keys[position]{% endif %} = orders[row];
    });
{%- endif %}
  }
{%- if places_items %}
{%- if spreads %}

  // Sorts runs of items that the words do not tell apart by their keys, each by the thread that meets its first item.
  static __device__ __forceinline__ void sort_ties(PartStorage& storage, unsigned int size) {
    const auto word_at = [&](unsigned int place) -> unsigned int& { return storage.words[slot_of(place)]; };
    const auto key_at = [&](unsigned int place) { return compared_key(storage, word_at(place)); };
    for (unsigned int row = 0; row < size; row += kPartThreads) {
      const unsigned int first = row + threadIdx.x;
      const auto is_tied = [&](unsigned int place) { return word_at(place) >> kPositionBits == word_at(first) >> kPositionBits; };
      unsigned int end = first + 1;
      if (first < size && (first == 0 || !is_tied(first - 1))) {
        while (end < size && is_tied(end)) ++end;
      }
      // All have found the ends before any changes places.
      __syncthreads();
      for (unsigned int next = first + 1; next < end; ++next) {  //~ tied-keys
        const unsigned int word = word_at(next);
        const Bits key = key_at(next);
        unsigned int place = next;
        for (; place > first && key_at(place - 1) > key; --place) word_at(place) = word_at(place - 1);  //~ insertion-of-ties
        word_at(place) = word;
      }
      __syncthreads();
    }
  }

  // What is compared of the key of an item that has this word.
  static __device__ __forceinline__ Bits compared_key(const PartStorage& storage, unsigned int word) {
    return compared_bits(to_ordered_bits(bits_as<Key>(storage.{% if interleaves %}items[position_of(word)].key{% else %}keys[position_of(word)]{% endif %})));
  }
{%- endif %}

  static __device__ __forceinline__ unsigned int position_of(unsigned int word) { return word & ((1u << kPositionBits) - 1u); }
{%- endif %}

{%- if spreads %}

  // Returns whether keys are in order, if it is to see to that.
  template <bool kSeesToOrder>
  static __device__ __forceinline__ bool write_part(const Arguments& arguments, const PartStorage& storage, Part part, PartRange) {
{%- else %}

  static __device__ __forceinline__ void write_part(const Arguments& arguments, const PartStorage& storage, Part part,
                                                    [[maybe_unused]] PartRange range) {
{%- endif %}
    Key* const keys = arguments.keys_out + part.first + threadIdx.x;
{%- if has_values %}
    Value* const values = arguments.values_out + part.first + threadIdx.x;
{%- endif %}
    // A row's slots follow the one before.
    constexpr unsigned int kRowSlots = kPartThreads / kPlacesPerThread * kSlotsPerThread;
    static_assert(kPartThreads % kPlacesPerThread == 0, "rows begin where a thread's places do");
    const unsigned int* const words = storage.words + slot_of(threadIdx.x);
    const int left = items_from_here(part);
{%- if interleaves %}
    // A second phase would sort what is in the arrays, keys with values, but for items that are left elsewhere.
    const bool writes_keys = arguments.writes_keys || !leaves_items(arguments);  //~ writes-keys-of-buckets
{%- endif %}
{%- if spreads %}
    bool in_order = true;
    // The keys before each row of the warp, a lane for each.
    [[maybe_unused]] Bits before_row = 0;
    if constexpr (kSeesToOrder) {
      const unsigned int place = threadIdx.x % 32 * kPartThreads + threadIdx.x / 32 * 32;
      if (place > 0 && place < part.size) before_row = compared_key(storage, storage.words[slot_of(place - 1)]);
    }
{%- endif %}
    for_each_row(part, [&](int row) {
{%- if places_items %}
      // Where there is no item, any will do.
      const unsigned int position = is_there(row, left) ? position_of(words[row * kRowSlots]) : 0;
{%- if interleaves %}
      const Item item = storage.items[position];
      const Key key = bits_as<Key>(item.key);
      const Value value = item.value;
{%- else %}
      const Key key = bits_as<Key>(storage.keys[position]);
{%- if has_values %}
      const Value value = storage.values[position];
{%- endif %}
{%- endif %}
{%- if spreads %}
      if constexpr (kSeesToOrder) {
        const Bits own = compared_bits(to_ordered_bits(key));
        const Bits below = __shfl_up_sync(~0u, own, 1);
        const Bits before = __shfl_sync(~0u, before_row, row);
        in_order &= !is_there(row, left) || (threadIdx.x % 32 == 0 ? before : below) <= own;  //~ key-before
      }
{%- endif %}
      if (is_there(row, left){% if interleaves %} && writes_keys{% endif %}) keys[row * kPartThreads] = key;
{%- if has_values %}
      if (is_there(row, left)) values[row * kPartThreads] = value;  //~ value-of-a-bucket
{%- endif %}
{%- else %}
      // All bits of the key are known.
      if (is_there(row, left)) keys[row * kPartThreads] = to_key(static_cast<Bits>(part.number) << range.bits | words[row * kRowSlots]);  //~ key-of-a-bucket
{%- endif %}
    });
{%- if spreads %}
    return in_order;
{%- endif %}
  }
