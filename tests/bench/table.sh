#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# table.sh FOLDER [SIDE...]   runs the benchmark programs of FOLDER, peers in between, and prints what to compare.
# Python peers join where PYTHON (default python3) has them.
set -u
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
folder=$1
shift
sides=("$@")
((${#sides[@]})) || sides=(1024 4096 16384 32768)
csv=$(mktemp)
trap 'rm -f "$csv"' EXIT

run() { # PROGRAM FILTER
    [[ -x $folder/$1 ]] || return 0
    # Google Benchmark's own CSV wants the same counters of every row, so the console's columns are read: name, time, unit.
    "$folder/$1" --benchmark_filter="$2" --benchmark_color=false 2>/dev/null |
        awk '$1 ~ /\// && $3 == "ms" { printf "\"%s\",1,%s\n", $1, $2 }' >>"$csv"
}

for side in "${sides[@]}"; do
    run picture_bench "/$side(/|\$)"
    run peer_bench "/$side(/|\$)"
    # The Python peers need minutes and many times the memory beyond this.
    ((side <= 16384)) && "${PYTHON:-python3}" "$here/peers/pictures.py" "$side" >>"$csv" 2>/dev/null
done
run file_bench .
run start_bench .

awk -F, -v sides="${sides[*]}" '
    { gsub(/"/, "", $1)
      n = split($1, part, "/"); key = $1
      sub(/\/(iterations:[0-9]+|min_time:[0-9.]+|real_time|manual_time|process_time).*/, "", key); ms[key] = $3 }
    function show(value) { return value == "" ? sprintf("%10s", "-") : sprintf("%10.2f", value) }
    END {
        count = split(sides, side, " ")
        print "pictures, 1600 x 900, float32, milliseconds"
        printf "%8s %-14s %10s %10s %10s\n", "side", "", "first", "pan", "range"
        peers = split("QImage QCPColorMap pyqtgraph silx matplotlib vispy", peer, " ")
        for (i = 1; i <= count; ++i) {
            s = side[i]
            if (ms["first_picture/" s] == "" || ms["read_pass/" s] == "") missing = 1
            printf "%8d %-14s%s %s %s\n", s, "Maskscope", show(ms["first_picture/" s]), show(ms["pan/" s "/1"]), show(ms["range_change/" s])
            for (p = 1; p <= peers; ++p) {
                name = peer[p]
                if (ms[name "/first/" s] == "") continue
                printf "%8s %-14s%s %s %s\n", "", name, show(ms[name "/first/" s]), show(ms[name "/pan/" s]), show(ms[name "/range/" s])
            }
            if (ms["read_pass/" s] > 0) printf "%8s exact picture %.2f ms, %.2f x one read pass (%.2f ms)\n", "", ms["prepare/" s], ms["prepare/" s] / ms["read_pass/" s], ms["read_pass/" s]
            worst = 0
            for (k in ms) if (k ~ "^zoom/" s "/" && ms[k] > worst) worst = ms[k]
            printf "%8s slowest exact frame after a zoom %.2f ms\n", "", worst
        }
        print "files, 1 GiB npy"
        printf "   open %.3f ms; statistics of all of it %.1f ms, %.2f x one read pass (%.1f ms)\n", ms["file/open"], ms["file/statistics"], ms["file/statistics"] / ms["file/read_pass"], ms["file/read_pass"]
        print "start-up, warm"
        printf "   an empty process %.1f ms, the command %.1f ms, info on a small file %.1f ms, the window to its first frame and out again %.1f ms\n", ms["start/true"], ms["start/command"], ms["start/command_info"], ms["start/window"]
        if (missing || ms["file/open"] == "" || ms["start/command"] == "") { print "a figure of ours is missing"; exit 1 }
    }' "$csv"
