  using KeySlots = {{ radix.key_slots }};
{%- if radix.carries %}
  using CarriedSlots = {{ radix.carried_slots }};
{%- endif %}
{%- if radix.fetches_values %}
  // Values are fetched a word at a time.
  static constexpr int kValueWords = {{ radix.value_words }};
  using WordSlots = {{ radix.word_slots }};
{%- endif %}

  // The tile on its way from one arrangement to another.
  struct ExchangeStorage {
    StoredBits keys[KeySlots::count(kTileItems)];
{%- if radix.carries %}
    Carried carried[CarriedSlots::count(kTileItems)];
{%- endif %}
  };
