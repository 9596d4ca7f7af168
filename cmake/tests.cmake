# SPDX-License-Identifier: GPL-2.0-only
# Tests: tests/FOLDER/test_NAME.c is the test FOLDER/NAME; test_NAME.sh and
# test_NAME.py keep their endings.

find_package(PkgConfig REQUIRED)
find_package(Python3 REQUIRED COMPONENTS Interpreter)
pkg_check_modules(CHECK REQUIRED IMPORTED_TARGET check)

# Nobody's machine is too slow for this.
set(test_timeout_s 900)

function(vblksim_test_properties test)
	set_tests_properties(${test} PROPERTIES
		TIMEOUT ${test_timeout_s} ${ARGN}
		WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
	# ctest -j begins with the costliest. Here cost means: the sooner a
	# failure is seen the better. Quick tests first, sanitizers last.
	set(cost 20)
	get_test_property(${test} LABELS labels)
	if("fast" IN_LIST labels)
		set(cost 40)
	endif()
	if(VBLKSIM_SANITIZE)
		math(EXPR cost "${cost} - 10")
	endif()
	set_property(TEST ${test} PROPERTY COST ${cost})
	# Check would kill a slow test by its own clock after 4 s.
	set_property(TEST ${test} PROPERTY ENVIRONMENT
		CK_DEFAULT_TIMEOUT=${test_timeout_s}
		ASAN_OPTIONS=abort_on_error=1
		UBSAN_OPTIONS=print_stacktrace=1:abort_on_error=1
		PYTHONDONTWRITEBYTECODE=1
		VBLKSIM=${PROJECT_BINARY_DIR}/vblksim
		VBLKSIM_BUILD_DIR=${PROJECT_BINARY_DIR}
		VBLKSIM_SANITIZE=$<IF:$<BOOL:${VBLKSIM_SANITIZE}>,ON,OFF>
		VBLKSIM_SOURCE_DIR=${PROJECT_SOURCE_DIR})
endfunction()

# Minutes with sanitizers, which see little in them: arithmetic on a few
# variables, and guest code, which is never sanitized.
set(test_not_sanitized
	sim/dist driver/virtio_ring driver/virtio_ring_packed)

# vblksim_c_tests(FOLDER LIBS...): Check programs, linked whole as the simulator
# is. FOLDER/guest_*.c, if any, are guest code that goes into each of them. A
# library FOLDER-test-NAME, if there is one, goes into the test NAME only.
function(vblksim_c_tests folder)
	set(libs ${ARGN})
	file(GLOB guest_sources CONFIGURE_DEPENDS ${folder}/guest_*.c)
	if(guest_sources)
		vblksim_guest_library(${folder}-tests-guest
			SOURCES ${guest_sources})
		list(PREPEND libs ${folder}-tests-guest)
	endif()
	file(GLOB sources CONFIGURE_DEPENDS ${folder}/test_*.c)
	add_custom_target(${folder}-tests)
	foreach(source IN LISTS sources)
		cmake_path(GET source STEM stem)
		string(REGEX REPLACE "^test_" "" name ${stem})
		if(VBLKSIM_SANITIZE AND
		   "${folder}/${name}" IN_LIST test_not_sanitized)
			continue()
		endif()
		set(exe ${stem}_${folder})
		add_executable(${exe} ${source})
		set_target_properties(${exe} PROPERTIES OUTPUT_NAME ${stem}
			RUNTIME_OUTPUT_DIRECTORY
				${CMAKE_CURRENT_BINARY_DIR}/${folder})
		set(own_lib "")
		if(TARGET ${folder}-test-${name})
			set(own_lib ${folder}-test-${name})
		endif()
		vblksim_link_whole(${exe} ${own_lib} ${libs})
		target_link_libraries(${exe} PRIVATE PkgConfig::CHECK)
		add_dependencies(${folder}-tests ${exe})
		set(test ${VBLKSIM_TEST_PREFIX}${folder}/${name})
		add_test(NAME ${test} COMMAND ${exe})
		vblksim_test_properties(${test} LABELS fast)
	endforeach()
endfunction()

# vblksim_script_tests(FOLDER [PROPERTY VALUE]...): shell and Python tests.
function(vblksim_script_tests folder)
	file(GLOB sources CONFIGURE_DEPENDS
		${folder}/test_*.sh ${folder}/test_*.py)
	foreach(source IN LISTS sources)
		cmake_path(GET source STEM stem)
		cmake_path(GET source EXTENSION extension)
		string(REGEX REPLACE "^test_" "" name ${stem})
		if(extension STREQUAL ".py")
			set(interpreter ${Python3_EXECUTABLE})
		else()
			set(interpreter bash)
		endif()
		set(test ${VBLKSIM_TEST_PREFIX}${folder}/${name}${extension})
		add_test(NAME ${test} COMMAND ${interpreter} ${source})
		vblksim_test_properties(${test} ${ARGN})
	endforeach()
endfunction()
