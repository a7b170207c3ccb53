#!/usr/bin/env bash
# Tries a clean clone in a bare Debian folder, the way a newcomer meets it: debootstrap's smallest system, `make`, the
# Swift toolchain of this machine bound in read-only, and nothing else. As root, on Linux, with debootstrap installed.
#
#   Tests/bare-debian.sh [FOLDER]         FOLDER is made when it is missing and kept for the next time
#
#   SUITE=bookworm   the Debian release
#   CACHE=FOLDER     a folder of models to use instead of fetching them
#   ONLY=run|test    one of the two parts
#
# Package registries, certificates and proxies are those that this machine is configured for: its files are copied into
# the folder, and nothing about them is written down here.
set -euo pipefail
here="$(cd "$(dirname "$0")/.." && pwd)"
folder="${1:-/tmp/hearth-bare}"
suite="${SUITE:-bookworm}"
only="${ONLY:-all}"

[ "$(id -u)" -eq 0 ] || { echo "bare-debian: needs root, for debootstrap and chroot" >&2; exit 1; }
command -v debootstrap >/dev/null || { echo "bare-debian: apt-get install debootstrap first" >&2; exit 1; }
swift="$(readlink -f "$(command -v swift)")"
toolchain="${swift%/usr/bin/*}"

if [ ! -e "$folder/etc/debian_version" ]; then
  site="$(apt-get indextargets --format '$(SITE)' 'Codename: '"$suite" 'Created-By: Packages' | head -n 1)"
  debootstrap --variant=minbase "$suite" "$folder" ${site:+"$site"} > "$folder.log" 2>&1 \
    || { tail -n 5 "$folder.log" >&2; exit 1; }
  # The same registries and certificates as outside, as files.
  rm -f "$folder/etc/apt/sources.list"
  cp -a /etc/apt/. "$folder/etc/apt/"
  find "$folder/etc/apt/sources.list.d" -type f ! -name 'debian*' -delete
  rm -rf "$folder/etc/apt/preferences.d"/*
fi
mkdir -p "$folder/opt/swift" "$folder/src" "$folder/mnt/certs"

mounted=()
cleanup() {
  local i
  for ((i = ${#mounted[@]} - 1; i >= 0; i--)); do umount "${mounted[$i]}" || true; done
}
trap cleanup EXIT
bind() {  # SOURCE TARGET: read-only
  mkdir -p "$2"
  mount --bind "$1" "$2" && mounted+=("$2")
  mount -o remount,bind,ro "$2"
}
mount -t proc proc "$folder/proc" && mounted+=("$folder/proc")
mount -t tmpfs -o size=1g tmpfs "$folder/dev/shm" 2>/dev/null && mounted+=("$folder/dev/shm")
bind "$toolchain" "$folder/opt/swift"
bind /etc/ssl/certs "$folder/mnt/certs"  # beside the folder's own, which set-up installs
cp /etc/resolv.conf /etc/hosts "$folder/etc/"
if [ -n "${CACHE:-}" ]; then
  mkdir -p "$folder/models"
  mount --bind "$CACHE" "$folder/models" && mounted+=("$folder/models")
fi

# What pip and fetchers are told here, they are told inside; everything else of the environment stays out.
passed=(HOME=/root LANG=C.UTF-8 PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin:/opt/swift/usr/bin)
while IFS= read -r pair; do
  case "$pair" in
    PIP_FIND_LINKS=*) ;;
    PIP_*=*|*_proxy=*|*_PROXY=*|SSL_CERT_*=*|*_CA_BUNDLE=*)
      passed+=("${pair//\/etc\/ssl\/certs/\/mnt\/certs}") ;;
  esac
done < <(env)
[ -z "${CACHE:-}" ] || passed+=(HEARTH_MODELS=/models)
[ ! -e /etc/pip.conf ] || cp /etc/pip.conf "$folder/etc/pip.conf"
inside() { chroot "$folder" env -i "${passed[@]}" "$@" < /dev/null; }

# A newcomer has make; everything else is the set-up's business.
inside sh -c 'command -v make >/dev/null || { apt-get -q update && apt-get -q install -y --no-install-recommends make; }' > "$folder.make.log" 2>&1 \
  || { tail -n 5 "$folder.make.log" >&2; exit 1; }

rm -rf "$folder/src/hearth"
git clone -q "file://$here" "$folder/src/hearth"

if [ "$only" != test ]; then
  echo "bare-debian: first make run" >&2
  inside make -C /src/hearth --no-print-directory run PROMPT='Why is the sky blue?' ARGS='--max-tokens 16 --temperature 0' | tee "$folder.answer"
  [ -s "$folder.answer" ] || { echo "bare-debian: no answer" >&2; exit 1; }
  echo "bare-debian: second make run" >&2
  begun=$(date +%s%N)
  # The time until the first byte of the answer.
  first="$(inside make -C /src/hearth --no-print-directory run PROMPT='Why is the sky blue?' ARGS='--max-tokens 16 --temperature 0' | { head -c 1 >/dev/null; date +%s%N; cat >/dev/null; })"
  echo "bare-debian: the second answer began after $(( (first - begun) / 1000000 )) ms" >&2
  [ $(( (first - begun) / 1000000 )) -lt 2000 ] || { echo "bare-debian: that is two seconds or more" >&2; exit 1; }
fi
if [ "$only" != run ]; then
  echo "bare-debian: make test" >&2
  inside make -C /src/hearth --no-print-directory test
fi
