  // Ranking and exchange use the same bytes, one after the other.
  union {{ storage }} {
    RankStorage rank;
    ExchangeStorage exchange;
{%- if radix.fetches_values %}
    unsigned int value_words[WordSlots::count(kTileItems)];
{%- endif %}
  };
