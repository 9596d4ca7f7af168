# SPDX-License-Identifier: GPL-2.0-only
option(VBLKSIM_WERROR "Treat warnings as errors" OFF)
option(VBLKSIM_SANITIZE
       "AddressSanitizer and UBSan in everything but guest code" OFF)
option(FIBER_UCONTEXT "Switch fibers with swapcontext, not assembler" OFF)
set(VBLKSIM_TEST_PREFIX "" CACHE STRING
    "Put before each test's name, to tell builds apart in one ctest run")

if(NOT CMAKE_BUILD_TYPE)
	set(CMAKE_BUILD_TYPE Release CACHE STRING "Build type" FORCE)
endif()
set_property(CACHE CMAKE_BUILD_TYPE PROPERTY STRINGS Release Debug)

set(CMAKE_C_STANDARD 11)
set(CMAKE_C_STANDARD_REQUIRED ON)
set(CMAKE_C_EXTENSIONS ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
# Assertions are always on (sim/assert.h), so no build type sets NDEBUG.
set(CMAKE_C_FLAGS_RELEASE "-O2 -g")
set(CMAKE_C_FLAGS_DEBUG "-Og -g3")
