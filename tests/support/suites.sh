# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# The parts of ./check. Each adds to the count that its last line shows. Sourced after resources/setup/setup.sh.
passed=() failed=() skipped=() left_out=() took=()

# timed WHAT COMMAND...   runs it and remembers how long it took
timed() {
    local what=$1 start=$SECONDS status
    shift
    say "$what"
    "$@"
    status=$?
    took+=("$((SECONDS - start)) s  $what")
    return $status
}

# verdict NAME COMMAND...   a command that is one test: it passes or it fails
verdict() {
    if timed "$@"; then passed+=("$1"); else failed+=("$1"); fi
}

# Reads what ctest printed and counts each test under its preset's name.
count_tests() { # PRESET LOG
    local name state
    while read -r state name; do
        case $state in
            passed) passed+=("$1: $name") ;;
            skipped) skipped+=("$1: $name") ;;
            failed) failed+=("$1: $name") ;;
        esac
    done < <(awk '$1 ~ /^[0-9]+\/[0-9]+$/ && $2 == "Test" {
        state = / Passed / ? "passed" : /\*\*\*(Skipped|Not Run \(Disabled\))/ ? "skipped" : "failed"
        print state, $4 }' "$2")
}

# What a test left out, in its own words: a whole test or a row of one.
note_left_out() { # PRESET
    local why
    while read -r why; do left_out+=("$1: $why"); done < <(
        sed -nE 's/^(SKIP   :|SKIPPED:) *//p' "build/$1/Testing/Temporary/LastTest.log" 2>/dev/null)
}

test_preset() { # PRESET [CTEST ARGUMENT...]
    local preset=$1 log=build/$1/tests.log
    shift
    ctest --preset "$preset" "$@" 2>&1 | tee "$log"
    local status=${PIPESTATUS[0]} before=${#failed[@]}
    count_tests "$preset" "$log"
    note_left_out "$preset"
    # ctest can fail without a test that failed: no test at all, or a program that was not built.
    if ((status != 0 && ${#failed[@]} == before)); then failed+=("$preset: ctest ended with $status"); fi
    return "$status"
}

# build_and_test PRESET "TARGET..." [CTEST ARGUMENT...]   without targets all of them
build_and_test() {
    local preset=$1 targets
    read -ra targets <<<"$2"
    shift 2
    if timed "building $preset" build "$preset" "${targets[@]}"; then
        timed "testing $preset" test_preset "$preset" "$@"
    else
        failed+=("$preset: build")
    fi
}

# run_named PRESET NAME   one test or one folder of tests, built alone
run_named() {
    local preset=$1 names select=(-R "^($2|$2_test)\$")
    build "$preset" build.ninja >/dev/null || { failed+=("$preset: configure"); return; }
    mapfile -t names < <(tests_of "$preset" "${select[@]}")
    if ((${#names[@]} == 0)); then
        select=(-L "^$2(/|\$)")
        mapfile -t names < <(tests_of "$preset" "${select[@]}")
    fi
    ((${#names[@]})) || refuse "There is no test and no folder of tests named $2. The tests are:" "$(tests_of "$preset")"
    build_and_test "$preset" "${names[*]}" "${select[@]}"
}

tests_of() { ctest --preset "$@" -N 2>/dev/null | awk '$2 ~ /^#/ { print $3 }'; }

run_bench() {
    install_packages bench
    timed "building bench" build bench || { failed+=("bench: build"); return; }
    verdict "bench" tests/bench/table.sh build/bench/tests/bench
    verdict "bench of the engine" tests/bench/engine_table.sh build/bench/tests/bench
}

# A minute for each target, from the files that the tests read. What it finds is kept for the next time.
run_fuzz() {
    install_packages fuzz
    build_and_test fuzz fuzz -L fuzz
}

sources() { find core gpu ui app tests \( -name '*.cpp' -o -name '*.h' \) -print0; }

style_format() { sources | xargs -0 clang-format --dry-run -Werror; }

style_cppcheck() {
    mkdir -p build/cppcheck
    cppcheck --quiet -j "$(nproc)" --language=c++ --std=c++20 --library=qt --enable=warning,performance,portability \
        --inline-suppr --suppressions-list=tests/support/cppcheck.txt --cppcheck-build-dir=build/cppcheck \
        --error-exitcode=1 -I . core gpu ui app tests
}

# The two read the same build as the tests: the moc files that a test includes must be there.
run_style() {
    timed "building $tested" build "$tested" >/dev/null || failed+=("$tested: build")
    verdict "style: clang-format" style_format
    verdict "style: cppcheck" style_cppcheck
    verdict "style: clang-tidy" tests/support/tidy.sh "build/$tested"
}

# Where the building time goes: ninja's log has start and end in milliseconds, the last line of an object counts.
slowest_objects() { # PRESET...
    local preset seconds object
    for preset in "$@"; do
        say "slowest objects of $preset"
        awk -F'\t' 'NF == 5 && $4 ~ /\.o$/ { took[$4] = $2 - $1 } END { for (o in took) print took[o] / 1000, o }' \
            "build/$preset/.ninja_log" | sort -rn | while read -r seconds object; do
            if [[ -e build/$preset/$object ]]; then printf '%7.1f s  %s\n' "$seconds" "$object"; fi
        done | head -8
    done
}

close_the_count() {
    say "time"
    printf '   %s\n' "${took[@]}"
    ((${#left_out[@]})) && printf 'left out %s\n' "${left_out[@]}"
    ((${#skipped[@]})) && printf 'skipped  %s\n' "${skipped[@]}"
    ((${#failed[@]})) && printf 'FAILED   %s\n' "${failed[@]}"
    printf '%d passed, %d failed, %d skipped\n' "${#passed[@]}" "${#failed[@]}" "${#skipped[@]}"
    ((${#failed[@]} == 0 && ${#passed[@]} > 0))
}
