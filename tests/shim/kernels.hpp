// Code, its kernels and their effect here: the parameters are read from the source, which is the image.
#pragma once

namespace shim {

inline size_t element_bytes(const std::string& code, size_t before, std::string type) {
  for (const char* alias : {"Key", "Value", "Word"}) {
    const size_t at = type.rfind(alias);
    if (at == std::string::npos || at + strlen(alias) != type.size()) continue;
    const std::string wanted = std::string("using ") + alias + " = ";
    const size_t found = code.rfind(wanted, before);
    if (found == std::string::npos) return 0;
    const size_t begin = found + wanted.size();
    type = code.substr(begin, code.find(';', begin) - begin);
    break;
  }
  static const std::map<std::string, size_t> kBytes = {
      {"bool", 1},          {"signed char", 1},     {"unsigned char", 1}, {"__nv_fp8_e4m3", 1}, {"__nv_fp8_e5m2", 1},
      {"short", 2},         {"unsigned short", 2},  {"__half", 2},        {"__nv_bfloat16", 2}, {"int", 4},
      {"unsigned int", 4},  {"float", 4},           {"long long", 8},     {"unsigned long long", 8}, {"double", 8},
      {"uint2", 8},         {"__int128", 16},       {"unsigned __int128", 16}, {"uint4", 16},   {"ulonglong2", 16},
  };
  const auto found = kBytes.find(type);
  return found == kBytes.end() ? 0 : found->second;
}

inline std::string trimmed(const std::string& text) {
  const size_t begin = text.find_first_not_of(" \n\t"), end = text.find_last_not_of(" \n\t");
  return begin == std::string::npos ? "" : text.substr(begin, end - begin + 1);
}

inline std::string without_comments(const std::string& text) {
  std::string out;
  for (size_t at = 0; at < text.size(); ++at) {
    if (text.compare(at, 2, "//") == 0) at = text.find('\n', at);
    if (at == std::string::npos) break;
    out += text[at];
  }
  return out;
}

// `const Key* keys_in` and the like; a field of no bytes is a struct.
inline Field field_of(const std::string& code, size_t before, std::string text) {
  text = trimmed(text);
  Field field;
  field.constant = text.compare(0, 6, "const ") == 0;
  if (field.constant) text = text.substr(6);
  const size_t space = text.find_last_of(" *");
  field.name = text.substr(space + 1);
  const size_t bracket = field.name.find('[');
  const size_t count = bracket == std::string::npos ? 1 : strtoul(field.name.c_str() + bracket + 1, nullptr, 10);
  field.name = field.name.substr(0, bracket);
  std::string type = trimmed(text.substr(0, space + 1));
  field.pointer = !type.empty() && type.back() == '*';
  if (field.pointer) type = trimmed(type.substr(0, type.size() - 1));
  field.element = element_bytes(code, before, type);
  field.bytes = (field.pointer ? 8 : field.element) * count;
  return field;
}

inline std::vector<Field> fields_of(const std::string& code, size_t before, const std::string& text, char separator) {
  std::vector<Field> fields;
  size_t offset = 0;
  for (size_t begin = 0; begin < text.size();) {
    size_t end = text.find(separator, begin);
    if (end == std::string::npos) end = text.size();
    const std::string one = trimmed(text.substr(begin, end - begin));
    begin = end + 1;
    if (one.empty()) continue;
    Field field = field_of(code, before, one);
    const size_t align = field.pointer ? 8 : field.element;
    if (align) offset = (offset + align - 1) / align * align;
    field.offset = offset;
    offset += field.bytes;
    fields.push_back(field);
  }
  return fields;
}

// Finds a kernel's parameters. The structs of arguments are all called Arguments.
inline bool read_parameters(const std::string& code, Function& function) {
  const std::string kernel = "extern \"C\" __global__";
  for (size_t at = code.find(kernel); at != std::string::npos; at = code.find(kernel, at + 1)) {
    const size_t named = code.find(function.name + "(", at), body = code.find('{', at);
    if (named == std::string::npos || named > body) continue;
    const char before_name = code[named - 1];
    if (before_name != ' ' && before_name != '\n') continue;
    const size_t begin = named + function.name.size() + 1, end = code.find(')', begin);
    size_t base = 0;
    for (Field field : fields_of(code, at, code.substr(begin, end - begin), ',')) {
      std::vector<Field> inner{field};
      if (!field.bytes) {
        const std::string head = "struct Arguments {";
        const size_t structure = code.rfind(head, at);
        if (structure == std::string::npos) return false;
        const size_t first = structure + head.size();
        inner = fields_of(code, structure, without_comments(code.substr(first, code.find("};", first) - first)), ';');
      } else {
        inner[0].offset = 0;
      }
      const size_t bytes = (inner.back().offset + inner.back().bytes + (field.bytes ? 0 : 7)) & (field.bytes ? ~size_t{0} : ~size_t{7});
      for (Field one : inner) {
        one.offset += base;
        function.fields.push_back(one);
      }
      function.parameter_bytes.push_back(bytes);
      base += bytes;
    }
    return true;
  }
  return false;
}

// Whether memory of this name holds an item for each of n, and of how many bytes; 0 for scratch.
inline size_t item_bytes(const Function& function, const Field& field) {
  const bool is_array = field.name.compare(0, 5, "keys_") == 0 || field.name.compare(0, 7, "values_") == 0 ||
                        field.name == "positions" || field.name == "positions_out" || field.name == "keys" ||
                        field.name == "candidates" || field.name == "offsets";
  if (field.name.compare(0, 6, "items_") == 0) {
    const size_t at = function.name.find("_b");
    return at == std::string::npos ? 0 : strtoul(function.name.c_str() + at + 2, nullptr, 10);
  }
  return is_array && field.name.find("alternate") == std::string::npos ? field.element : 0;
}

inline uint64_t value_of(const Function& function, const std::vector<unsigned char>& bytes, const char* name, uint64_t otherwise) {
  for (const Field& field : function.fields) {
    if (field.name != name) continue;
    uint64_t value = 0;
    memcpy(&value, bytes.data() + field.offset, field.bytes);
    return value;
  }
  return otherwise;
}

// The array that a result is made of: keys_in of keys_out; 0 for positions, which are made of nothing.
inline uint64_t source_of(const Function& function, const std::vector<unsigned char>& bytes, const std::string& result) {
  const size_t end = result.rfind("_out");
  return end == std::string::npos ? 0 : value_of(function, bytes, (result.substr(0, end) + "_in").c_str(), 0);
}

// Records the seed of a kernel that samples the array and the number of sorts before, which it advances.
inline void sample(const Function& function, const std::vector<unsigned char>& arguments, const Context* context) {
  const std::string suffix = "_samples", of_parents = "_parent" + suffix;
  const auto ends_with = [&](const std::string& end) {
    return function.name.size() >= end.size() && !function.name.compare(function.name.size() - end.size(), end.size(), end);
  };
  const uint64_t counter = value_of(function, arguments, "sort_counter", 0);
  if (!counter || !ends_with(suffix) || ends_with(of_parents) || !usable(counter, 4, context, function.name.c_str(), "sort_counter")) return;
  uint32_t sorts;
  memcpy(&sorts, reinterpret_cast<const void*>(counter), 4);
  state().samples += std::to_string(value_of(function, arguments, "seed", 0)) + " " + std::to_string(sorts) + "\n";
  ++sorts;
  memcpy(reinterpret_cast<void*>(counter), &sorts, 4);
}

void run_shard_kernel(const Function& function, const std::vector<unsigned char>& arguments, const Context* context);

// The effect of a kernel here: checks, and as results the bytes of the input plus one.
inline void run_kernel(const Function* function, const std::vector<unsigned char>& arguments, unsigned blocks_along_y,
                       const Context* context) {
  const char* caller = function->name.c_str();
  if (!function->module->alive) return violation("%s: its module has been unloaded", caller);
  if (!context->alive) return violation("%s: its context has ended", caller);
  if (function->module->context != context) return violation("%s: its module is of another context", caller);
  if (function->name.compare(0, 12, "shard_merge_") == 0) return run_shard_kernel(*function, arguments, context);
  // A kernel of rows has these, which may lie apart, a device-wide sort of rows as many as blocks along y, any other one row of n items.
  const uint64_t row_stride = value_of(*function, arguments, "row_stride", 0);
  // A binned argsort has bins.
  const uint64_t bins = value_of(*function, arguments, "bins", 0);
  const uint64_t n = value_of(*function, arguments, "n", 0);
  const uint64_t rows = value_of(*function, arguments, "rows", row_stride || bins ? blocks_along_y : 1);
  const uint64_t columns = value_of(*function, arguments, "columns", n);
  const uint64_t stride = value_of(*function, arguments, "stride", row_stride ? row_stride : n);
  const uint64_t items = rows ? (rows - 1) * stride + columns : 0;
  // A top-k has these: it writes k items of each chunk of a row, and reads the keys of all columns, or those of candidates.
  const uint64_t k = value_of(*function, arguments, "k", 0), found = rows * k * value_of(*function, arguments, "chunks", 1);
  // A binned argsort writes a position for each key, without gaps between rows, and offsets. That of counted chunks has one row here.
  const bool writes_keys = value_of(*function, arguments, "writes_keys", 1) != 0;
  const auto items_of = [&](const Field& field) {
    if (bins && field.name == "positions") return rows * columns;
    if (field.name == "offsets") return rows * (bins + 1);
    if (field.name == "candidates") return rows * value_of(*function, arguments, "count", 0);
    // Keys that are not wanted have no gaps.
    if (row_stride && !writes_keys && field.name == "keys_out") return rows * n;
    return k && !field.constant ? found : items;
  };
  const bool may_omit_keys = value_of(*function, arguments, "stride", 0) && value_of(*function, arguments, "positions_out", 0);
  bool is_usable = true;
  for (const Field& field : function->fields) {
    uint64_t address;
    if (!field.pointer) continue;
    memcpy(&address, arguments.data() + field.offset, 8);
    // Arrays that a sort does not have.
    if (!address && (field.name.compare(0, 5, "keys_") || field.name == "keys_alternate")) continue;
    if (!address && field.name == "keys_out" && may_omit_keys) continue;
    is_usable &= usable(address, item_bytes(*function, field) * items_of(field), context, caller, field.name.c_str());
    if (field.element && address % field.element) {
      violation("%s: %s (%llx) is misaligned", caller, field.name.c_str(), static_cast<unsigned long long>(address));
    }
  }
  sample(*function, arguments, context);
  for (const Field& field : function->fields) {
    const size_t item = item_bytes(*function, field), bytes = item * (k ? found : bins ? items_of(field) : columns);
    const bool is_result = field.pointer && !field.constant && bytes && (writes_keys || field.name != "keys_out");
    const uint64_t address = is_result ? value_of(*function, arguments, field.name.c_str(), 0) : 0;
    if (!is_usable || !address) continue;
    auto* out = reinterpret_cast<unsigned char*>(address);
    const auto* in = reinterpret_cast<const unsigned char*>(source_of(*function, arguments, field.name));
    const uint64_t runs = k || bins ? 1 : rows, distance = stride ? stride : 1;
    for (size_t start = 0; start < runs * distance * item; start += distance * item) {
      for (size_t at = start; at < start + bytes; ++at) out[at] = static_cast<unsigned char>((in ? in[at] : 0) + 1);
    }
  }
}

}  // namespace shim
