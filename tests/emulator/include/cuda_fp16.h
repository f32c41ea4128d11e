// Storage of half precision numbers; sorts move and compare their bits only.
#pragma once

struct __half_raw { unsigned short x; };
struct __half { unsigned short __x; };
typedef __half half;

inline unsigned short __half_as_ushort(__half h) { return h.__x; }
inline __half __ushort_as_half(unsigned short bits) { return {bits}; }
