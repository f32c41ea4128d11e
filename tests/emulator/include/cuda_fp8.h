// Storage of eight-bit floating point numbers; sorts move and compare their bits only.
#pragma once

typedef unsigned char __nv_fp8_storage_t;
struct __nv_fp8_e4m3 { __nv_fp8_storage_t __x; };
struct __nv_fp8_e5m2 { __nv_fp8_storage_t __x; };
