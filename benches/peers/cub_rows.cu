// CUB's segmented sorts behind a C interface, of rows of one length, or of segments between offsets. One object file holds one type:
//
//   PEER_OFFSETS  segments between offsets are sorted; without it, rows
//   PEER_TAG    the type's name in the symbol, such as f32_u32
//   PEER_KEY    the type of the keys
//   PEER_VALUE  the type of the values; without it keys alone are sorted
#include <cub/device/device_segmented_radix_sort.cuh>
#include <cub/device/device_segmented_sort.cuh>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>

#include <climits>
#include <cstdint>

#include <cuda_runtime.h>

namespace {

using Key = PEER_KEY;

// What the function returns for what CUB does not have.
constexpr int kUnsupported = -1;

// As the bench has them.
enum Method {
  // DeviceSegmentedSort, by the length of each row: equal keys in any order.
  kSegmented = 0,
  // The same, and equal keys keep their order.
  kStableSegmented = 1,
  // DeviceSegmentedRadixSort, a block for each row.
  kSegmentedRadix = 2,
};

#ifndef PEER_OFFSETS
// Where each row begins. Nothing is read for it.
struct Begin {
  int columns;
  __host__ __device__ int operator()(int row) const { return row * columns; }
};
#endif

}  // namespace

#ifdef PEER_OFFSETS
#define PEER_JOIN(tag) sortsmith_peer_segments_##tag
#else
#define PEER_JOIN(tag) sortsmith_peer_rows_##tag
#endif
#define PEER_SYMBOL(tag) PEER_JOIN(tag)

// Sorts each of the rows, or of the segments, from one array to another; or, without temporary storage, says how much of it there must be.
// Returns 0, a cudaError_t, or -1.
extern "C" __attribute__((visibility("default"))) int PEER_SYMBOL(PEER_TAG)(
    int method, void* temp, size_t* temp_bytes, const void* keys_in, void* keys_out, const void* values_in,
#ifdef PEER_OFFSETS
    void* values_out, unsigned long long n, unsigned long long count, const void* offsets, void* stream_handle) {
  if (n > INT_MAX || count > INT_MAX) return kUnsupported;
  const int items = static_cast<int>(n);
  const int segments = static_cast<int>(count);
  const int* const begins = static_cast<const int*>(offsets);
#else
    void* values_out, unsigned long long rows, unsigned long long columns, void* stream_handle) {
  if (rows * columns > INT_MAX) return kUnsupported;
  // Of the types that CUB takes for it the one that makes its fastest kernels.
  const int items = static_cast<int>(rows * columns);
  const int segments = static_cast<int>(rows);
  const auto begins = thrust::make_transform_iterator(thrust::make_counting_iterator(0), Begin{static_cast<int>(columns)});
#endif
  const cudaStream_t stream = static_cast<cudaStream_t>(stream_handle);
  const auto ends = begins + 1;
  const Key* const in = static_cast<const Key*>(keys_in);
  Key* const out = static_cast<Key*>(keys_out);
#ifdef PEER_VALUE
  using Value = PEER_VALUE;
  const Value* const with = static_cast<const Value*>(values_in);
  Value* const with_out = static_cast<Value*>(values_out);
  switch (method) {
    case kSegmented:
      return static_cast<int>(cub::DeviceSegmentedSort::SortPairs(temp, *temp_bytes, in, out, with, with_out, items,
                                                                  segments, begins, ends, stream));
    case kStableSegmented:
      return static_cast<int>(cub::DeviceSegmentedSort::StableSortPairs(temp, *temp_bytes, in, out, with, with_out,
                                                                        items, segments, begins, ends, stream));
    case kSegmentedRadix:
      return static_cast<int>(cub::DeviceSegmentedRadixSort::SortPairs(
          temp, *temp_bytes, in, out, with, with_out, items, segments, begins, ends, 0,
          static_cast<int>(8 * sizeof(Key)), stream));
    default: return kUnsupported;
  }
#else
  switch (method) {
    case kSegmented:
      return static_cast<int>(cub::DeviceSegmentedSort::SortKeys(temp, *temp_bytes, in, out, items, segments, begins,
                                                                 ends, stream));
    case kStableSegmented:
      return static_cast<int>(cub::DeviceSegmentedSort::StableSortKeys(temp, *temp_bytes, in, out, items, segments,
                                                                       begins, ends, stream));
    case kSegmentedRadix:
      return static_cast<int>(cub::DeviceSegmentedRadixSort::SortKeys(temp, *temp_bytes, in, out, items, segments,
                                                                      begins, ends, 0,
                                                                      static_cast<int>(8 * sizeof(Key)), stream));
    default: return kUnsupported;
  }
#endif
}
