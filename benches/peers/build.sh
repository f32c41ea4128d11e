#!/bin/sh
# Builds CUB's sorts as a shared library for benches/tiles, benches/device and benches/rows:
#
#   benches/peers/build.sh [OUT.so]                  default: target/peers/libsortsmith_peers.so
#
#   NVCC         the compiler; default: nvcc on PATH, else that of /usr/local/cuda
#   CUB_INCLUDE  a folder that holds cub/, such as a wheel's; default: the toolkit's own
#   ARCH         such as sm_90; default: that of the first GPU
#   JOBS         compilers at a time; default: one for each core
#   SORTSMITH_LIBCUSORT  the header of libcusort; its device-wide sorts are built too where it is set
#   SORTSMITH_RAFT       a folder with the wheels libraft-cu13, librmm-cu13 and rapids-logger; RAFT's top-k is built too where it is set
#   KINDS        `tile`, `device`, `rows`, `topk`, `raft`, `segments` or `binned`: only what that takes, or several of them in quotes; default: all
set -eu
here=$(cd "$(dirname "$0")" && pwd)
out=${1:-target/peers/libsortsmith_peers.so}
nvcc=${NVCC:-$(command -v nvcc || echo /usr/local/cuda/bin/nvcc)}
arch=${ARCH:-sm_$(nvidia-smi --query-gpu=compute_cap --format=csv,noheader | head -n 1 | tr -d .)}
jobs=${JOBS:-$(nproc)}
objects=$(mktemp -d)
trap 'rm -rf "$objects"' EXIT
mkdir -p "$(dirname "$out")"

# One line each, what takes longest first: the object's name, its source and macros.
objects_to_build() {
  # Device-wide sorts of CUB, and of libcusort if there is its header: the types of keys and values, and their tag.
  for library in cub ${SORTSMITH_LIBCUSORT:+cusort}; do
    header="<cub/device/device_radix_sort.cuh>"
    [ "$library" = cub ] || header="\"$SORTSMITH_LIBCUSORT\""
    while read -r tag key value; do
      [ -z "$tag" ] || echo "device_${library}_$tag device_radix_sort.cu -DPEER_LIBRARY=$library '-DPEER_HEADER=$header'" \
        "-DPEER_TAG=$tag -DPEER_KEY=$key${value:+ -DPEER_VALUE=$value}"
    done <<TYPES
u64_u32 uint64_t uint32_t
u64 uint64_t
i64 int64_t
f64 double
u32_u64 uint32_t uint64_t
f32_u32 float uint32_t
u32_u32 uint32_t uint32_t
u32 uint32_t
u16 uint16_t
u8 uint8_t
TYPES
  done
  # RAFT has a CUB of its own.
  [ -z "${SORTSMITH_RAFT:-}" ] || echo "raft_topk raft_topk.cu -std=c++20 --extended-lambda --expt-relaxed-constexpr -w" \
    "-I$SORTSMITH_RAFT/libraft/include -I$SORTSMITH_RAFT/libraft/include/rapids -I$SORTSMITH_RAFT/librmm/include" \
    "-I$SORTSMITH_RAFT/rapids_logger/include"
  echo "device_version cub_version.cu"
  for part in rows topk; do
    echo "${part}_f32_u32 cub_$part.cu -DPEER_TAG=f32_u32 -DPEER_KEY=float -DPEER_VALUE=uint32_t"
    echo "${part}_u64_u32 cub_$part.cu -DPEER_TAG=u64_u32 -DPEER_KEY=uint64_t -DPEER_VALUE=uint32_t"
    echo "${part}_u32 cub_$part.cu -DPEER_TAG=u32 -DPEER_KEY=uint32_t"
  done
  echo "rows_f32 cub_rows.cu -DPEER_TAG=f32 -DPEER_KEY=float"
  echo "rows_f16 cub_rows.cu -DPEER_TAG=f16 -DPEER_KEY=__half -include cuda_fp16.h"
  # Segments between offsets.
  while read -r tag key value; do
    echo "segments_$tag cub_rows.cu -DPEER_OFFSETS -DPEER_TAG=$tag -DPEER_KEY=$key${value:+ -DPEER_VALUE=$value}"
  done <<TYPES
u32_u32 uint32_t uint32_t
u32 uint32_t
TYPES
  echo "binned_u32_u32 cub_binned.cu -DPEER_TAG=u32_u32 -DPEER_KEY=uint32_t"
  echo "binned_i64_u32 cub_binned.cu -DPEER_TAG=i64_u32 -DPEER_KEY=int64_t"
  for threads in 1024 512 256 128; do
    of_tile="cub_tiles.cu -DPEER_THREADS=$threads"
    echo "tile_u64_$threads $of_tile -DPEER_TAG=u64 -DPEER_KEY=uint64_t"
    echo "tile_f32_u32_$threads $of_tile -DPEER_TAG=f32_u32 -DPEER_KEY=float -DPEER_VALUE=uint32_t"
    echo "tile_u32_u32_$threads $of_tile -DPEER_TAG=u32_u32 -DPEER_KEY=uint32_t -DPEER_VALUE=uint32_t"
    echo "tile_u32_$threads $of_tile -DPEER_TAG=u32 -DPEER_KEY=uint32_t"
    echo "tile_u16_$threads $of_tile -DPEER_TAG=u16 -DPEER_KEY=uint16_t"
    echo "tile_f16_$threads $of_tile -DPEER_TAG=f16 -DPEER_KEY=__half"
    echo "tile_i8_$threads $of_tile -DPEER_TAG=i8 -DPEER_KEY=int8_t"
  done
}

export here nvcc arch objects
objects_to_build | grep -E "^($(echo "${KINDS:-}" | tr " " "|"))" | xargs -P "$jobs" -L 1 sh -c '
  object=$0 source=$1
  shift
  "$nvcc" -c -O3 -arch="$arch" -Xcompiler -fPIC,-fvisibility=hidden "$@" \
    ${CUB_INCLUDE:+-I "$CUB_INCLUDE"} "$here/$source" -o "$objects/$object.o"
'
raft_libraries=
if [ -n "${SORTSMITH_RAFT:-}" ]; then
  raft=$(cd "$SORTSMITH_RAFT" && pwd)
  for library in librmm/lib64/librmm.so rapids_logger/lib64/librapids_logger.so; do
    raft_libraries="$raft_libraries $raft/$library -Xlinker -rpath=$raft/${library%/*}"
  done
fi
# shellcheck disable=SC2086
"$nvcc" -shared -arch="$arch" "$objects"/*.o $raft_libraries -o "$out"
echo "$out: $arch, $("$nvcc" --version | sed -n 's/.*release \([0-9.]*\).*/nvcc \1/p')"
