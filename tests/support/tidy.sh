#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# tidy.sh BUILD_DIR [FILE...]   clang-tidy over the sources of the build but its tests, or over these. A file that was
# clean is not read again while it, the headers of ours that it includes, the rules and clang-tidy itself are the same.
# Tests are left to the compilers, cppcheck and the sanitizers: reading them took a third of the time.
set -uo pipefail
build=$1
shift
cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit 1
clean=${XDG_CACHE_HOME:-$HOME/.cache}/maskscope/tidy
mkdir -p "$clean"
rules=$({ clang-tidy --version; cat .clang-tidy; } | sha256sum)

# source<TAB>its headers in this tree, from what the compiler told ninja
inputs() {
    ninja -C "$build" -t deps 2>/dev/null | awk -v root="$PWD/" '
        /^[^ ].*#deps/ { unit = "" ; next }
        /^    / {
            path = $1
            if (path ~ /^\.\.\//) { gsub(/^(\.\.\/)+/, "", path) } else if (index(path, root) == 1) { path = substr(path, length(root) + 1) } else next
            if (path ~ /^build\//) next
            if (unit == "") { unit = path } else headers[unit] = headers[unit] " " path
            seen[unit] = 1
        }
        END { for (unit in seen) if (unit ~ /\.cpp$/) print unit "\t" headers[unit] }' | sort
}

tidy_one() { # KEY FILE
    local out
    if out=$(clang-tidy -p "$build" --quiet --extra-arg=-Wno-unknown-warning-option "$2" 2>/dev/null); then
        touch "$clean/$1"
    else
        printf '%s\n' "$out"
        return 1
    fi
}
export -f tidy_one
export build clean

dirty=()
units=0
while IFS=$'\t' read -r unit headers; do
    [[ -f $unit ]] || continue
    ((++units))
    if (($#)); then
        [[ " $* " == *" $unit "* ]] || continue
    elif [[ $unit == tests/* ]]; then
        continue
    fi
    # shellcheck disable=SC2086  # a list of paths without spaces
    key=$({ echo "$rules"; cat "$unit" $headers; } 2>/dev/null | sha256sum | cut -c1-40)
    if [[ -e $clean/$key ]]; then touch "$clean/$key"; else dirty+=("$key" "$unit"); fi
done < <(inputs)
find "$clean" -type f -mtime +30 -delete
echo "clang-tidy reads $((${#dirty[@]} / 2)) of $units files"
if ((units == 0)); then
    echo "$build holds no compiled file"
    exit 1
fi
((${#dirty[@]} == 0)) && exit 0
printf '%s\n' "${dirty[@]}" | xargs -n 2 -P "$(nproc)" bash -c 'tidy_one "$@"' tidy
