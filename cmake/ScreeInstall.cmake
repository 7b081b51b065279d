# `cmake --install` gives a package that find_package(scree) finds: every folder as scree::FOLDER,
# all of them as scree::scree, headers as <scree/FOLDER/NAME.h>, and the program.
include(CMakePackageConfigHelpers)

set(SCREE_PACKAGE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/scree)

add_library(scree_everything INTERFACE)
add_library(scree::scree ALIAS scree_everything)
set_target_properties(scree_everything PROPERTIES EXPORT_NAME scree)
target_link_libraries(scree_everything INTERFACE ${SCREE_LIBRARIES})

install(TARGETS ${SCREE_LIBRARIES} scree_everything EXPORT screeTargets
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(EXPORT screeTargets NAMESPACE scree:: DESTINATION ${SCREE_PACKAGE_DIR})

foreach(library IN LISTS SCREE_LIBRARIES)
  get_target_property(folder ${library} EXPORT_NAME)
  install(
    DIRECTORY ${PROJECT_SOURCE_DIR}/src/${folder}
    DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/scree
    FILES_MATCHING
    PATTERN "*.h"
    PATTERN "*.def"
    PATTERN "*_test.h" EXCLUDE)
endforeach()
install(FILES ${PROJECT_SOURCE_DIR}/src/scree.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/scree)
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})

foreach(program IN ITEMS scree scree_app scree_cli)
  if(TARGET ${program})
    install(TARGETS ${program} RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
    break()
  endif()
endforeach()

# A static library passes its private dependencies on to whoever links it. What they are is read
# from the targets themselves, so that a build without GDAL asks its users for no GDAL.
function(scree_find_dependencies result)
  set(packages "")
  foreach(library IN LISTS SCREE_LIBRARIES)
    foreach(property IN ITEMS LINK_LIBRARIES INTERFACE_LINK_LIBRARIES)
      get_target_property(links ${library} ${property})
      if(NOT links)
        continue()
      endif()
      # $<LINK_ONLY:GDAL::GDAL> counts, $<BUILD_INTERFACE:…> stays at home.
      list(FILTER links EXCLUDE REGEX "BUILD_INTERFACE")
      string(REGEX MATCHALL "[A-Za-z0-9_]+::" found "${links}")
      list(TRANSFORM found REPLACE "::$" "")
      list(APPEND packages ${found})
    endforeach()
  endforeach()
  list(REMOVE_DUPLICATES packages)
  list(REMOVE_ITEM packages scree)
  set(lines "")
  foreach(package IN LISTS packages)
    if(package STREQUAL "OpenCL")
      # The loader comes from CMake's own module; the C++ headers are a package beside it.
      string(APPEND lines "find_dependency(OpenCL)\n")
      if(TARGET OpenCL::HeadersCpp)
        string(APPEND lines "find_package(OpenCLHeaders QUIET)\nfind_package(OpenCLHeadersCpp QUIET)\n")
      endif()
    else()
      string(APPEND lines "find_dependency(${package})\n")
    endif()
  endforeach()
  set(${result} "${lines}" PARENT_SCOPE)
endfunction()

scree_find_dependencies(SCREE_FIND_DEPENDENCIES)
configure_package_config_file(
  ${PROJECT_SOURCE_DIR}/cmake/screeConfig.cmake.in ${PROJECT_BINARY_DIR}/screeConfig.cmake
  INSTALL_DESTINATION ${SCREE_PACKAGE_DIR}
  NO_SET_AND_CHECK_MACRO)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/screeConfigVersion.cmake
                                 COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/screeConfig.cmake ${PROJECT_BINARY_DIR}/screeConfigVersion.cmake
        DESTINATION ${SCREE_PACKAGE_DIR})

if(SCREE_TESTS)
  add_test(
    NAME Package.ConsumerBuildsAgainstTheInstalledTree
    COMMAND
      ${CMAKE_COMMAND} -D BUILD_DIR=${PROJECT_BINARY_DIR}
      -D CONSUMER_DIR=${PROJECT_SOURCE_DIR}/examples/cpp -D WORK_DIR=${PROJECT_BINARY_DIR}/consumer
      -D GENERATOR=${CMAKE_GENERATOR} -D COMPILER=${CMAKE_CXX_COMPILER}
      "-DFLAGS=${CMAKE_CXX_FLAGS}" -D BUILD_TYPE=${CMAKE_BUILD_TYPE} -P
      ${PROJECT_SOURCE_DIR}/cmake/ScreeConsumerTest.cmake)
  set_tests_properties(Package.ConsumerBuildsAgainstTheInstalledTree PROPERTIES LABELS package
                                                                                TIMEOUT 900)
endif()
