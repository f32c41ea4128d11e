enum class FieldKind { kUnsigned, kSigned, kFloat };

// A field of a key that is a struct: its bits as an unsigned integer that orders as the field does, and back.
template <typename Field, typename FieldBits, FieldKind kKind>
struct KeyField {
  static constexpr FieldBits kSign = static_cast<FieldBits>(FieldBits(1) << (8 * sizeof(FieldBits) - 1));

  // All bits of a negative float flipped, the sign of any other number that may have one.
  static __device__ __forceinline__ FieldBits to_ordered_bits(const Field& field) {
    const FieldBits bits = bits_as<FieldBits>(field);
    if constexpr (kKind == FieldKind::kUnsigned) return bits;
    const bool flips_all = kKind == FieldKind::kFloat && (bits & kSign) != 0;
    return static_cast<FieldBits>(flips_all ? ~bits : bits ^ kSign);  //~ ordered-field
  }

  static __device__ __forceinline__ Field of_ordered_bits(FieldBits ordered) {
    if constexpr (kKind == FieldKind::kUnsigned) return bits_as<Field>(ordered);
    const bool flips_all = kKind == FieldKind::kFloat && (ordered & kSign) == 0;
    return bits_as<Field>(static_cast<FieldBits>(flips_all ? ~ordered : ordered ^ kSign));
  }

  // Whether these are the ordered bits of -0.0, which are one less than +0.0's.
  static __device__ __forceinline__ bool is_negative_zero(FieldBits ordered) {
    return kKind == FieldKind::kFloat && ordered == static_cast<FieldBits>(kSign - 1);
  }
};
