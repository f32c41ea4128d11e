// Storage of bfloat16 numbers; sorts move and compare their bits only.
#pragma once

struct __nv_bfloat16_raw { unsigned short x; };
struct __nv_bfloat16 { unsigned short __x; };

inline unsigned short __bfloat16_as_ushort(__nv_bfloat16 h) { return h.__x; }
inline __nv_bfloat16 __ushort_as_bfloat16(unsigned short bits) { return {bits}; }
