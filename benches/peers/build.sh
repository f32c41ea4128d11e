#!/bin/sh
# Builds CUB's tile sorts as a shared library for benches/tiles.rs:
#
#   benches/peers/build.sh [OUT.so]                  default: target/peers/libsortsmith_peers.so
#
#   NVCC         the compiler; default: nvcc on PATH, else that of /usr/local/cuda
#   CUB_INCLUDE  a folder that holds cub/, such as a wheel's; default: the toolkit's own
#   ARCH         such as sm_90; default: that of the first GPU
#   JOBS         compilers at a time; default: one for each core
set -eu
here=$(cd "$(dirname "$0")" && pwd)
out=${1:-target/peers/libsortsmith_peers.so}
nvcc=${NVCC:-$(command -v nvcc || echo /usr/local/cuda/bin/nvcc)}
arch=${ARCH:-sm_$(nvidia-smi --query-gpu=compute_cap --format=csv,noheader | head -n 1 | tr -d .)}
jobs=${JOBS:-$(nproc)}
objects=$(mktemp -d)
trap 'rm -rf "$objects"' EXIT
mkdir -p "$(dirname "$out")"

# One line each: the type's tag and its macros.
parts() {
  for threads in 512 256 128; do
    echo "u64 $threads -DPEER_KEY=uint64_t"
    echo "f32_u32 $threads -DPEER_KEY=float -DPEER_VALUE=uint32_t"
    echo "u32_u32 $threads -DPEER_KEY=uint32_t -DPEER_VALUE=uint32_t"
    echo "u32 $threads -DPEER_KEY=uint32_t"
  done
}

export here nvcc arch objects
parts | xargs -P "$jobs" -L 1 sh -c '
  tag=$0 threads=$1
  shift
  "$nvcc" -c -O3 -std=c++17 -arch="$arch" -Xcompiler -fPIC,-fvisibility=hidden \
    ${CUB_INCLUDE:+-I "$CUB_INCLUDE"} -DPEER_TAG="$tag" -DPEER_THREADS="$threads" "$@" \
    "$here/cub_tiles.cu" -o "$objects/${tag}_$threads.o"
'
"$nvcc" -shared -arch="$arch" "$objects"/*.o -o "$out"
echo "$out: $arch, $("$nvcc" --version | sed -n 's/.*release \([0-9.]*\).*/nvcc \1/p')"
