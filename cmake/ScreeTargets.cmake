# One library target a folder: scree_library(NAME USES … LINKS … EXCEPT …).
# All *.cpp below the folder are its sources, and *_test.cpp its unit tests, which become one test
# program a folder; EXCEPT names those that this build leaves out, SOURCES further ones. USES names
# folders above this one in the table of docs/architecture.md; LINKS names outside targets.
include(GNUInstallDirs)

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release)
endif()
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR})

find_program(SCREE_CCACHE ccache)
if(SCREE_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${SCREE_CCACHE})
endif()

if(SCREE_TESTS)
  enable_testing()
  find_package(GTest REQUIRED)
  find_package(rapidcheck REQUIRED)
  include(GoogleTest)
  # What `./dev check` runs under the sanitizers: enough to build that, not everything.
  add_custom_target(unit_tests)
endif()

# The same bits everywhere: no fused multiply-add, no reassociation, in host code too.
add_library(scree_flags INTERFACE)
target_compile_options(scree_flags INTERFACE -ffp-contract=off -Wall -Wextra -Wpedantic -Wshadow
                                             -Wconversion -Wno-sign-conversion)
# A program loads the libraries that it calls: OpenVDB's takes a while.
target_link_options(scree_flags INTERFACE LINKER:--as-needed)

set(SCREE_LIBRARIES "" CACHE INTERNAL "")

function(scree_library name)
  cmake_parse_arguments(ARG "" "" "SOURCES;EXCEPT;USES;LINKS;PRIVATE_LINKS;TEST_LINKS" ${ARGN})
  file(GLOB_RECURSE files RELATIVE ${CMAKE_CURRENT_SOURCE_DIR} CONFIGURE_DEPENDS *.cpp)
  if(ARG_EXCEPT)
    list(REMOVE_ITEM files ${ARG_EXCEPT})
  endif()
  set(tests ${files})
  list(FILTER tests INCLUDE REGEX "_test\\.cpp$")
  list(FILTER files EXCLUDE REGEX "_test\\.cpp$")
  list(APPEND ARG_SOURCES ${files})
  set(target scree_${name})
  # A folder of headers alone (kernels) has nothing to archive.
  if(ARG_SOURCES)
    set(scope PUBLIC)
    add_library(${target} STATIC ${ARG_SOURCES})
    target_link_libraries(${target} PRIVATE $<BUILD_INTERFACE:scree_flags> ${ARG_PRIVATE_LINKS})
  else()
    set(scope INTERFACE)
    add_library(${target} INTERFACE)
  endif()
  add_library(scree::${name} ALIAS ${target})
  set_target_properties(${target} PROPERTIES EXPORT_NAME ${name} OUTPUT_NAME scree_${name})
  target_include_directories(
    ${target} ${scope} $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/src>
                       $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>
                       $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}/scree>)
  target_compile_features(${target} ${scope} cxx_std_20)
  list(TRANSFORM ARG_USES PREPEND scree_)
  target_link_libraries(${target} ${scope} ${ARG_USES} ${ARG_LINKS})
  set(SCREE_LIBRARIES ${SCREE_LIBRARIES} ${target} CACHE INTERNAL "")
  if(SCREE_TESTS AND tests)
    scree_test(${name}_unit SOURCES ${tests} LINKS ${target} ${ARG_TEST_LINKS})
  endif()
endfunction()

# scree_test(NAME SOURCES … LINKS … [LABEL unit|long|…] [COST n]): one test program, found test by
# test. What costs most begins first, so that no core is idle at the end.
# Whatever the program's label, a test whose own name begins with Long (TEST(Water, LongRun)) is
# labelled `long`. Each test runs as a process of its own, several at a time: a test that writes
# files needs a folder with its own name in it.
function(scree_test name)
  cmake_parse_arguments(ARG "" "LABEL;COST" "SOURCES;LINKS" ${ARGN})
  set(target test_${name})
  if(NOT TARGET scree_test_main)
    add_library(scree_test_main OBJECT ${PROJECT_SOURCE_DIR}/tests/main.cpp)
    target_link_libraries(scree_test_main PUBLIC GTest::gtest PRIVATE scree_flags)
  endif()
  add_executable(${target} ${ARG_SOURCES})
  target_link_libraries(${target} PRIVATE ${ARG_LINKS} scree_flags rapidcheck rapidcheck_gtest
                                          scree_test_main)
  if(NOT ARG_LABEL)
    set(ARG_LABEL unit)
  endif()
  if(ARG_LABEL STREQUAL "unit")
    add_dependencies(unit_tests ${target})
  endif()
  if(NOT ARG_COST)
    set(ARG_COST 0)
  endif()
  scree_discover(${target} ${ARG_LABEL} "-*.Long*" ${ARG_COST})
  scree_discover(${target} long "*.Long*" 1000)
endfunction()

# Property tests draw the same cases in every ctest run, so that a red suite stays red until it is
# mended; the bare test program draws new ones each time. The time to list tests is generous, since
# loading drivers on a busy machine is slow and a time-out would fail the build.
function(scree_discover target label filter cost)
  set(environment "")
  if(SCREE_TEST_ENVIRONMENT)
    set(environment ENVIRONMENT_MODIFICATION ${SCREE_TEST_ENVIRONMENT})
  endif()
  set(time 900)
  if(label STREQUAL "long")
    set(time 3600)
  endif()
  gtest_discover_tests(
    ${target}
    TEST_LIST ${target}_${label}_tests
    TEST_FILTER ${filter}
    DISCOVERY_TIMEOUT 300
    PROPERTIES LABELS ${label} COST ${cost} TIMEOUT ${time} ENVIRONMENT RC_PARAMS=seed=2012
               ${environment})
endfunction()
