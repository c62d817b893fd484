# BOXWOOD_PREBUILT: the Python extension and nothing else, with the libraries and the command of a build folder of this same source.
# What would be compiled again for tests of the wheel is there already.
include(cmake/warnings.cmake)
find_package(Threads REQUIRED)
add_library(boxwood_static STATIC IMPORTED)
set_target_properties(boxwood_static PROPERTIES IMPORTED_LOCATION ${BOXWOOD_PREBUILT}/libboxwood.a INTERFACE_LINK_LIBRARIES m
  INTERFACE_INCLUDE_DIRECTORIES ${PROJECT_SOURCE_DIR}/include)
add_library(boxwood::pool STATIC IMPORTED)
set_target_properties(boxwood::pool PROPERTIES IMPORTED_LOCATION ${BOXWOOD_PREBUILT}/pool/libboxwood_pool.a
  INTERFACE_LINK_LIBRARIES Threads::Threads)
add_executable(boxwood_tool IMPORTED)
set_target_properties(boxwood_tool PROPERTIES IMPORTED_LOCATION ${BOXWOOD_PREBUILT}/tools/boxwood)
add_subdirectory(bindings/python)
