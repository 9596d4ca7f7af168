# SPDX-License-Identifier: GPL-2.0-only
# Guest code: what runs on a vCPU and pays for each memory access.
#
# It is compiled by one compiler with one set of flags whatever the rest is
# built with, since the number of accesses, and so every result, depends on
# both. gcc is called directly: CMake knows one C compiler per build.

if(CMAKE_C_COMPILER_ID STREQUAL "GNU")
	set(VBLKSIM_GUEST_CC ${CMAKE_C_COMPILER} CACHE FILEPATH
	    "gcc for guest code and drivers")
else()
	find_program(VBLKSIM_GUEST_CC gcc REQUIRED
		DOC "gcc for guest code and drivers")
endif()

find_program(VBLKSIM_GUEST_OBJCOPY objcopy REQUIRED
	DOC "objcopy of the binutils that the gcc for guest code uses")

execute_process(COMMAND ${VBLKSIM_GUEST_CC} -dumpfullversion
	OUTPUT_VARIABLE VBLKSIM_GUEST_CC_VERSION
	OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${VBLKSIM_GUEST_CC} -print-file-name=include
	OUTPUT_VARIABLE guest_cc_include
	OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)

# The semantics of the kernel's own build, and instrumentation: each access
# becomes a call of ours. The flag is given to the compiler and never to the
# linker, which would bring in the thread sanitizer's library.
set(guest_plain_cflags
	-std=gnu11 -O2 -g -nostdinc
	-fno-strict-aliasing -fno-strict-overflow
	-fno-delete-null-pointer-checks -fshort-wchar -funsigned-char
	-fno-stack-protector -fcf-protection=none
	-Wall -Wextra -Wno-unused-parameter)
set(VBLKSIM_GUEST_CFLAGS ${guest_plain_cflags}
	-fsanitize=thread --param=tsan-distinguish-volatile=1)

# The generation of the port's API that the guest kernel and the bundled driver
# are compiled with: a folder of driver/include/profile.
set(VBLKSIM_GUEST_PROFILE 6.12)

set(guest_include -isystem ${guest_cc_include}
	-I${PROJECT_SOURCE_DIR}/driver/include/profile/${VBLKSIM_GUEST_PROFILE}
	-I${PROJECT_SOURCE_DIR}/driver/include)
set(guest_reproducible -ffile-prefix-map=${PROJECT_SOURCE_DIR}=.
	-ffile-prefix-map=${PROJECT_SOURCE_DIR}/=
	-ffile-prefix-map=${PROJECT_BINARY_DIR}=build)

# vblksim_guest_objects(VAR SOURCES FILE... [FLAGS FLAG...] [PLAIN]): compile
# guest code, with PLAIN without instrumentation; VAR is set to the objects'
# paths.
function(vblksim_guest_objects var)
	cmake_parse_arguments(PARSE_ARGV 1 arg PLAIN "" "SOURCES;FLAGS")
	set(cflags ${VBLKSIM_GUEST_CFLAGS})
	if(arg_PLAIN)
		set(cflags ${guest_plain_cflags})
	endif()
	set(objects "")
	foreach(source IN LISTS arg_SOURCES)
		cmake_path(GET source FILENAME name)
		set(object ${CMAKE_CURRENT_BINARY_DIR}/guest-code/${name}.o)
		file(MAKE_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/guest-code)
		# From the root, so that debug information does not name the
		# build folder.
		add_custom_command(OUTPUT ${object}
			COMMAND ${VBLKSIM_GUEST_CC} ${cflags}
				$<$<BOOL:${VBLKSIM_WERROR}>:-Werror>
				${guest_include} ${guest_reproducible}
				${arg_FLAGS} -MD -MF ${object}.d -MT ${object}
				-c ${source} -o ${object}
			DEPENDS ${source}
			DEPFILE ${object}.d
			WORKING_DIRECTORY ${PROJECT_SOURCE_DIR}
			COMMENT "Building guest object ${name}.o"
			COMMAND_EXPAND_LISTS VERBATIM)
		list(APPEND objects ${object})
	endforeach()
	set(${var} ${objects} PARENT_SCOPE)
endfunction()

# vblksim_guest_library(NAME [SOURCES FILE...] [PLAIN_SOURCES FILE...]
# [LIBS LIB...] [FLAGS FLAG...]): guest code to link, PLAIN_SOURCES without
# instrumentation; it may include from the project's root.
function(vblksim_guest_library name)
	cmake_parse_arguments(PARSE_ARGV 1 arg "" ""
		"SOURCES;PLAIN_SOURCES;LIBS;FLAGS")
	set(flags -fPIE -I${PROJECT_SOURCE_DIR} ${arg_FLAGS})
	vblksim_guest_objects(objects SOURCES ${arg_SOURCES} FLAGS ${flags})
	vblksim_guest_objects(plain_objects PLAIN
		SOURCES ${arg_PLAIN_SOURCES} FLAGS ${flags})
	list(APPEND objects ${plain_objects})
	# One object whose data begins on a cache line: which guest variables
	# share a line must not depend on what else the program holds.
	set(joined ${CMAKE_CURRENT_BINARY_DIR}/guest-code/${name}.joined.o)
	set(align "")
	foreach(section .data .data.rel .data.rel.local .data.rel.ro
			.data.rel.ro.local .bss)
		list(APPEND align --set-section-alignment ${section}=64)
	endforeach()
	add_custom_command(OUTPUT ${joined}
		COMMAND ${VBLKSIM_GUEST_CC} -r -nostdlib -o ${joined} ${objects}
		COMMAND ${VBLKSIM_GUEST_OBJCOPY} ${align} ${joined}
		DEPENDS ${objects}
		COMMENT "Joining guest objects of ${name}"
		VERBATIM)
	add_library(${name} STATIC ${joined})
	set_target_properties(${name} PROPERTIES LINKER_LANGUAGE C)
	target_link_libraries(${name} PUBLIC ${arg_LIBS})
endfunction()

# vblksim_driver(NAME FILE...): a driver to load at run time, NAME.so in this
# binary folder. KBUILD_MODNAME is the file's name, as in the kernel's build.
function(vblksim_driver name)
	set(objects "")
	foreach(source IN LISTS ARGN)
		cmake_path(GET source STEM modname)
		vblksim_guest_objects(object SOURCES ${source}
			FLAGS -fPIC "-DKBUILD_MODNAME=\"${modname}\"")
		list(APPEND objects ${object})
	endforeach()
	add_custom_command(OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/${name}.so
		COMMAND ${VBLKSIM_GUEST_CC} -shared -nostdlib
			-Wl,--build-id=sha1 -Wl,-z,noexecstack
			-Wl,-Bsymbolic
			-Wl,-soname,${name}.so
			-o ${CMAKE_CURRENT_BINARY_DIR}/${name}.so ${objects}
		DEPENDS ${objects}
		COMMENT "Linking driver ${name}.so"
		VERBATIM)
	add_custom_target(${name} ALL
		DEPENDS ${CMAKE_CURRENT_BINARY_DIR}/${name}.so)
endfunction()
