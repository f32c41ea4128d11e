// The sorts of a type of keys, a size of values and an order.
template <KeyKind kKey, int kValueBytes, bool kDescending>
struct Emitted {
  static constexpr bool kExists = false;
};
{% include "fragments/emitting_command.cuh" %}

// The emitted sort of a call. Where there is none, it does not compile, and the error says what to emit.
template <KeyKind kKey, int kValueBytes, bool kDescending>
struct Requested {
  using Sorts = Emitted<kKey, kValueBytes, kDescending>;
  static constexpr bool kHasOtherOrder = Emitted<kKey, kValueBytes, !kDescending>::kExists;
  static_assert(Sorts::kExists || !kHasOtherOrder,
                "this order has not been emitted: run the sortsmith emit command of this header with --order both");
  using Command = EmittingCommand<kKey, kValueBytes, Sorts::kExists || kHasOtherOrder>;
  static_assert(!Command::kIsNeeded, "the error above says the command");
};
