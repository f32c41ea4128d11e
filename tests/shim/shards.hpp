// The effect of kernels of sorts over ranks. All of them have the same arguments, of which each uses some.
#pragma once

namespace shim {

inline void run_shard_kernel(const Function& function, const std::vector<unsigned char>& arguments, const Context* context) {
  const char* caller = function.name.c_str();
  const auto of = [&](const char* name) { return value_of(function, arguments, name, 0); };
  const auto element = [&](const char* name) {
    for (const Field& field : function.fields) {
      if (field.name == name) return field.element;
    }
    return size_t{0};
  };
  // An array of this number of items, if it may be used.
  const auto array = [&](const char* name, uint64_t items, size_t bytes) -> unsigned char* {
    const uint64_t address = of(name);
    if (!items || !bytes || !usable(address, items * bytes, context, caller, name)) return nullptr;
    if (address % bytes) violation("%s: %s (%llx) is misaligned", caller, name, static_cast<unsigned long long>(address));
    return reinterpret_cast<unsigned char*>(address);
  };
  const auto words = [&](const char* name, uint64_t items) { return reinterpret_cast<uint64_t*>(array(name, items, 8)); };
  const std::string kernel = function.name.substr(function.name.rfind('_') + 1);
  const uint64_t n = of("n"), borders = of("borders"), candidates = borders * of("digit_values");
  const size_t key = element("keys"), value = element("first_values");

  if (kernel == "positions") {
    uint64_t* positions = words("positions", n);
    for (uint64_t at = 0; positions && at < n; ++at) positions[at] = of("first_position") + at;
    return;
  }
  if (kernel == "merge") {
    for (const auto& [column, bytes] : {std::pair<std::string, size_t>{"keys", key}, {"values", value}}) {
      const uint64_t first_items = of("first_items"), second_items = of("second_items");
      const unsigned char* first = array(("first_" + column).c_str(), first_items, bytes);
      const unsigned char* second = array(("second_" + column).c_str(), second_items, bytes);
      unsigned char* merged = array(("merged_" + column).c_str(), first_items + second_items, bytes);
      if (!first || !second || !merged) continue;
      const uint64_t middle = first_items * bytes, end = middle + second_items * bytes;
      for (uint64_t at = 0; at < end; ++at) merged[at] = static_cast<unsigned char>((at < middle ? first[at] : second[at - middle]) + 1);
    }
    return;
  }
  if (n) array("keys", n, key);
  array("splitters", borders, 1);
  if (kernel == "search") {
    uint64_t* below = words("below", candidates);
    for (uint64_t at = 0; below && at < candidates; ++at) below[at] = n;
  }
  if (kernel == "narrow") {
    words("targets", borders);
    words("sums", candidates);
  }
  const uint64_t* targets = kernel == "around" ? words("targets", borders) : nullptr;
  uint64_t* around = kernel == "around" ? words("around", 2 * borders) : nullptr;
  for (uint64_t border = 0; targets && around && border < borders; ++border) {
    around[2 * border] = std::min(n / 2, targets[border] / 2);
    around[2 * border + 1] = n - around[2 * border];
  }
}

}  // namespace shim
