#!/bin/bash
# build.sh [KIND...] : builds driver-KIND for sm_90; NVCC names the compiler, peer.o is kept.
set -e
cd "$(dirname "$0")"
nvcc=${NVCC:-nvcc}; out=${OUT_DIR:-.}
flags="-std=c++17 -O3 -arch=sm_90 ${NVCC_FLAGS:-}"
[ -e peer.o ] || $nvcc $flags -c peer.cu -o peer.o
for kind in ${*:-u64 u64u32 f32u32 u32}; do
  case $kind in
    u64) d="-DSORT_BITS=uint64_t -DSORT_VALUE=nocliffs::NoValue -DSORT_TYPE=kU64" ;;
    u64u32) d="-DSORT_BITS=uint64_t -DSORT_VALUE=uint32_t -DSORT_TYPE=kU64" ;;
    f32u32) d="-DSORT_BITS=uint32_t -DSORT_VALUE=uint32_t -DSORT_TYPE=kF32" ;;
    u32) d="-DSORT_BITS=uint32_t -DSORT_VALUE=nocliffs::NoValue -DSORT_TYPE=kU32" ;;
  esac
  $nvcc $flags $d driver.cu peer.o -o $out/driver-$kind
done
