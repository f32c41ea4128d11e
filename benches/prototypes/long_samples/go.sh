# go.sh LIMIT STEP...: in0..in4 (classes), topk, quick1, quick2, device; each writes $OUT/STEP.csv
set -u
L=$1; shift
H=$PWD/.carry/perf; T=$(date +%s); at() { echo "$(( $(date +%s) - T )) s: $*"; }
N=$(command -v nvcc || echo /usr/local/cuda/bin/nvcc)
mkdir -p /tmp/w; cd /tmp/w; for b in matrix rows; do [ -x $b ] || { xz -dc $H/$b.xz > $b; chmod +x $b; }; done
if [ ! -e peers.so ]; then NVCC=$N ARCH=sm_90 KINDS=device $H/peers/build.sh /tmp/w/peers.so > $OUT/nvcc_peers.txt 2>&1; echo "peers rc $?"; fi
if false; then mkdir raft; tar -C raft -xJf $H/raft/inc.tar.xz; (NVCC=$N ARCH=sm_90 KINDS="topk raft device_version" SORTSMITH_RAFT=/tmp/w/raft JOBS=6 $H/peers/build.sh /tmp/w/topk.so > /tmp/w/topk.log 2>&1; echo "rc $? $(( $(date +%s) - T )) s" >> /tmp/w/topk.log) & fi
at built; nvidia-smi --query-gpu=name --format=csv,noheader
export SORTSMITH_TUNING=none SORTSMITH_ALGORITHMS=auto SORTSMITH_COMMIT=f3fa45a
for s in "$@"; do
  left=$(( L - $(date +%s) + T )); [ $left -lt 15 ] && { echo "no time for $s"; continue; }
  mkdir -p /tmp/w/o; rm -rf /tmp/w/o/*
  export SORTSMITH_PEERS=/tmp/w/peers.so SORTSMITH_OUT=/tmp/w/o
  case $s in
    in*) SORTSMITH_MATRIX=$H/$s.toml timeout $left ./matrix --bench > $s.txt 2>&1 ;;
    quick*) SORTSMITH_MATRIX=quick timeout $left ./matrix --bench > $s.txt 2>&1 ;;
    topk) while ! grep -q "^rc" /tmp/w/topk.log; do sleep 1; done; tail -1 /tmp/w/topk.log; SORTSMITH_PEERS=/tmp/w/topk.so timeout $left ./rows --bench topk > $s.txt 2>&1 ;;
  esac
  at $s rc $?; tail -n 2 $s.txt | cut -c1-300
  for f in /tmp/w/o/*.csv; do [ -e $f ] && mv $f $OUT/$s-$(basename $f); done
done
ls $OUT
