#!/usr/bin/env bash
# Runs sortsmith's GPU tests, benches and examples on a machine with CUDA but no Rust.
# Made by `cargo xtask gpu-bundle`.
#
#   ./run.sh test [FILTER…]      the GPU tests (also what happens with no argument)
#   ./run.sh bench [FILTER…]     the benches
#   ./run.sh sanitize [FILTER…]  a reduced set of the GPU tests under compute-sanitizer
#   ./run.sh each SECONDS WORKERS KIND…
#                                each GPU test in a process of its own, that many at a time, until the time is over. A kind is `plain` or a
#                                tool of compute-sanitizer. What bench-out/each.txt has is not run again, so that a later call goes on; the
#                                longest go first, by the seconds in the file bench-out/each-before.txt, where there is one.
#                                FILTER is a pattern of tests' names; SORTSMITH_SEED has to be the same in all calls
#   ./run.sh examples            the examples, which say what they did
#   ./run.sh tune [FLAG…]        tunes two cases within 60 s, or what the flags say, into bench-out/tuning.toml; measures
#                                them once more beside the built-in rows; and kills a tuner ten times on the way
#   ./run.sh candle [FILTER…]    the tests of the crate for candle, if the bundle has them, each in a process of its own: these compile their kernels
#                                side by side. Their libraries are CUDA's: those on LD_LIBRARY_PATH, or of /usr/local/cuda
#   ./run.sh all                 all of these but `each` and `tune`
#
# SORTSMITH_CUDA names a CUDA toolkit where none is in a usual folder; COMPUTE_SANITIZER the tool.
set -euo pipefail
cd "$(dirname "$0")"

# The tools of compute-sanitizer and their options.
tools=(
    @TOOLS@
)

# What the heads of the benches' records say of this bundle.
export SORTSMITH_COMMIT="@COMMIT@"

# Tests and benches are of the built-in shapes, whatever was tuned on this machine.
export SORTSMITH_TUNING="${SORTSMITH_TUNING:-none}"

# A GPU test that finds no GPU must fail here, not be left out.
export SORTSMITH_REQUIRE_GPU=1
if [[ -z "${SORTSMITH_CUDA:-}" && -d cuda ]]; then
    SORTSMITH_CUDA="$PWD/cuda"
    export SORTSMITH_CUDA
fi

failed=()

# run NAME COMMAND…: a failure is noted, and the rest goes on.
run() {
    local name=$1
    shift
    echo "== $name"
    if "$@"; then
        echo "== $name passed"
    else
        echo "== $name FAILED ($?)"
        failed+=("$name")
    fi
}

find_sanitizer() {
    local candidate
    for candidate in "${COMPUTE_SANITIZER:-}" compute-sanitizer \
        "${CUDA_HOME:-/usr/local/cuda}/bin/compute-sanitizer" \
        /usr/local/cuda/compute-sanitizer/compute-sanitizer; do
        if [[ -n "$candidate" ]] && command -v "$candidate"; then
            return
        fi
    done
    echo "no compute-sanitizer found: set COMPUTE_SANITIZER to it" >&2
    return 1
}

