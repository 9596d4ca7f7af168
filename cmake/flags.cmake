# SPDX-License-Identifier: GPL-2.0-only
# vblksim_flags: how everything but guest code is compiled and linked.

add_library(vblksim_flags INTERFACE)
target_include_directories(vblksim_flags INTERFACE ${PROJECT_SOURCE_DIR})
# -ffp-contract: a fused multiply-add rounds once instead of twice, so results
# would depend on the CPU. -ffile-prefix-map: assertions name files as the
# project does, and objects do not depend on where they were built.
target_compile_options(vblksim_flags INTERFACE
	-Wall -Wextra -ffp-contract=off
	-ffile-prefix-map=${PROJECT_SOURCE_DIR}/=
	$<$<BOOL:${VBLKSIM_WERROR}>:-Werror>)

if(VBLKSIM_SANITIZE)
	target_compile_options(vblksim_flags INTERFACE
		-fsanitize=address,undefined -fno-sanitize-recover=all
		-fno-omit-frame-pointer)
	target_link_options(vblksim_flags INTERFACE
		-fsanitize=address,undefined)
endif()

# The wire: layouts that driver and device share. Only uapi/ is put in view,
# because linux/ beside it is the guest's, and stdint.h is not libc's.
set(wire ${PROJECT_BINARY_DIR}/wire)
file(MAKE_DIRECTORY ${wire})
file(CREATE_LINK ${PROJECT_SOURCE_DIR}/driver/include/uapi ${wire}/uapi
     SYMBOLIC)
add_library(vblksim_wire INTERFACE)
target_include_directories(vblksim_wire INTERFACE ${wire})

# vblksim_library(NAME LIBS...): a static library of all sources in this folder.
#
# Sources are globbed: several people add files at a time, a folder is a
# library by design, and CONFIGURE_DEPENDS looks again in each build.
function(vblksim_library name)
	file(GLOB sources CONFIGURE_DEPENDS *.c *.S)
	list(FILTER sources EXCLUDE REGEX "/main\\.c$")
	add_library(${name} STATIC ${sources})
	target_link_libraries(${name} PUBLIC vblksim_flags ${ARGN})
endfunction()

# vblksim_link_whole(TARGET LIBS...): link libraries with all their objects and
# export them: a driver that is loaded at run time uses functions that nobody
# in the program calls.
function(vblksim_link_whole target)
	set(archives "")
	foreach(lib IN LISTS ARGN)
		get_target_property(type ${lib} TYPE)
		if(NOT type STREQUAL "INTERFACE_LIBRARY")
			list(APPEND archives ${lib})
		endif()
	endforeach()
	list(JOIN archives "," libs)
	set_target_properties(${target} PROPERTIES ENABLE_EXPORTS ON
		LINK_LIBRARY_OVERRIDE "WHOLE_ARCHIVE,${libs}")
	target_link_libraries(${target} PRIVATE ${ARGN} vblksim_flags)
endfunction()
