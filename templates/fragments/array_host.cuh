#ifndef {{ host.guard }}
#define {{ host.guard }}
// The host's part of {{ host.name }}.
template <int kInstance>
struct {{ host.name }}_host {
  using Sort = sortsmith::{{ host.sort }};
{% if let Some(tile_parameters) = host.tile_parameters %}
  static Scratch scratch(const Facts&) { return {0, 0, 0, 0}; }

  static void run(const Facts& facts, const Arrays& arrays, void*, Launches& launches) {
    unsigned long long n = facts.n;
    int begin_bit = static_cast<int>(facts.begin_bit);
    int end_bit = static_cast<int>(facts.end_bit);
    const void* keys_in = arrays.keys_in;
    void* keys_out = arrays.keys_out;
{%- if host.reads_values %}
    const void* values_in = arrays.values_in;
    void* values_out = arrays.values_out;
{%- endif %}
{%- if host.has_positions %}
    void* positions_out = arrays.values_out;
{%- endif %}
    void* parameters[] = {{ tile_parameters }};
    launches.launch(reinterpret_cast<const void*>(&{{ host.name }}_tile<kInstance>), 1, Sort::kBlockThreads, Sort::kSharedBytes, parameters);
  }
{% else %}
  static Scratch scratch(const Facts& facts) {
    [[maybe_unused]] const auto [n, begin_bit, end_bit, multiprocessors, shared_bytes_per_block{% if of_rows %}, rows, stride, writes_keys, key_bytes, value_bytes{% endif %}] = facts;
    return {
        {{ host.scratch.zeroed }},
        {{ host.scratch.workspace }},
        {{ host.scratch.alternate }},
        {{ host.scratch.alternate_keys }}};
  }

  static void run(const Facts& facts, const Arrays& arrays, void* workspace, Launches& launches) {
    [[maybe_unused]] const auto [n, begin_bit, end_bit, multiprocessors, shared_bytes_per_block{% if of_rows %}, rows, stride, writes_keys, key_bytes, value_bytes{% endif %}] = facts;
    typename Sort::Arguments arguments = {};
    arguments.keys_in = static_cast<const typename Sort::Key*>(arrays.keys_in);
    arguments.keys_out = static_cast<typename Sort::Key*>(arrays.keys_out);
    arguments.keys_alternate = static_cast<typename Sort::Key*>(arrays.keys_alternate);
    arguments.values_in = static_cast<const typename Sort::Value*>(arrays.values_in);
    arguments.values_out = static_cast<typename Sort::Value*>(arrays.values_out);
    arguments.values_alternate = static_cast<typename Sort::Value*>(arrays.values_alternate);
    arguments.workspace = static_cast<unsigned char*>(workspace);
    arguments.n = n;
    arguments.begin_bit = static_cast<int>(begin_bit);
    arguments.end_bit = static_cast<int>(end_bit);
    arguments.writes_keys = {% if of_rows %}writes_keys{% else %}1{% endif %};
{%- if host.is_of_rows %}
    arguments.row_stride = stride;
{%- endif %}
{%- for argument in host.arguments %}
    arguments.{{ argument.name }} = {{ argument.assigned }};
{%- endfor %}
    void* parameters[] = {&arguments, nullptr};
    launches.clear(workspace, scratch(facts).zeroed);
{%- for launch in host.launches %}
{%- if let Some(argument) = launch.argument %}
    if ({{ launch.condition }}) {
      int argument = static_cast<int>({{ argument }});
      parameters[1] = &argument;
      launches.launch(reinterpret_cast<const void*>(&{{ launch.kernel }}<kInstance>), {{ launch.blocks }}, {{ launch.threads }}, {{ launch.shared_bytes }}, parameters);
      parameters[1] = nullptr;
    }
{%- else %}
    {% if let Some(condition) = launch.only_if %}if ({{ condition }}) {% endif %}launches.launch(reinterpret_cast<const void*>(&{{ launch.kernel }}<kInstance>), {{ launch.blocks }}, {{ launch.threads }}, {{ launch.shared_bytes }}, parameters);
{%- endif %}
{%- endfor %}
  }
{% endif %}};
#endif
