#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# tools/fetch-drivers where nothing can be fetched.
set -u

source=${VBLKSIM_SOURCE_DIR:-.}
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT
mkdir "$root/tools" "$root/bin"
cp "$source/tools/fetch-drivers" "$root/tools/"
# A machine with no package and no apt-get.
for program in bash cat dirname env mkdir mktemp mv rm sort; do
	ln -s "$(command -v "$program")" "$root/bin/$program"
done
failed=0

# claim NAME EXIT_CODE TEXT ARGUMENTS...
claim() {
	local name=$1 code=$2 text=$3 got
	shift 3
	PATH=$root/bin "$root/bin/bash" "$root/tools/fetch-drivers" "$@" \
		>"$root/out" 2>&1 </dev/null
	got=$?
	if [ "$got" != "$code" ] ||
	   { [ -n "$text" ] && ! grep -qF -- "$text" "$root/out"; }; then
		echo "$name: exit code $got, not $code, or no '$text' in:"
		cat "$root/out"
		failed=1
	fi
}

claim help_says_where_files_go 0 'cache/drivers/VERSION/virtio_blk.c' --help
claim unknown_argument_is_refused 2 'unknown argument: 5.10' 5.10
claim no_apt_get_says_what_to_do 1 'drivers/block/virtio_blk.c' --quiet

for version in 6.1 6.12; do
	mkdir -p "$root/cache/drivers/$version"
	for file in virtio_blk.c virtio_ring.c VERSION; do
		echo by hand >"$root/cache/drivers/$version/$file"
	done
done
claim files_put_by_hand_are_left_alone 0 ''
claim one_version_can_be_asked_for 0 '' 6.12
if [ -s "$root/out" ] || ! grep -q 'by hand' "$root/cache/drivers/6.1/virtio_blk.c"; then
	echo files_put_by_hand_are_left_alone: they were not
	failed=1
fi
rm "$root/cache/drivers/6.1/virtio_ring.c"
claim half_of_them_is_not_enough 1 'no apt-get' 6.1
exit "$failed"