tests() {
    local program
    for program in tests/*; do
        [[ -x "$program" && -f "$program" ]] || continue
        run "$(basename "$program")" "$program" "$@"
    done
}

benches() {
    local program
    for program in benches/*; do
        [[ -x "$program" && -f "$program" ]] || continue
        run "$(basename "$program")" "$program" --bench "$@"
    done
}

examples() {
    local program
    for program in examples/*; do
        [[ -x "$program" && -f "$program" ]] || continue
        run "$(basename "$program")" "$program"
    done
}

candle() {
    local program
    LD_LIBRARY_PATH="${LD_LIBRARY_PATH:+$LD_LIBRARY_PATH:}${CUDA_HOME:-/usr/local/cuda}/lib64"
    export LD_LIBRARY_PATH
    for program in candle/*; do
        [[ -x "$program" && -f "$program" ]] || continue
        run "candle's $(basename "$program")" one_by_one "$program" "$@"
    done
}

# one_by_one PROGRAM FILTER…: each of a program's tests in a process of its own, as many at a time as there are cores.
one_by_one() {
    local program=$1
    shift
    "$program" --list "$@" | sed -n 's/: test$//p' |
        xargs -r -P "$(nproc)" -I TEST bash -c 'said=$("$0" --exact "$1" 2>&1) && grep -E "^test .+ \.\.\. |left out" <<<"$said" || { echo "$said"; exit 1; }' "$program" TEST
}

sanitize() {
    local sanitizer program tool options
    sanitizer=$(find_sanitizer) || {
        failed+=("sanitize")
        return
    }
    for program in tests/*; do
        [[ -x "$program" && -f "$program" ]] || continue
        for tool in "${tools[@]}"; do
            read -r -a options <<<"$tool"
            run "$(basename "$program") under ${options[0]}" env SORTSMITH_SANITIZE=1 \
                "$sanitizer" --tool "${options[@]}" --error-exitcode 99 --report-api-errors no \
                "$program" --test-threads=1 "$@"
        done
    done
}

# each_one KIND PROGRAM TEST: one test; adds a line with kind, test, exit code and seconds to bench-out/each.txt, and the end of what a failed
# one says to each-failed.txt. One that the time does not suffice for has no line.
each_one() {
    local kind=$1 program=$2 test=$3 begun log code=0 options=() left=$((EACH_END - $(date +%s)))
    ((left > 8)) || return 0
    begun=$(date +%s.%N)
    log=$(mktemp)
    if [[ "$kind" != plain ]]; then
        read -r -a options <<<"$(printf '%s\n' "${tools[@]}" | grep "^$kind")"
        options=(env SORTSMITH_SANITIZE=1 "$EACH_SANITIZER" --tool "${options[@]}" --error-exitcode 99 --report-api-errors no)
    fi
    timeout -k 2 "$left" "${options[@]}" "$program" --exact "$test" --test-threads=1 >"$log" 2>&1 || code=$?
    ((code != 0)) || grep -q "test result: ok. 1 passed" "$log" || code=77
    if ((code != 124 && code != 137)); then
        awk -v begun="$begun" -v end="$(date +%s.%N)" -v row="$kind $test $code" \
            'BEGIN { printf "%s %.1f\n", row, end - begun }' >>bench-out/each.txt
        ((code == 0)) || { echo "== $kind $test: $code" && tail -c 3000 "$log"; } >>bench-out/each-failed.txt
    fi
    rm -f "$log"
}

each() {
    local seconds=$1 workers=$2 kind program file
    shift 2
    for kind in "$@"; do
        if [[ "$kind" != plain ]] && ! printf '%s\n' "${tools[@]}" | grep -q "^$kind\b"; then
            echo "unknown kind $kind: legal are plain, ${tools[*]%% *}" >&2
            exit 2
        fi
    done
    mkdir -p bench-out
    touch bench-out/each.txt bench-out/each-before.txt
    EACH_END=$(($(date +%s) + seconds))
    EACH_SANITIZER=
    if [[ "$*" != plain ]]; then
        EACH_SANITIZER=$(find_sanitizer) || {
            failed+=("each")
            return
        }
    fi
    export EACH_END EACH_SANITIZER SORTSMITH_SEED="${SORTSMITH_SEED:-1}"
    for kind in "$@"; do
        for program in tests/*; do
            file=bench-out/.list-$(basename "$program")-$([[ "$kind" == plain ]] && echo plain || echo few)
            if [[ ! -s "$file" ]]; then
                env SORTSMITH_SANITIZE="$([[ "$kind" == plain ]] && echo 0 || echo 1)" "$program" --list 2>/dev/null |
                    sed -n 's/: test$//p' >"$file"
            fi
            sed "s|^|$kind $program |" "$file"
        done
    done | awk -v filter="${FILTER:-.}" '
        FILENAME == "bench-out/each.txt" { done[$1 " " $2] = 1; next }
        FILENAME == "bench-out/each-before.txt" { seconds[$1 " " $2] = $4; next }
        !(($1 " " $3) in done) && $3 ~ filter { print seconds[$1 " " $3] + 0, NR, $0 }
    ' bench-out/each.txt bench-out/each-before.txt - | sort -k1,1nr -k2,2n | cut -d" " -f3- >bench-out/.each-left
    xargs -r -P "$workers" -L 1 bash "$0" each-one <bench-out/.each-left
    awk '{ runs[$1]++; seconds[$1] += $4; bad[$1] += $3 != 0 }
        END { for (kind in runs) print kind ":", runs[kind], "runs,", bad[kind], "bad,", seconds[kind], "s" }' bench-out/each.txt
    awk 'FILENAME == "bench-out/each.txt" { done[$1 " " $2] = 1; next } !(($1 " " $3) in done) { left++ } END { print "left:", left + 0 }' \
        bench-out/each.txt bench-out/.each-left
    [[ ! -s bench-out/each-failed.txt ]] || failed+=("each: see bench-out/each-failed.txt")
}

# Kills a tuner ten times at random moments; its file must be complete after each, and is finished by a last run. One that ends
# before it is killed begins anew.
tune_killed() {
    local file=bench-out/tuning-killed.toml attempt child rows ended killed=0 status=0
    rm -f "$file"
    for attempt in {1..40}; do
        ((killed < 10)) || break
        bin/sortsmith tune --types u32_keys --budget 40s --file "$file" >/dev/null 2>&1 &
        child=$!
        sleep "$((RANDOM % 7)).$((RANDOM % 10))"
        ended=no
        if kill -KILL "$child" 2>/dev/null; then
            killed=$((killed + 1))
        else
            ended=yes
        fi
        wait "$child" 2>/dev/null || true
        if [[ ! -e "$file" ]]; then
            echo "attempt $attempt: no file yet"
        elif rows=$(bin/sortsmith tune --show --file "$file"); then
            echo "attempt $attempt: complete, $(grep -c ' x ' <<<"$rows") rows; ended by itself: $ended"
        else
            echo "attempt $attempt: NOT COMPLETE"
            status=1
        fi
        [[ "$ended" == no ]] || rm -f "$file"
    done
    if ((killed < 10)); then
        echo "killed $killed times, not ten: tuners end too soon"
        status=1
    fi
    bin/sortsmith tune --types u32_keys --budget 60s --file "$file" || status=1
    return "$status"
}

tune() {
    local file=bench-out/tuning.toml
    local flags=(--types f32_u32 --length "2^20,2^25" --budget 60s)
    if (($#)); then
        flags=("$@")
    fi
    run "tune" bin/sortsmith tune "${flags[@]}" --file "$file"
    run "tune: never slower than built in by more than 2%" bin/sortsmith tune --verify --file "$file"
    run "tune: killed ten times" tune_killed
}

task=${1:-test}
shift || true
case $task in
test) tests "$@" ;;
bench) benches "$@" ;;
sanitize) sanitize "$@" ;;
each) each "$@" ;;
each-one)
    each_one "$@"
    exit
    ;;
examples) examples ;;
candle) candle "$@" ;;
tune) tune "$@" ;;
all)
    tests
    examples
    candle
    sanitize
    benches
    ;;
*)
    echo "unknown task $task: legal are test, bench, sanitize, each, examples, candle, tune, all" >&2
    exit 2
    ;;
esac

if ((${#failed[@]})); then
    printf 'FAILED: %s\n' "${failed[@]}"
    exit 1
fi
echo "all passed"
