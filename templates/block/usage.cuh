// In a kernel of {{ tile.threads }} threads, with Keys an array of {{ items }} keys{% if value.exists %} and Values one of {{ items }} {% if value.is_position %}positions{% else %}values{% endif %}{% endif %}:
//   using Sort = sortsmith::{{ base.name }};
{%- if tile.needs_dynamic %}
//   extern __shared__ __align__(16) unsigned char shared[];  // of Sort::kSharedBytes, more than may be static
//   auto& storage = *reinterpret_cast<Sort::TempStorage*>(shared);
{%- else %}
//   __shared__ Sort::TempStorage storage;
{%- endif %}
//   Sort(storage).Sort(keys{% if value.exists %}, {% if value.is_position %}positions{% else %}values{% endif %}{% endif %});
