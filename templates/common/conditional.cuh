// The one type or the other by a condition.
template <bool kIsOne, typename One, typename Other>
struct Conditional {
  using Type = One;
};
template <typename One, typename Other>
struct Conditional<false, One, Other> {
  using Type = Other;
};
