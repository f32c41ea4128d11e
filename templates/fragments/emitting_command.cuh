
// Does not compile where there is no sort: the error is the command that emits it.
template <KeyKind kKey, int kValueBytes, bool kExists>
struct EmittingCommand {
  static constexpr bool kIsNeeded = false;
};
#define SORTSMITH_VALUE(key, bytes, value)                    \
  static_assert(kKey != KeyKind::k_##key || kValueBytes != bytes, \
                "This {{ class }} has not been emitted; run: " \
                "sortsmith emit {{ command }} --key " #key " --value " value "{{ further_words }}");
#define SORTSMITH_KEY(key)         \
  SORTSMITH_VALUE(key, 0, "keys")  \
  SORTSMITH_VALUE(key, 1, "u8")    \
  SORTSMITH_VALUE(key, 2, "u16")   \
  SORTSMITH_VALUE(key, 4, "u32")   \
  SORTSMITH_VALUE(key, 8, "u64")   \
  SORTSMITH_VALUE(key, 16, "u128")
template <KeyKind kKey, int kValueBytes>
struct EmittingCommand<kKey, kValueBytes, false> {
  static constexpr bool kIsNeeded = true;
  static_assert(kKey != KeyKind::kUnknown, "KeyT is no type of keys; legal: integers, floats and bool");
{%- for key in kinds.keys %}
  SORTSMITH_KEY({{ key }})
{%- endfor %}
};
#undef SORTSMITH_KEY
#undef SORTSMITH_VALUE
