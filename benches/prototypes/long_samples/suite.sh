#!/usr/bin/env bash
# suite.sh SECONDS WORKERS KIND...: runs every test of both suites by itself, as often as kinds are named; goes on from results0.
set -u
S=$1 W=$2; shift 2
HERE=$(cd "$(dirname "$0")" && pwd); D=/tmp/suite; mkdir -p $D/log
START=$(date +%s); export END=$((START + S)) D OUT
for b in gpu_runtime gpu_kernels; do [ -x $D/$b ] || { xz -dc $HERE/$b.xz > $D/$b.tmp; chmod +x $D/$b.tmp; mv $D/$b.tmp $D/$b; }; done
export SORTSMITH_TUNING=none SORTSMITH_REQUIRE_GPU=1 SORTSMITH_SEED=20261128
touch $HERE/results0; cp $HERE/results0 $OUT/results; : > $OUT/fail.log
if [ -d $HERE/../structs ] && [ ! -e $D/structs.done ]; then
  N=$(command -v nvcc || echo /usr/local/cuda/bin/nvcc)
  for k in 0 1; do (cd $HERE/../structs && $N -arch=sm_90 -O3 -std=c++17 -DKIND=$k -DKEYS_FACADE="\"f/k$k/device_radix_sort.cuh\"" -DPAIRS_FACADE="\"f/p$k/device_radix_sort.cuh\"" -o $D/structs$k structs.cu > $OUT/nvcc_s$k.txt 2>&1) & done; wait
  { timeout 40 $D/structs0; timeout 40 $D/structs1; cat $OUT/nvcc_s?.txt | head -c 3000; } > $OUT/structs.txt 2>&1; rm -f $OUT/nvcc_s?.txt; touch $D/structs.done
  grep ratio $OUT/structs.txt; grep -c "0 differ" $OUT/structs.txt; grep -v ": 0 differ" $OUT/structs.txt | head -5
fi
nvidia-smi --query-gpu=name,driver_version --format=csv,noheader > $OUT/card
SAN=$(command -v compute-sanitizer || ls /usr/local/cuda/bin/compute-sanitizer /usr/local/cuda/compute-sanitizer/compute-sanitizer 2>/dev/null | head -1); export SAN
for b in gpu_runtime gpu_kernels; do
  $D/$b --list --format terse 2>/dev/null | sed -n 's/: test$//p' > $D/$b.all
  SORTSMITH_SANITIZE=1 $D/$b --list --format terse 2>/dev/null | sed -n 's/: test$//p' > $D/$b.short
done
: > $D/todo
for k in "$@"; do for b in gpu_runtime gpu_kernels; do
  l=$D/$b.short; [ $k = plain ] && l=$D/$b.all
  while IFS= read -r t; do grep -qxF "ok|$k|$b|$t" <(cut -d'|' -f1-4 $HERE/results0) || echo "$k|$b|$t"; done < $l
done; done > $D/todo
python3 - $HERE/est.json $D/todo <<'PY'
import json,sys
est=json.load(open(sys.argv[1])); w={'plain':1000,'racecheck':1,'memcheck':.7,'initcheck':.6,'synccheck':.5}
L=[l.rstrip('\n') for l in open(sys.argv[2])]
L.sort(key=lambda l:-w[l.split('|')[0]]*est.get('|'.join(l.split('|')[1:]),5))
open(sys.argv[2],'w').write(''.join(l+'\n' for l in L))
PY
GPUS=$(nvidia-smi -L | wc -l); export GPUS
echo "lists: $(wc -l < $D/gpu_runtime.all) $(wc -l < $D/gpu_kernels.all) short $(wc -l < $D/gpu_runtime.short) $(wc -l < $D/gpu_kernels.short); todo $(wc -l < $D/todo); after $(( $(date +%s) - START )) s" | tee $OUT/lists
one() {
  IFS='|' read -r k b t <<< "$1"
  local now=$(date +%s); [ $now -ge $END ] && return
  export CUDA_VISIBLE_DEVICES=$((SLOT % GPUS))
  local left=$((END + 20 - now)) log; log=$(mktemp $D/log/XXXXXX)
  case $k in
    plain) timeout -k 2 $left $D/$b --exact "$t" --test-threads=1 > $log 2>&1 ;;
    memcheck) SORTSMITH_SANITIZE=1 timeout -k 2 $left $SAN --tool memcheck --leak-check no --error-exitcode 99 --report-api-errors no $D/$b --exact "$t" --test-threads=1 > $log 2>&1 ;;
    racecheck) SORTSMITH_SANITIZE=1 timeout -k 2 $left $SAN --tool racecheck --racecheck-report all --error-exitcode 99 --report-api-errors no $D/$b --exact "$t" --test-threads=1 > $log 2>&1 ;;
    *) SORTSMITH_SANITIZE=1 timeout -k 2 $left $SAN --tool $k --error-exitcode 99 --report-api-errors no $D/$b --exact "$t" --test-threads=1 > $log 2>&1 ;;
  esac
  local rc=$? took=$(( $(date +%s) - now ))
  if [ $rc = 124 -o $rc = 137 ] && [ $(date +%s) -ge $END ]; then echo "cut|$k|$b|$t|$took" >> $OUT/cut; rm -f $log; return; fi
  if [ $rc = 0 ] && grep -q "test result: ok. 1 passed" $log; then
    if [ $k != plain ] && ! grep -qE "ERROR SUMMARY: 0 errors|RACECHECK SUMMARY: 0 hazards" $log; then rc=98; fi
  elif [ $rc = 0 ]; then rc=97; fi
  if [ $rc = 0 ]; then echo "ok|$k|$b|$t|$took" >> $OUT/results
  else echo "BAD$rc|$k|$b|$t|$took" >> $OUT/results; { echo "=== $rc $k $b $t"; tail -c 3000 $log; } >> $OUT/fail.log; fi
  rm -f $log
}
export -f one
tr '\n' '\0' < $D/todo | xargs -0 --process-slot-var=SLOT -P $W -I{} bash -c 'one "$1"' _ {}
echo "ok $(grep -c '^ok' $OUT/results) bad $(grep -c '^BAD' $OUT/results) left $(( $(wc -l < $D/todo) + $(wc -l < $HERE/results0) - $(grep -c '^ok' $OUT/results) )) cut $(cat $OUT/cut 2>/dev/null | wc -l); $(( $(date +%s) - START )) s; $(cat $OUT/card)"
grep '^BAD' $OUT/results | head -20
