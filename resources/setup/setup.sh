# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# What ./run and ./check share: install the packages that are missing, configure a preset, build it. Sourced; the caller
# has set `root`, the folder of this source tree.
cd_root() { cd "$root" || exit 1; }

say() { printf '== %s\n' "$*"; }

# refuse SENTENCE...   this cannot go on for a reason outside the source; 1 stays for tests that failed
refuse() {
    printf '%s\n' "$@" >&2
    exit 2
}

# packages_of GROUP...   the package column of those groups
packages_of() {
    local groups=" $* "
    awk -v groups="$groups" '$1 !~ /^#/ && index(groups, " " $1 " ") { print $2 }' "$root/resources/setup/packages"
}

is_installed() { [[ $(dpkg-query -W -f='${db:Status-Abbrev}' "$1" 2>/dev/null) == ii* ]]; }

# The packages among the arguments that are missing, alternatives kept together as a|b.
missing_of() {
    local names name
    for names in "$@"; do
        for name in ${names//|/ }; do is_installed "$name" && continue 2; done
        printf '%s\n' "$names"
    done
}

as_root() {
    if [[ $EUID -eq 0 ]]; then
        "$@"
    elif command -v sudo >/dev/null; then
        sudo "$@"
    else
        refuse "Installing packages needs root, and there is no sudo. As root, run: ${*}"
    fi
}

# install_packages GROUP...   asks dpkg only when the list has changed since the last success, apt only when something is missing
install_packages() {
    local stamp wanted missing names name chosen=()
    stamp="$root/build/packages-$(IFS=-; printf '%s' "$*")"
    cmp -s "$root/resources/setup/packages" "$stamp" && return
    mapfile -t wanted < <(packages_of "$@")
    if ! command -v apt-get >/dev/null || ! command -v dpkg-query >/dev/null; then
        [[ -n ${MASKSCOPE_HAVE_PACKAGES:-} ]] && return
        refuse "This system has no apt-get. Install what these Debian packages hold:" "  ${wanted[*]}" \
            "and say so: MASKSCOPE_HAVE_PACKAGES=1 $0"
    fi
    mapfile -t missing < <(missing_of "${wanted[@]}")
    if ((${#missing[@]})); then
        say "installing ${missing[*]}"
        as_root apt-get update -qq
        for names in "${missing[@]}"; do
            for name in ${names//|/ }; do
                apt-cache show --no-all-versions "$name" >/dev/null 2>&1 && break
            done
            chosen+=("$name")
        done
        as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends \
            -o DPkg::Lock::Timeout=120 "${chosen[@]}" >"$root/build/packages.log" 2>&1 ||
            refuse "$(tail -15 "$root/build/packages.log")" "These packages could not be installed: ${chosen[*]}"
    fi
    cp "$root/resources/setup/packages" "$stamp"
}

# configure PRESET   only when the presets are newer; ninja itself follows the CMakeLists.txt
configure() {
    local stamp="$root/build/$1/configured"
    [[ $stamp -nt $root/CMakePresets.json && -f $root/build/$1/build.ninja ]] && return
    mkdir -p "$root/build/$1"
    if ! (cd_root && cmake --preset "$1") >"$root/build/$1/configure.log" 2>&1; then
        cat "$root/build/$1/configure.log" >&2
        return 1
    fi
    touch "$stamp"
}

# build PRESET [TARGET...]
build() {
    local preset=$1
    shift
    configure "$preset" && (cd_root && cmake --build "build/$preset" -j "$(nproc)" ${1:+--target "$@"})
}

# Objects of another checkout of the same source are the same objects.
export CCACHE_BASEDIR=$root CCACHE_NOHASHDIR=1
mkdir -p "$root/build"
