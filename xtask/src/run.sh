#!/usr/bin/env bash
# Runs sortsmith's GPU tests, benches and examples on a machine with CUDA but no Rust.
# Made by `cargo xtask gpu-bundle`.
#
#   ./run.sh test [FILTER…]      the GPU tests (also what happens with no argument)
#   ./run.sh bench [FILTER…]     the benches
#   ./run.sh sanitize [FILTER…]  a reduced set of the GPU tests under compute-sanitizer
#   ./run.sh examples            the examples, which say what they did
#   ./run.sh all                 the four of them
#
# SORTSMITH_CUDA names a CUDA toolkit where none is in a usual place; COMPUTE_SANITIZER the tool.
set -euo pipefail
cd "$(dirname "$0")"

# The tools of compute-sanitizer and their options.
tools=(
    @TOOLS@
)

# What the heads of the benches' records say of this bundle.
export SORTSMITH_COMMIT="@COMMIT@"

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

task=${1:-test}
shift || true
case $task in
test) tests "$@" ;;
bench) benches "$@" ;;
sanitize) sanitize "$@" ;;
examples) examples ;;
all)
    tests
    examples
    sanitize
    benches
    ;;
*)
    echo "unknown task $task: legal are test, bench, sanitize, examples, all" >&2
    exit 2
    ;;
esac

if ((${#failed[@]})); then
    printf 'FAILED: %s\n' "${failed[@]}"
    exit 1
fi
echo "all passed"
