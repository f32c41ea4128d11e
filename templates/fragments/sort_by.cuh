// Sorts by the host's part of one sort, in storage that may begin anywhere. Null storage asks for its bytes.
template <typename Host>
cudaError_t sort_by(Host host, const Facts& facts, Arrays arrays, bool are_legal, void* storage, size_t& storage_bytes, cudaStream_t stream) {
  constexpr unsigned long long kAlignment = 256;
  const Scratch scratch = facts.n == 0 ? Scratch{0, 0, 0, 0} : host.scratch(facts);
  const unsigned long long workspace_bytes = divided_up(scratch.workspace, kAlignment) * kAlignment;
  const unsigned long long bytes = workspace_bytes + (arrays.has_alternates ? 0 : scratch.alternate);
  const unsigned long long needed = bytes == 0 ? 1 : bytes + kAlignment - 1;
  if (storage == nullptr) {
    storage_bytes = needed;
    return cudaSuccess;
  }
  if (storage_bytes < needed) return cudaErrorInvalidValue;
  if (facts.n == 0) return cudaSuccess;
  if (!are_legal) return cudaErrorInvalidValue;
  const unsigned long long address = reinterpret_cast<unsigned long long>(storage);
  unsigned char* const workspace = reinterpret_cast<unsigned char*>(divided_up(address, kAlignment) * kAlignment);
  if (!arrays.has_alternates) {
    arrays.keys_alternate = workspace + workspace_bytes;
    arrays.values_alternate = workspace + workspace_bytes + scratch.alternate_keys;
  }
  Launches launches(stream);
  host.run(facts, arrays, workspace, launches);
  return launches.error();
}
