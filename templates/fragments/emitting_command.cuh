
// Does not compile where there is no sort: the error is the command that emits it.
template <KeyKind kKey, int kValueBytes, bool kExists>
struct EmittingCommand {
  static constexpr bool kIsNeeded = false;
};
#define {{ kinds.guard }}_VALUE(key, bytes, value)                    \
  static_assert(kKey != KeyKind::k_##key || kValueBytes != bytes, \
                "This {{ class }} has not been emitted; run: " \
                "sortsmith emit {{ command }} --key " #key " --value " value "{{ further_words }}");
#define {{ kinds.guard }}_KEY(key)         \
  {{ kinds.guard }}_VALUE(key, 0, "keys")  \
  {{ kinds.guard }}_VALUE(key, 1, "u8")    \
  {{ kinds.guard }}_VALUE(key, 2, "u16")   \
  {{ kinds.guard }}_VALUE(key, 4, "u32")   \
  {{ kinds.guard }}_VALUE(key, 8, "u64")   \
  {{ kinds.guard }}_VALUE(key, 16, "u128"){% if !positions.is_empty() %}  \
  {{ kinds.guard }}_VALUE(key, {{ positions }}, "index"){% endif %}
template <KeyKind kKey, int kValueBytes>
struct EmittingCommand<kKey, kValueBytes, false> {
  static constexpr bool kIsNeeded = true;
  static_assert(kKey != KeyKind::kUnknown, "KeyT is no type of keys; legal: integers, floats and bool{{ further_keys }}");
{%- for key in kinds.keys %}
  {{ kinds.guard }}_KEY({{ key }})
{%- endfor %}
};
#undef {{ kinds.guard }}_KEY
#undef {{ kinds.guard }}_VALUE
