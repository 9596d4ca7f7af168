# SPDX-License-Identifier: GPL-2.0-only
# cmake -D BLK= -D RING= -D PROFILE= -D COMPILER= -D FLAGS= -D OUTPUT= -P this:
# what model/harness/driver_info.h reads, for a driver that CMake builds; see
# there, and build_extra in build.c for the alignment. RING is a list.
cmake_path(GET BLK FILENAME blk)
list(GET RING 0 ring)
cmake_path(GET ring FILENAME ring)
file(SHA256 ${BLK} blk_hash)
set(ring_hashes "")
foreach(file IN LISTS RING)
	file(SHA256 ${file} hash)
	string(APPEND ring_hashes "${hash}\n")
endforeach()
string(SHA256 ring_hash "${ring_hashes}")
string(SHA256 key "${blk_hash} ${ring_hash} ${PROFILE} ${COMPILER} ${FLAGS}")
set(text "")
foreach(line
		"source: ${blk}" "source-sha256: ${blk_hash}"
		"profile: ${PROFILE}"
		"ring: ${ring}" "ring-sha256: ${ring_hash}"
		"ring-profile: ${PROFILE}"
		"compiler: ${COMPILER}" "flags: ${FLAGS}" "key: ${key}")
	string(REGEX REPLACE "([\\\"])" "\\\\\\1" line "${line}")
	string(APPEND text "\n\t\"${line}\\n\"")
endforeach()
file(CONFIGURE OUTPUT ${OUTPUT} @ONLY CONTENT [[
/* Made by cmake/driver-description.cmake. */
extern const char vblksim_driver_description[];
const char vblksim_driver_description[] =@text@;
__asm__(".section .data.rel.ro,\"aw\"\n.balign 64\n"
	".data\n.balign 64\n.bss\n.balign 64\n.text\n");
]])
