// What launches and scratch depend on: of n columns in each row, and of rows that begin `stride` items apart.
struct Facts {
  unsigned long long n;
  unsigned long long begin_bit;
  unsigned long long end_bit;
  unsigned long long multiprocessors;
  unsigned long long shared_bytes_per_block;
  unsigned long long rows;
  unsigned long long stride;
  // Whether sorted keys are an output, and not only what goes with them.
  bool writes_keys;
  // Bytes of a key, and of what goes with it.
  unsigned long long key_bytes;
  unsigned long long value_bytes;
};

{% include "fragments/random_seed.cuh" %}

{% include "fragments/launches.cuh" %}

{% include "fragments/sort_by.cuh" %}

// The arrays from a row on, with the scratch.
inline Arrays from_row(const Arrays& arrays, const Facts& facts, unsigned long long row) {
  const auto behind = [&](const void* array, unsigned long long bytes) -> unsigned char* {
    if (array == nullptr) return nullptr;
    return static_cast<unsigned char*>(const_cast<void*>(array)) + row * facts.stride * bytes;
  };
  Arrays moved = arrays;
  moved.keys_in = behind(arrays.keys_in, facts.key_bytes);
  moved.keys_out = behind(arrays.keys_out, facts.key_bytes);
  moved.values_in = behind(arrays.values_in, facts.value_bytes);
  moved.values_out = behind(arrays.values_out, facts.value_bytes);
  return moved;
}

// What kernels of tiles take, each some of it.
struct TileArguments {
{%- for argument in arguments %}
  {{ argument.cuda }} {{ argument.name }};
{%- endfor %}
};

// The arguments for the rows from one on, of which a launch takes the first max_rows.
inline TileArguments tile_arguments(const Facts& facts, const Arrays& arrays, unsigned long long row, unsigned long long max_rows) {
  const Arrays moved = from_row(arrays, facts, row);
  TileArguments arguments = {};
  arguments.keys_in = moved.keys_in;
  arguments.keys_out = moved.keys_out;
  arguments.values_in = moved.values_in;
  arguments.values_out = moved.values_out;
  arguments.positions_out = moved.values_out;
  arguments.rows = least(facts.rows - row, max_rows);
  arguments.columns = static_cast<unsigned int>(facts.n);
  arguments.stride = facts.stride;
  arguments.begin_bit = static_cast<int>(facts.begin_bit);
  arguments.end_bit = static_cast<int>(facts.end_bit);
  return arguments;
}

// Calls `launch` with the arguments of each launch. Kernels of tiles do not wait for the one before, so none of them begins early.
template <unsigned long long kMaxRows, typename Launch>
void for_tiles(const Facts& facts, const Arrays& arrays, Launches& launches, const Launch& launch) {
  launches.stay_in_order();
  for (unsigned long long row = 0; row < facts.rows && launches.error() == cudaSuccess; row += kMaxRows) {
    TileArguments arguments = tile_arguments(facts, arrays, row, kMaxRows);
    launch(arguments);
  }
}

// Sorts rows by the host's part of a sort that takes some of them at once. Keys that are no output are sorted in scratch, behind the alternate
// arrays, one row directly behind the other.
template <typename Host>
struct InGroups {
  static unsigned long long rows_of_group(const Facts& facts) { return least(Host::rows_at_once(facts.n), facts.rows); }

  static Facts facts_of(const Facts& facts, unsigned long long rows) {
    Facts of_group = facts;
    of_group.rows = rows;
    return of_group;
  }

  static Scratch scratch(const Facts& facts) {
    const unsigned long long rows = rows_of_group(facts);
    Scratch scratch = Host::Kernels::scratch(facts_of(facts, rows));
    if (!facts.writes_keys) scratch.alternate = sorted_keys_of(scratch) + rows * facts.n * facts.key_bytes;
    return scratch;
  }

  static void run(const Facts& facts, const Arrays& arrays, void* workspace, Launches& launches) {
    const unsigned long long rows = rows_of_group(facts);
    unsigned char* const sorted_keys = static_cast<unsigned char*>(arrays.keys_alternate) + sorted_keys_of(Host::Kernels::scratch(facts_of(facts, rows)));
    for (unsigned long long row = 0; row < facts.rows && launches.error() == cudaSuccess; row += rows) {
      const Facts of_group = facts_of(facts, least(facts.rows - row, rows));
      Arrays of_rows = from_row(arrays, facts, row);
      if (!facts.writes_keys) of_rows.keys_out = sorted_keys;
      Host::begin(launches, of_group.rows);
      Host::Kernels::run(of_group, of_rows, workspace, launches);
    }
  }

  static unsigned long long sorted_keys_of(const Scratch& scratch) { return divided_up(scratch.alternate, 16) * 16; }
};

// Many rows by the launches of one. Each kernel waits for the one before it, so a group uses the scratch of the one before.
template <typename HostOfKernels>
struct Together {
  using Kernels = HostOfKernels;

  static unsigned long long rows_at_once(unsigned long long columns) { return {{ rows_of_group }}; }
  static void begin(Launches& launches, unsigned long long rows) { launches.set_rows(rows); }
};

// Rows one after the other, each as an array.
template <typename HostOfKernels>
struct OneByOne {
  using Kernels = HostOfKernels;

  static unsigned long long rows_at_once(unsigned long long) { return 1; }
  static void begin(Launches& launches, unsigned long long) { launches.begin(); }
};
