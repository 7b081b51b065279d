# One library target a folder: scree_library(NAME SOURCES … USES … LINKS … TESTS …).
# USES names folders above this one in DESIGN's table; LINKS names outside targets.
# A unit test stands beside what it tests and becomes one test program a folder.
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
  include(GoogleTest)
endif()

# The same bits everywhere: no fused multiply-add, no reassociation, in host code too.
add_library(scree_flags INTERFACE)
target_compile_options(scree_flags INTERFACE -ffp-contract=off -Wall -Wextra -Wpedantic -Wshadow
                                             -Wconversion -Wno-sign-conversion)

set(SCREE_LIBRARIES "" CACHE INTERNAL "")

function(scree_library name)
  cmake_parse_arguments(ARG "" "" "SOURCES;USES;LINKS;PRIVATE_LINKS;TESTS;TEST_LINKS" ${ARGN})
  set(target scree_${name})
  add_library(${target} STATIC ${ARG_SOURCES})
  add_library(scree::${name} ALIAS ${target})
  set_target_properties(${target} PROPERTIES EXPORT_NAME ${name} OUTPUT_NAME scree_${name})
  target_include_directories(
    ${target} PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/src>
                     $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>
                     $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}/scree>)
  target_compile_features(${target} PUBLIC cxx_std_20)
  list(TRANSFORM ARG_USES PREPEND scree_)
  target_link_libraries(${target} PUBLIC ${ARG_USES} ${ARG_LINKS}
                        PRIVATE $<BUILD_INTERFACE:scree_flags> ${ARG_PRIVATE_LINKS})
  set(SCREE_LIBRARIES ${SCREE_LIBRARIES} ${target} CACHE INTERNAL "")
  if(SCREE_TESTS AND ARG_TESTS)
    scree_test(${name}_unit SOURCES ${ARG_TESTS} LINKS ${target} ${ARG_TEST_LINKS})
  endif()
endfunction()

# scree_test(NAME SOURCES … LINKS … [LABEL unit|long]): one test program, found test by test.
function(scree_test name)
  cmake_parse_arguments(ARG "" "LABEL" "SOURCES;LINKS" ${ARGN})
  add_executable(test_${name} ${ARG_SOURCES})
  target_link_libraries(test_${name} PRIVATE ${ARG_LINKS} scree_flags GTest::gtest_main)
  if(NOT ARG_LABEL)
    set(ARG_LABEL unit)
  endif()
  gtest_discover_tests(test_${name} DISCOVERY_TIMEOUT 60 PROPERTIES LABELS ${ARG_LABEL})
endfunction()
