  // Ranking and exchange have bytes of their own: a pass can begin while the last one's items are still being read.
  struct {{ storage }} {
    RankStorage rank;
{%- if radix.fetches_values %}
    union {
      ExchangeStorage exchange;
      unsigned int value_words[WordSlots::count(kTileItems)];
    };
{%- else %}
    ExchangeStorage exchange;
{%- endif %}
  };
