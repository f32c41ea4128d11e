// The value type of a sort of keys alone.
struct NullType {};
