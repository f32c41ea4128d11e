
// The rows of a call and the number of keys that are found in each, and whether positions are found that have 4 bytes.
struct Shape {
  unsigned long long rows;
  unsigned long long columns;
  unsigned long long stride;
  unsigned int k;
  bool has_narrow_positions;
};

// The arguments of all kernels, of which each takes some.
struct Arguments {
{%- for argument in arguments %}
  {{ argument.cuda }} {{ argument.name }};
{%- endfor %}
};

// How keys are found: in chunks of rows and groups of their candidates; by ranks of what a sample of a row lets pass; or in a list for each row of
// what samples let pass.
enum class Way { kSplit, kRanked, kListed };

// What is launched for a shape, and where the arrays begin that the launches share, in words of 4 bytes.
struct Plan {
  Way way;
  unsigned long long chunks, groups, rankers;
  unsigned long long sampling_blocks, kept, rank, samples, room;
  unsigned long long blocks, blocks_of_groups, blocks_of_rows;
  unsigned long long bits, sample_positions, positions, counts, of_groups;
  unsigned long long shared_words;
};

// Of each block's sample of a row some items are kept; the limit is the item of a rank, and hardly any row has more survivors than the most.
struct Sample {
  unsigned long long kept, rank, most, items;
};

// The root, rounded down.
inline unsigned long long root(unsigned long long number) {
  unsigned long long root = static_cast<unsigned long long>(sqrt(static_cast<double>(number)));
  while (root * root > number) --root;
  while ((root + 1) * (root + 1) <= number) ++root;
  return root;
}

// The first power of two up to the most that is legal and enough, or else the last one that is legal; 0 where none is.
template <typename IsLegal, typename IsEnough>
unsigned long long power_of_two(unsigned long long most, const IsLegal& is_legal, const IsEnough& is_enough) {
  unsigned long long last = 0;
  for (unsigned long long power = 1; power <= most; power *= 2) {
    if (!is_legal(power)) continue;
    last = power;
    if (is_enough(power)) break;
  }
  return last;
}

// What launches of chunks and groups read and write: the candidates of either, or the results.
enum class Lists { kChunks, kGroups, kResults };

// The launches of kernels for a call: `arguments` are the call's, `shared` is the memory that the launches share.
template <typename Kernels>
struct Finding {
  const Plan& plan;
  const Arguments call;
  unsigned int* const shared;
  Launches& launches;

  unsigned int* at(Lists lists) const { return lists == Lists::kGroups ? shared + plan.of_groups : shared; }

  // Candidates are positions alone, in the order of these.
  Arguments writing(Lists to) const {
    Arguments arguments = call;
    if (to == Lists::kResults) return arguments;
    arguments.keys_out = nullptr;
    arguments.values_out = nullptr;
    arguments.positions_out = at(to);
    arguments.sorted = false;
    return arguments;
  }

  void rows(Lists to) const {
    Arguments arguments = writing(to);
    arguments.chunks = static_cast<unsigned int>(plan.chunks);
    Kernels::rows(launches, arguments, plan.blocks);
  }

  void candidates(Lists from, Lists to) const {
    if constexpr (Kernels::kIsOfBlocks) {
      const bool has_groups = to == Lists::kGroups;
      Arguments arguments = writing(to);
      arguments.candidates = at(from);
      arguments.count = (from == Lists::kGroups ? plan.groups : plan.chunks) * call.k;
      arguments.groups = has_groups ? static_cast<unsigned int>(plan.groups) : 1;
      Kernels::candidates(launches, arguments, has_groups ? plan.blocks_of_groups : plan.blocks_of_rows);
    }
  }

  void survivors() const {
    Arguments arguments = call;
    arguments.bits_out = shared;
    arguments.positions_out = shared + plan.positions;
    arguments.counts_out = shared + plan.counts;
    arguments.chunks = static_cast<unsigned int>(plan.chunks);
    arguments.rank = static_cast<unsigned int>(plan.rank);
    Kernels::survivors(launches, arguments, call.rows * plan.chunks);
  }

  void ranked() const {
    Arguments arguments = call;
    arguments.bits = shared;
    arguments.survivors = shared + plan.positions;
    arguments.counts = shared + plan.counts;
    arguments.of_groups = at(Lists::kGroups);
    arguments.lists = static_cast<unsigned int>(plan.chunks);
    arguments.rankers = static_cast<unsigned int>(plan.rankers);
    arguments.groups = static_cast<unsigned int>(plan.groups);
    Kernels::ranked(launches, arguments, call.rows * plan.rankers);
  }

  // What the launches of samples and lists take.
  Arguments of_lists() const {
    Arguments arguments = call;
    arguments.sample_bits = shared;
    arguments.sample_positions = shared + plan.sample_positions;
    arguments.bits = shared + plan.bits;
    arguments.survivors = shared + plan.positions;
    arguments.counts = shared + plan.counts;
    arguments.of_groups = at(Lists::kGroups);
    arguments.blocks = static_cast<unsigned int>(plan.sampling_blocks);
    arguments.kept = static_cast<unsigned int>(plan.kept);
    arguments.chunks = static_cast<unsigned int>(plan.chunks);
    arguments.samples = static_cast<unsigned int>(plan.samples);
    arguments.rank = static_cast<unsigned int>(plan.rank);
    arguments.room = static_cast<unsigned int>(plan.room);
    arguments.groups = static_cast<unsigned int>(plan.groups);
    return arguments;
  }

  void samples() const {
    Arguments arguments = of_lists();
    Kernels::samples(launches, arguments, call.rows * plan.sampling_blocks);
  }

  void filtered() const {
    Arguments arguments = of_lists();
    Kernels::filtered(launches, arguments, call.rows * plan.chunks);
  }

  void listed() const {
    Arguments arguments = of_lists();
    Kernels::listed(launches, arguments, call.rows * plan.groups);
  }

  // The launches of each way in their order. Where survivors were ranked, or a list had room for them, the last one finds nothing to do.
  void split_rows() const {
{%- for step in steps.split %}
    if ({{ step.condition }}) {{ step.call }};
{%- endfor %}
  }

  void rank_survivors() const {
{%- for step in steps.ranked %}
    {% if step.condition != "true" %}if ({{ step.condition }}) {% endif %}{{ step.call }};
{%- endfor %}
  }

  void list_survivors() const {
{%- for call in steps.listed %}
    {{ call }};
{%- endfor %}
  }
};

// What the host does for all kernels.
template <typename Kernels>
struct HostOf {
  Shape shape;

  Scratch scratch(const Facts& facts) const { return {0, 4 * Kernels::plan(shape, facts.multiprocessors).shared_words, 0, 0}; }

  void run(const Facts& facts, const Arrays& arrays, void* workspace, Launches& launches) const {
    const Plan plan = Kernels::plan(shape, facts.multiprocessors);
    Arguments call = {};
    call.keys = arrays.keys_in;
    call.keys_out = arrays.keys_out;
    (shape.has_narrow_positions ? call.positions_out : call.values_out) = arrays.values_out;
    call.values = arrays.values_in;
    call.rows = shape.rows;
    call.columns = shape.columns;
    call.stride = shape.stride;
    call.k = shape.k;
    call.sorted = true;
    const Finding<Kernels> finding = {plan, call, static_cast<unsigned int*>(workspace), launches};
    if constexpr (Kernels::kIsOfBlocks) {
      if (plan.way == Way::kRanked) return finding.rank_survivors();
      if (plan.way == Way::kListed) return finding.list_survivors();
    }
    finding.split_rows();
  }
};
