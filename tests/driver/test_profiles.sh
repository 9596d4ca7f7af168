#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
# The kernel's own drivers, unchanged, against the port: each compiles with the
# profile of its generation and with no other, blk and ring of different
# generations link, and every combination loads and does I/O, with split rings
# and with packed ones.
set -euo pipefail

root=$VBLKSIM_SOURCE_DIR
cache=$root/cache/drivers
config=$VBLKSIM_BUILD_DIR/include/vblksim-config.h
versions=(6.1 6.12)

for version in "${versions[@]}"; do
	for file in virtio_blk virtio_ring; do
		if [[ ! -e $cache/$version/$file.c ]]; then
			echo "skipped: no $version/$file.c, see tools/fetch-drivers"
			exit 0
		fi
	done
done

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0

fail() {
	echo "FAIL: $*"
	failed=1
}

config_value() {
	sed -n "s/^#define $1[[:space:]]*\"\(.*\)\"\$/\1/p" "$config"
}

cc=$(config_value VBLKSIM_DRIVER_CC)
# As the simulator builds drivers, but with the warnings of the kernel's build.
read -ra cflags < <(config_value VBLKSIM_DRIVER_CFLAGS |
	sed -E 's/(^| )-W[^ ]*//g')
cflags+=(-isystem "$("$cc" -print-file-name=include)" -fPIC)
warnings=(-Wall -Wundef -Wno-trigraphs -Wno-pointer-sign
	-Wno-maybe-uninitialized -Wno-unused-but-set-variable
	-Wno-unused-const-variable
	-Wno-address-of-packed-member -Wno-format-truncation
	-Wno-format-overflow -Wno-stringop-truncation -Wno-stringop-overflow
	-Wno-array-bounds -Wno-restrict -Wno-main)
# What must not pass as a mere warning, so that a trial tells profiles apart.
trial=(-Werror=incompatible-pointer-types
	-Werror=implicit-function-declaration -Werror=int-conversion)

# compile VERSION FILE PROFILE: object in $work/VERSION-FILE.o, what the
# compiler said in $work/log.
compile() {
	local version=$1 file=$2 profile=$3

	"$cc" "${cflags[@]}" "${warnings[@]}" "${trial[@]}" \
		-I"$root/driver/include/profile/$profile" \
		-I"$root/driver/include" -DKBUILD_MODNAME="\"$file\"" \
		-c "$cache/$version/$file.c" -o "$work/$version-$file.o" \
		2>"$work/log"
}

check_matrix() {
	local version=$1 file=$2 profile

	for profile in "${versions[@]}"; do
		if [[ $profile == "$version" ]]; then
			continue
		fi
		if compile "$version" "$file" "$profile"; then
			fail "$file of $version compiles with profile $profile"
		fi
	done
	if ! compile "$version" "$file" "$version" || [[ -s $work/log ]]; then
		fail "$file of $version with its own profile:"
		cat "$work/log"
	fi
}

for version in "${versions[@]}"; do
	for file in virtio_blk virtio_ring; do
		check_matrix "$version" "$file"
	done
done
if ((failed)); then
	exit 1
fi

guest_code=$VBLKSIM_BUILD_DIR/driver/guest-code
cp "$guest_code/virtio_blk.c.o" "$work/bundled-virtio_blk.o"
"$cc" -r -nostdlib -o "$work/bundled-virtio_ring.o" \
	"$guest_code"/virtio_ring{,_split,_packed}.c.o
nm --defined-only "$VBLKSIM" | awk '{ print $3 }' | sort -u >"$work/program"

cat >"$work/scenario.yaml" <<'END'
name: profiles
machine: arm64-2014
vcpus: 2
device:
  {num-queues: 2, queue-size: 64, event_idx: on,
   store: {type: queue, parallelism: 8, latency: {dist: constant, mean: 50us}}}
job:
  {ioengine: libaio, rw: randrw, bs: 16k, iodepth: 16, numjobs: 2,
   runtime: 20ms}
END

check_pair() {
	local blk=$1 ring=$2 so=$work/$1-$2.so unknown packed

	if ! "$cc" -shared -nostdlib -Wl,--build-id=sha1 -Wl,-z,noexecstack \
		-Wl,-Bsymbolic -o "$so" "$work/$blk-virtio_blk.o" \
		"$work/$ring-virtio_ring.o"
	then
		fail "blk of $blk and ring of $ring do not link"
		return
	fi
	unknown=$(nm -u "$so" | awk '{ print $NF }' | sort -u |
		comm -23 - "$work/program" | xargs)
	if [[ $unknown ]]; then
		fail "blk of $blk, ring of $ring: nobody defines $unknown"
		return
	fi
	for packed in off on; do
		if ! "$VBLKSIM" run "$work/scenario.yaml" \
			--set "driver.source=$so" \
			--set "device.packed=$packed" >"$work/run" 2>&1 ||
		   ! grep -Eq '^ *IOPS +[1-9]' "$work/run"; then
			fail "blk of $blk, ring of $ring, packed $packed:"
			cat "$work/run"
		fi
	done
}

for blk in "${versions[@]}" bundled; do
	for ring in "${versions[@]}" bundled; do
		check_pair "$blk" "$ring"
	done
done
exit "$failed"
