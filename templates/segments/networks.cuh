 private:
  // Whether all bits of keys take part. Networks compare no fewer.
  static __device__ __forceinline__ bool takes_all_bits(const Arguments& arguments) {
    return arguments.begin_bit == 0 && arguments.end_bit == kKeyBits;  //~ all-bits
  }

  // Sorts a tile by a network of kThreads threads, to the same positions of other arrays or in place.
  template <unsigned int kThreads, typename Network>
  static __device__ __forceinline__ void sort_by_network(const Arguments& arguments, Network network, unsigned int thread, const Tile& tile,
                                                         Key* keys_to{% if value.exists %}, Value* values_to{% endif %}) {
    constexpr unsigned int kItems = Network::kItemsPerThread;
    const unsigned int valid_items = tile.items();
    const unsigned long long start = tile.begin + tile.offset;
    typename Network::Keys keys;
{%- if value.exists %}
    typename Network::Values values;
{%- endif %}
#pragma unroll
    for (unsigned int i = 0; i < kItems; ++i) {
      // What is past the end does not matter. It is read from where there is something.
      const unsigned int position = i * kThreads + thread;
      const unsigned long long from = start + (position < valid_items ? position : 0);  //~ network-source
      keys[i] = arguments.keys_in[from];
{%- if value.is_read %}
      values[i] = arguments.values_in[from];
{%- endif %}
    }
    // In place, items are overwritten that other threads read; and threads of the block may still read the previous tile from the network's
    // storage.
    wait_for_group<kThreads>();  //~ network-read
    network.Sort(keys, {% if value.exists %}values, {% endif %}static_cast<int>(valid_items));
{%- if value.is_position %}
    const unsigned long long base = tile.offset + (arguments.absolute_positions != 0 ? tile.begin : 0);  //~ base-of-network
{%- endif %}
#pragma unroll
    for (unsigned int i = 0; i < kItems; ++i) {
      const unsigned int position = i * kThreads + thread;
      if (position < valid_items) {  //~ network-item
        keys_to[start + position] = keys[i];
{%- if value.is_read %}
        values_to[start + position] = values[i];
{%- else if value.is_position %}
        values_to[start + position] = static_cast<Value>(base + values[i]);
{%- endif %}
      }
    }
  }
