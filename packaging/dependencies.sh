# shellcheck shell=bash disable=SC2034
# The Debian 12 packages that Letoff needs, and how a missing one gets installed. Sourced by packaging/play and packaging/test.

letoff_build_packages=(
    build-essential cmake ninja-build pkg-config
    libhwy-dev libtbb-dev libeigen3-dev libnlopt-dev libsndfile1-dev libcli11-dev libfmt-dev nlohmann-json3-dev
    libsqlitecpp-dev libsqlite3-dev libfluidsynth-dev librtaudio-dev librtmidi-dev libjack-jackd2-dev
    liblo-dev libusb-1.0-0-dev libwebsockets-dev nodejs npm
)
letoff_test_packages=(
    libgtest-dev libgmock-dev libbenchmark-dev
    clang-19 clang-format-19 clang-tidy-19 libclang-rt-19-dev
    jackd2 pulseaudio pulseaudio-utils umockdev libumockdev-dev chromium
)
# Of packaging/test --full alone: a fresh Debian (tests/system/fresh_root), and the whole-kernel run
# (tests/system/kernel/run), which fetches the kernel itself too.
letoff_full_test_packages=(debootstrap lintian qemu-system-x86 busybox-static cpio kmod zstd)

# Prints those of the given packages that are not installed, one a line.
letoff_missing_packages() {
    local package
    for package in "$@"; do
        # These two may be there from elsewhere than Debian, whose packages would not go beside them.
        [[ $package == nodejs || $package == npm ]] && command -v node >/dev/null && command -v npm >/dev/null && continue
        # One line an architecture; any will do.
        dpkg-query -W -f='${db:Status-Status}\n' "$package" 2>/dev/null | grep -qx installed || printf '%s\n' "$package"
    done
}

# Installs what is missing of the given packages; touches neither the network nor sudo when nothing is.
letoff_install() {
    if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
        printf 'Letoff installs its packages with apt-get, which this system lacks; on Debian 12 they are: %s\n' "$*" >&2
        return 1
    fi
    local missing
    mapfile -t missing < <(letoff_missing_packages "$@")
    ((${#missing[@]})) || return 0

    local as_root=()
    if ((EUID != 0)); then
        if command -v sudo >/dev/null && { [[ -t 0 ]] || sudo -n true 2>/dev/null; }; then
            as_root=(sudo)
            printf 'sudo is used only to install: %s\n' "${missing[*]}"
        else
            letoff_say_how_to_install "${missing[@]}"
            return 1
        fi
    fi
    # A package list that cannot be renewed may still be good enough to install from.
    "${as_root[@]}" apt-get update -q || printf 'apt-get update failed; trying with the package list as it is.\n' >&2
    if ! "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends "${missing[@]}"; then
        letoff_say_how_to_install "${missing[@]}"
        return 1
    fi
}

letoff_say_how_to_install() {
    printf 'Some packages are missing. As root, run this line, then try again:\n    apt-get update && apt-get install -y --no-install-recommends %s\n' "$*" >&2
}
