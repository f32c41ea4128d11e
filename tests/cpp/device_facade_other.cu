// The second file of a program that includes a header of device-wide sorts in two: see device_facade.cu.
#include TEST_FACADE

cudaError_t sort_in_other_file(void* storage, size_t& bytes, const TEST_KEY* keys_in, TEST_KEY* keys_out, int n, cudaStream_t stream) {
  return sortsmith::DeviceRadixSort::SortKeys(storage, bytes, keys_in, keys_out, n, 0, static_cast<int>(8 * sizeof(TEST_KEY)), stream);
}
