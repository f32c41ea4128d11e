 public:
  // Sorts oversized buckets, until there are no more: their chunks, sorted and written one behind the other, are the runs of a merge sort between the
  // result and the alternate arrays, of which no other block needs those items. One block sorts a bucket; all buckets together have the
  // array's items, so the work is at most that of a merge sort of the array.
  static __device__ __forceinline__ void sort_oversized_buckets(const Arguments& arguments, unsigned char*) {
    wait_for_previous_grid();
    let_next_grid_start();
    const Scratch scratch(arguments);
    const unsigned int buckets = scratch.counts().oversized;
    for (unsigned int number = blockIdx.x; number < buckets; number += gridDim.x) {
      const OversizedBucket bucket = scratch.oversized()[number];
      const BucketItems result{arguments.keys_out + bucket.begin{% if value.exists %}, arguments.values_out + bucket.begin{% endif %}};
      const BucketItems alternate{arguments.keys_alternate + bucket.begin{% if value.exists %}, arguments.values_alternate + bucket.begin{% endif %}};
      BucketItems from = result;
      BucketItems to = alternate;
      bool is_in_result = true;
      for (unsigned long long width = kMaxChunkItems; width < bucket.size; width *= 2) {
        merge_runs(from, to, bucket.size, width);
        __syncthreads();
        const BucketItems merged = to;
        to = from;
        from = merged;
        is_in_result = !is_in_result;
      }
      for (unsigned int item = threadIdx.x; item < bucket.size && !is_in_result; item += kBlockThreads) {  //~ back-to-result
        result.keys[item] = alternate.keys[item];
{%- if value.exists %}
        result.values[item] = alternate.values[item];
{%- endif %}
      }
    }
  }

 private:
  // Two arrays of an oversized bucket's items.
  struct BucketItems {
    Key* keys;
{%- if value.exists %}
    Value* values;
{%- endif %}
  };

  // Merges the sorted runs of `width` items two by two. The work is the same for all keys.
  static __device__ __forceinline__ void merge_runs(const BucketItems& from, const BucketItems& to, unsigned int size, unsigned long long width) {
    for (unsigned int first = threadIdx.x * kMergeItems; first < size; first += kBlockThreads * kMergeItems) {
      const unsigned int begin = static_cast<unsigned int>(first / (2 * width) * (2 * width));
      const unsigned int middle = begin + width < size ? static_cast<unsigned int>(begin + width) : size;
      const unsigned int end = begin + 2 * width < size ? static_cast<unsigned int>(begin + 2 * width) : size;
      const unsigned int lower_items = items_of_first_run(middle - begin, end - middle, first - begin, [&](unsigned int i, unsigned int j) {
        return compared_of(from.keys[begin + i]) <= compared_of(from.keys[middle + j]);  //~ equal-keys-of-bucket-runs
      });
      unsigned int lower = begin + lower_items;
      unsigned int upper = middle + (first - begin) - lower_items;
      for (unsigned int i = first; i < end && i < first + kMergeItems; ++i) {
        const bool takes_lower = lower < middle && (upper >= end || compared_of(from.keys[lower]) <= compared_of(from.keys[upper]));  //~ merged-bucket-run
        const unsigned int source = takes_lower ? lower++ : upper++;
        to.keys[i] = from.keys[source];
{%- if value.exists %}
        to.values[i] = from.values[source];
{%- endif %}
      }
    }
  }
