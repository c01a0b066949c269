#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# engine_table.sh FOLDER [FILTER]   each row of `maskscope-cli bench` that matches FILTER, the measured limit beside it and,
# where PYTHON (default python3) has it, PyTorch. One row after the other, so that the machine is the same for all three.
set -u
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
folder=$1
filter=${2:-.}
cli=$folder/../../app/cli/maskscope-cli
csv=$(mktemp)
rows=$(mktemp)
trap 'rm -f "$csv" "$rows"' EXIT

[[ -x $cli && -x $folder/engine_bench ]] || { echo "$folder has no engine_bench: build with MASKSCOPE_BENCH"; exit 1; }
"$cli" bench --list --filter "$filter" --json >"$rows" || exit 1
while read -r name _; do
    # A name holds nothing that a regex reads.
    "$folder/engine_bench" --benchmark_filter="^(limit|engine)/$name(/|\$)" --benchmark_color=false 2>/dev/null |
        awk '$1 ~ /\// && $3 == "ms" { printf "%s,%s\n", $1, $2 }' >>"$csv"
    "${PYTHON:-python3}" "$here/peers/engine.py" "$rows" "^$name\$" 2>/dev/null |
        awk -F, '{ gsub(/"/, "", $1); printf "%s,%s\n", $1, $3 }' >>"$csv"
done < <("$cli" bench --list --filter "$filter")

awk -F, '
    { key = $1; sub(/\/(iterations:[0-9]+|min_time:[0-9.]+|real_time|manual_time|process_time).*/, "", key); ms[key] = $2 }
    key ~ /^engine\// { order[++count] = substr(key, 8) }
    function show(value) { return value == "" ? sprintf("%10s", "-") : sprintf("%10.2f", value) }
    function ratio(upper, lower) { return upper == "" || !lower ? sprintf("%8s  ", "-") : sprintf("%8.2f x", upper / lower) }
    END {
        print "engine, milliseconds"
        printf "   %-32s %10s %10s %10s %10s %10s\n", "", "Maskscope", "limit", "over it", "PyTorch", "faster by"
        for (i = 1; i <= count; ++i) {
            name = order[i]; ours = ms["engine/" name]; limit = ms["limit/" name]; theirs = ms["torch/" name]
            printf "   %-32s %s %s %s %s %s\n", name, show(ours), show(limit), ratio(ours, limit), show(theirs), ratio(theirs, ours)
        }
        if (!count) { print "no row of ours"; exit 1 }
    }' "$csv"
