#!/usr/bin/env bash
# Measures everything that Benchmarks/README.md shows and writes it there, with the samples as JSON and the plot as SVG.
#
#   Benchmarks/measure.sh LLAMA_BENCH FILE.gguf...
#
# All files are measured in turn with llama-bench. The first one also at depth, against both of llama-bench's -fa; as
# requests; with both sets of kernels and one thread; and with a core taken by another process. Nothing else should run.
# ROUNDS=N changes the number of turns (5). With the nine files of the README it takes some seventeen minutes on two cores.
set -euo pipefail
if [ $# -lt 2 ]; then
  sed -n 's/^# \{0,1\}//; 2,8p' "$0" >&2
  exit 2
fi
peer="$(realpath -e "$1")"
shift
files=()
for file in "$@"; do files+=("$(realpath -e "$file")"); done
cd "$(dirname "$0")/.."

.ci/build hearth-bench
bench=.build/release/hearth-bench
HEARTH_COMMIT="$(git rev-parse --short HEAD 2>/dev/null || true)"
export HEARTH_COMMIT
rounds="${ROUNDS:-5}"
first="${files[0]}"
all="$(IFS=,; echo "${files[*]}")"
out=Benchmarks/results
mkdir -p "$out"
text="$(mktemp)"
busy=""
trap 'rm -f "$text"; [ -z "$busy" ] || kill "$busy"' EXIT

# section NAME TITLE ARGUMENTS: a table under a title, its rows in results/NAME.json.
section() {
  local name="$1" title="$2"
  shift 2
  echo "measure: $title" >&2
  { printf '\n### %s\n\n' "$title"; printf '`hearth-bench'; printf ' %s' "$@" | sed "s#$PWD/##g; s#[^ ,]*/##g"; printf '`\n\n'; } >> "$text"
  "$bench" "$@" --save "$out/$name.json" >> "$text"
  # Where the files lie is nobody's business.
  sed -i 's#\("model_filename": *"\).*/#\1#' "$out/$name.json"
}

section turns "In turn with llama-bench, $rounds rounds" \
  --peer "$peer" --rounds "$rounds" -r 1 -m "$all" -p 512 -n 128
section depth "Decode at depth in turn with llama-bench, flash attention off and on" \
  --peer "$peer" --peer-fa 0,1 --rounds "$rounds" -r 2 -m "$first" -p 0 -n 128 -d 4096
section engine "Decode over the length of the context, requests, the prefix cache, sampling" \
  -m "$first" -p 0 -n 128 -d 0,1024,4096,8064 --request 512,128 --prefix 512,448 --sampling -r 5
section kernels "Kernels and threads" -m "$first" -p 512 -n 128 -t 1,2 --kernels portable,avx2 -r 5 --bandwidth 0
HEARTH_AVX512=0 section avx2 "The same kernels without AVX-512 (HEARTH_AVX512=0)" \
  -m "$first" -p 512 -n 128 -t 1,2 --kernels portable,avx2 -r 5 --bandwidth 0
section quiet "Decode on a quiet machine" -m "$first" -p 0 -n 128 -r 5 --bandwidth 0

# A loop of another process keeps the last core busy.
taskset -c "$(($(nproc) - 1))" sh -c 'while :; do :; done' &
busy=$!
section busy "The same with one core taken by a loop of another process" \
  -m "$first" -p 0 -n 128 -r 5 --bandwidth 0 --compare "$out/quiet.json"
kill "$busy"
busy=""

"$bench" --read "$out/turns.json,$out/depth.json" --plot Benchmarks/plot.svg > /dev/null

# Everything below the line is this script's.
line='<!-- Below this line: Benchmarks/measure.sh -->'
{
  sed "\|^$line\$|,\$d" Benchmarks/README.md
  printf '%s\n\n' "$line"
  printf '![Tokens a second, ours and llama-bench](plot.svg)\n'
  cat "$text"
} > "$text.page"
mv "$text.page" Benchmarks/README.md
echo "measure: Benchmarks/README.md, plot.svg and results/ are written" >&2
