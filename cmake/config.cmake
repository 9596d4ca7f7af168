# SPDX-License-Identifier: GPL-2.0-only
# vblksim-config.h: what the program says about its own build, and where its
# data is. Targets that link vblksim_config have it included everywhere.

set(VBLKSIM_SOURCE_DIR ${PROJECT_SOURCE_DIR} CACHE PATH
    "Where scenarios/, results/ and driver/include are looked for by default")
string(TOLOWER ${CMAKE_C_COMPILER_ID} VBLKSIM_COMPILER)
string(REPLACE "gnu" "gcc" VBLKSIM_COMPILER ${VBLKSIM_COMPILER})
list(JOIN VBLKSIM_GUEST_CFLAGS " " VBLKSIM_DRIVER_CFLAGS)
configure_file(cmake/vblksim-config.h.in
	${PROJECT_BINARY_DIR}/include/vblksim-config.h @ONLY)
add_library(vblksim_config INTERFACE)
target_include_directories(vblksim_config INTERFACE
	${PROJECT_BINARY_DIR}/include)
target_compile_options(vblksim_config INTERFACE
	"SHELL:-include vblksim-config.h")
