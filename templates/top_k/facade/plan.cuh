{%- if let Some(plan) = host.plan %}

  static Plan plan(const Shape& shape, unsigned long long multiprocessors) {
    const unsigned long long rows = shape.rows, columns = shape.columns, k = shape.k;
    Plan plan = {};
    plan.blocks_of_rows = {{ plan.blocks_of_rows }};
    const bool is_of_one = !({{ plan.ranked.may_rank_by_several }});
    if ({{ plan.ranked.may_rank }}) {
      const double distance = {{ plan.ranked.distance }};
      const double expected = {{ plan.ranked.expected }};
      const double limit = {{ plan.ranked.limit }};
      if ({{ plan.ranked.are_few }}) return ranked(plan, rows, columns, k, multiprocessors, is_of_one, limit);
    }
    if ({{ plan.has_long_rows }}) {
      const unsigned long long sampling_blocks = {{ plan.sampling_blocks }};
      if (sampling_blocks > 0 && listed(plan, rows, columns, k, multiprocessors, sampling_blocks)) return plan;
    }
    const unsigned long long chunks = {{ plan.chunks }};
    const unsigned long long groups = {{ plan.groups }};
    plan.chunks = chunks;
    plan.groups = groups;
    plan.blocks = {{ plan.blocks }};
    plan.blocks_of_groups = {{ plan.blocks_of_groups }};
    plan.of_groups = {{ plan.start_of_groups }};
    plan.shared_words = {{ plan.candidates }};
    return plan;
  }

  // Of results in their order: with one ranker if `is_of_one`.
  static Plan ranked(Plan plan, unsigned long long rows, unsigned long long columns, unsigned long long k, unsigned long long multiprocessors,
                     bool is_of_one, double limit) {
    const unsigned long long chunks = {{ plan.ranked.chunks }};
    const unsigned long long rankers = {{ plan.ranked.rankers }};
    const unsigned long long groups = {{ plan.ranked.groups }};
    plan.way = Way::kRanked;
    plan.chunks = chunks;
    plan.rankers = rankers;
    plan.rank = {{ plan.ranked.rank }};
    plan.groups = groups;
    plan.positions = {{ plan.ranked.positions }};
    plan.counts = {{ plan.ranked.counts }};
    plan.of_groups = {{ plan.ranked.of_groups }};
    plan.shared_words = {{ plan.ranked.words }};
    return plan;
  }

  // The sample of a row by some blocks.
  static Sample sample(unsigned long long columns, unsigned long long k, unsigned long long blocks) {
    const unsigned long long rank = {{ plan.listed.rank }};
    const unsigned long long kept = {{ plan.listed.kept }};
    return {kept, rank, {{ plan.listed.most }}, {{ plan.listed.items }}};
  }

  // Whether there is memory for the lists of all rows.
  static bool listed(Plan& plan, unsigned long long rows, unsigned long long columns, unsigned long long k, unsigned long long multiprocessors,
                     unsigned long long sampling_blocks) {
    const auto [kept, rank, most, samples] = sample(columns, k, sampling_blocks);
    const unsigned long long room = {{ plan.listed.room }};
    if (!({{ plan.listed.has_memory }})) return false;
    const unsigned long long groups = {{ plan.listed.groups }};
    plan.way = Way::kListed;
    plan.sampling_blocks = sampling_blocks;
    plan.kept = kept;
    plan.rank = rank;
    plan.samples = samples;
    plan.room = room;
    plan.chunks = {{ plan.listed.chunks }};
    plan.groups = groups;
    plan.bits = {{ plan.listed.bits }};
    plan.sample_positions = {{ plan.listed.sample_positions }};
    plan.positions = {{ plan.listed.positions }};
    plan.counts = {{ plan.listed.counts }};
    plan.of_groups = {{ plan.listed.of_groups }};
    plan.shared_words = {{ plan.listed.words }};
    return true;
  }
{%- else %}

  static Plan plan(const Shape& shape, unsigned long long multiprocessors) {
    const unsigned long long rows = shape.rows;
    Plan plan = {};
    plan.chunks = 1;
    plan.blocks = {{ host.blocks }};
    return plan;
  }
{%- endif %}
